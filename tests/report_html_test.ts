import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
// @ts-types="../src/checks/visual/pngjs.d.ts"
import { PNG } from "pngjs";
import type { Json } from "../src/base/error.ts";
import { isList, isMap } from "../src/base/json.ts";
import { catalogue } from "../src/catalogue.ts";
import type { RunEvent, RunResult } from "../src/contract/events.ts";
import { Artefacts } from "../src/engine/journal/artefacts.ts";
import { diffRuns } from "../src/engine/journal/run-diff.ts";
import { runFolder } from "../src/engine/journal/journal.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { readEvidence } from "../src/engine/evidence/read.ts";
import { newRunId } from "../src/engine/run/run-id.ts";
import { Encryption } from "../src/engine/journal/encryption.ts";
import { encodePng } from "../src/operations/png.ts";
import { htmlReporter } from "../src/report/html/reporter.ts";
import type { TestEvent, TestFileResult, TestStatus, TestTryResult } from "../src/report/reporter.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";

const SECRET = "hunter2-and-more";
const references = fileURLToPath(new URL("../tools/references", import.meta.url));
const clicks = fileURLToPath(new URL("fixtures/report/click-through.mjs", import.meta.url));
const missing = !existsSync(join(references, "node_modules/playwright-core"))
  ? "tools/setup.sh --references was not run"
  : ["/usr/bin/chromium", "/usr/bin/gtk3-widget-factory", "/usr/bin/Xvfb"].find((file) => !existsSync(file));

const PASSES = `
name: "Passes <script>alert(1)</script> & </script>"
app: gtk3-widget-factory
secrets: [TOKEN]
steps:
  - set: { target: 'textfield:visible:enabled:nth(2)', value: '{{secrets.TOKEN}}' }
  - click: 'checkbox:visible:enabled:nth(2)'
`;
const FAILS = `
name: Fails & goes back
app: gtk3-widget-factory
steps:
  - transaction:
      name: fill
      steps:
        - set: { target: 'textfield:visible:enabled:nth(1)', value: 'Grüße' }
        - click: 'checkbox:visible:enabled:nth(2)'
        - assert: { target: 'button[name="Submit order"]', exists: true, timeout: 0 }
`;
const FLAKY = (wanted: string) => `
name: Flaky
app: sim.settings
steps:
  - set: { target: 'textfield[name="Name"]', value: '${wanted}' }
  - assert: { target: 'textfield[name="Name"]', value: 'Grace', timeout: 0 }
`;

/** A try of a file: what it told, and what came of it. */
interface Tried {
  readonly result: RunResult;
  readonly events: TestEvent[];
  readonly one: TestTryResult;
}

async function attempt(
  file: string,
  yaml: string,
  session: Session,
  state: string,
  number: number,
  more: (run: string) => readonly RunEvent[] = () => [],
): Promise<Tried> {
  const workflow = parseWorkflow(yaml, {
    file,
    operations: catalogue,
    load: () => assert.fail("there is no other file"),
  });
  const run = newRunId();
  const began = Date.now();
  const events: TestEvent[] = [];
  const where = { test: file, file, attempt: number, worker: 1, run, folder: runFolder(state, run), state };
  const tell = (reported: RunEvent) => {
    events.push({ event: "run", ...where, at: Date.now(), reported });
  };
  const value = (name: string) => name === "TOKEN" ? SECRET : undefined;
  const result = await runWorkflow(workflow, {
    operations: catalogue,
    session,
    vars: {},
    surroundings: { env: value, secret: value },
    folder: state,
    state,
    run,
    evidence: "on",
    listener: (event) => {
      if (event.event === "run-finished") more(run).forEach(tell);
      tell(event);
    },
  });
  const { status, exit, duration_ms, error } = result;
  const one = { ...where, status, exit, began, duration_ms, result, ...(error ? { error } : {}) };
  events.push({ event: "try-finished", result: one });
  return { result, events, one };
}

/** A picture of one colour with a square of another. */
function square(colour: number, at: number): Uint8Array {
  const [width, height] = [320, 200];
  const rgba = new Uint8Array(4 * width * height).fill(230);
  for (let y = at; y < at + 40; y++) for (let x = at; x < at + 40; x++) rgba[4 * (y * width + x)] = colour;
  return encodePng({ width, height, rgba });
}

/** A visual difference and an audit, as those steps tell of them. */
function checks(state: string, run: string): RunEvent[] {
  const evidence = readEvidence(state, run).evidence?.steps[0]?.evidence;
  assert.ok(evidence?.after?.picture !== undefined);
  const store = new Artefacts(runFolder(state, run), Encryption.open(state, run));
  const artefacts = {
    expected: store.put(square(10, 20)),
    actual: store.put(square(10, 60)),
    diff: store.put(square(255, 60)),
  };
  const issue = (rule: string, x: number): Json => ({
    severity: "serious",
    rule,
    element: `button[name="<img src=x onerror=alert(2)>"]`,
    description: "It has no name",
    suggestion: "Give it one",
    wcag: "4.1.2",
    decides: true,
    position: [x, 40],
    size: [80, 30],
  });
  const shared = { effect: "read" as const, duration_ms: 12 };
  return [
    {
      event: "step-finished",
      step: {
        ...shared,
        path: "3",
        name: "visual-diff editor.png",
        operation: "visual-diff",
        status: "failed",
        error: {
          code: "assertion",
          message: "Cannot confirm baseline:editor.png: 3200 pixels differ",
          details: {
            baseline: "baseline:editor.png",
            mode: "pixel",
            threshold: 1,
            diff_percentage: 5,
            diff_pixels: 3200,
            total_pixels: 64000,
            place: { x: 0, y: 0 },
            differences: [{
              rect: { x: 20, y: 20, width: 80, height: 80 },
              pixels: 3200,
              elements: ['button "Save"'],
              moved: { dx: 40, dy: 40 },
            }],
            artefacts,
          },
        },
      },
      evidence,
    },
    {
      event: "step-finished",
      step: {
        ...shared,
        path: "4",
        name: "audit sim.settings",
        operation: "audit",
        status: "passed",
        output: {
          passed: true,
          score: 71,
          summary: "2 issues.",
          issues: [issue("button-name", 40), issue("color-contrast", 160)],
          incomplete: [],
        },
      },
      evidence,
    },
  ];
}

function fileOf(status: TestStatus, tries: readonly Tried[], state: string): TestFileResult {
  const last = tries.at(-1);
  assert.ok(last);
  const { file, run, exit } = last.one;
  const first = tries[0]?.one.run ?? "";
  return {
    id: file,
    file,
    name: last.result.workflow,
    tags: [],
    status,
    exit,
    duration_ms: 10,
    tries: tries.map(({ one }) => one),
    ...(last.one.error && status === "failed" ? { error: last.one.error } : {}),
    ...(status === "flaky" ? { divergence: diffRuns(state, first, run) } : {}),
  };
}

/** Neither as it is, nor as an address, nor in base64 at any of its three places. */
function holdsNoSecret(html: string): void {
  const forms = [SECRET, encodeURIComponent(SECRET), JSON.stringify(SECRET).slice(1, -1), SECRET.slice(0, 8)];
  for (const shift of [0, 1, 2]) {
    const coded = Buffer.from(`${"x".repeat(shift)}${SECRET}`).toString("base64");
    forms.push(coded.slice(shift === 0 ? 0 : 4, -4));
  }
  for (const form of forms) assert.ok(!html.includes(form), form);
  assert.ok(html.includes("••••••"));
}

/** The field that received the secret has no pixel that is not black, in the picture after it as in the next one. */
function isBlack(html: string): void {
  const data: Json = JSON.parse(
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? "",
  );
  const dig = (json: Json | undefined, ...path: (string | number)[]): Json | undefined =>
    path.reduce<Json | undefined>(
      (one, key) =>
        typeof key === "number" ? (isList(one) ? one[key] : undefined) : isMap(one) ? one[key] : undefined,
      json,
    );
  const [set, click] = [0, 1].map((step) => dig(data, "files", 1, "tries", 0, "items", step));
  const [x, y, width, height] = ["x", "y", "width", "height"].map((key) => Number(dig(set, "marks", 0, key)));
  assert.ok(x !== undefined && y !== undefined && width && height, JSON.stringify(set));
  for (const look of [dig(set, "after"), dig(click, "action"), dig(click, "after")]) {
    const name = String(dig(look, "picture"));
    const base64 = new RegExp(`id="p-${name}">([^<]*)<`).exec(html)?.[1];
    assert.ok(base64, name);
    const png = PNG.sync.read(Buffer.from(base64, "base64"));
    let lit = 0;
    for (let row = y; row < y + height; row++) {
      for (let column = x; column < x + width; column++) {
        if (png.data.readUInt32BE(4 * (row * png.width + column)) >>> 8 !== 0) lit++;
      }
    }
    assert.equal(lit, 0);
    assert.ok(png.data.some((byte, index) => index % 4 !== 3 && byte > 100), "the rest of it shows");
  }
}

function clickThrough(file: string): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const pictures = Deno.env.get("BACKSTEP_REPORT_PICTURES");
    const child = spawn("node", [clicks, references, file, ...(pictures === undefined ? [] : [pictures])], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 300_000,
    });
    let output = "";
    child.stdout.on("data", (bytes) => output += bytes);
    child.stderr.on("data", (bytes) => output += bytes);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

Deno.test({
  name:
    "a report of real runs opens from disk, can be used by keyboard, passes axe in light and dark, and holds no secret",
  ignore: missing !== undefined,
  async fn() {
    const state = mkdtempSync(join(tmpdir(), "backstep-report-"));
    const session = await openSession({ kind: "isolated" });
    const simulated = await openSession({ kind: "simulated" });
    const file = join(state, "report.html");
    try {
      await session.launcher.launch("gtk3-widget-factory", { timeout: 30_000 });
      await simulated.launcher.launch("sim.settings");
      const fails = await attempt("a/fails.yaml", FAILS, session, state, 1);
      const passes = await attempt("a/passes.yaml", PASSES, session, state, 1);
      assert.equal(passes.result.status, "passed", JSON.stringify(passes.result.error));
      assert.equal(fails.result.rollback.verdict, "restored", JSON.stringify(fails.result));
      const first = await attempt(
        "b/flaky.yaml",
        FLAKY("Ada"),
        simulated,
        state,
        1,
        (run) => checks(state, run),
      );
      const second = await attempt("b/flaky.yaml", FLAKY("Grace"), simulated, state, 2);
      assert.deepEqual([first.result.status, second.result.status], ["failed", "passed"]);

      const reporter = htmlReporter({ output: state, path: file });
      const tried = [fails, passes, first, second];
      for (const event of tried.flatMap(({ events }) => events)) reporter.event(event);
      await reporter.finish({
        files: [
          fileOf("failed", [fails], state),
          fileOf("passed", [passes], state),
          fileOf("flaky", [first, second], state),
        ],
        counts: { passed: 1, failed: 1, flaky: 1, skipped: 0 },
        duration_ms: 4_000,
        began: fails.one.began,
        workers: 1,
        exit: 1,
        interrupted: false,
      });
      const html = readFileSync(file, "utf8");
      holdsNoSecret(html);
      isBlack(html);
      const { code, output } = await clickThrough(file);
      assert.equal(code, 0, output);
    } finally {
      await session.close();
      await simulated.close();
      rmSync(state, { recursive: true, force: true });
    }
  },
});
