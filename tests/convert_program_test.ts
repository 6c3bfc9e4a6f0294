import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { catalogue } from "../src/catalogue.ts";
import { simulate } from "../src/desktop/simulated/simulate.ts";
import { diffRuns } from "../src/engine/journal/run-diff.ts";
import { runProgram } from "../src/engine/run/run.ts";
import { loadFile } from "../src/script/load-file.ts";
import { openSession } from "../src/session/open-session.ts";
import { numbers } from "../src/record/output/_random.ts";
import { arranged } from "../src/record/output/arrange.ts";
import { writeRecording } from "../src/record/output/convert.ts";
import { action, type ActionStep, type RecordedStep, type Recording } from "../src/record/output/model.ts";

const OPTIONS = { file: "recorded", operations: catalogue };
const PASSWORD = "engine№1";
const ROOT = new URL("../", import.meta.url).pathname;

const NAME = 'textfield[name="Name"]';
const MAIL = 'textfield[name="E-mail"]';

/** Steps that the simulated settings take, in an order of their own for each seed; one in three fails in the end. */
function runnable(seed: number): Recording {
  const next = numbers(seed);
  const one = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(next() * list.length)];
    if (found === undefined) throw new Error("nothing to choose from");
    return found;
  };
  const texts = ["Grace", 'O\'Hara "G" `${x}` {{y}}', "Grüße, 世界", "{", "a\\b"];
  const steps: readonly (() => RecordedStep)[] = [
    () => action("set", { target: NAME, value: one(texts) }, { effect: "restorable", confidence: 0.5 }),
    () => action("set", { target: NAME, value: one(texts) }, { effect: "restorable" }),
    () => action("type", { into: MAIL, text: one(texts) }, { effect: "restorable", comment: "the\nmail" }),
    () => action("set", { target: "slider", value: Math.floor(next() * 100) }, { effect: "restorable" }),
    () => action("set", { target: { selector: "spinbutton", app: "sim.settings" }, value: "3" }),
    () => action("click", { target: 'checkbox[name="Play sounds"]' }, { effect: "observed" }),
    () => action("click", { target: 'radio[name="Dark"]' }, { effect: "observed", name: "go dark" }),
    () => action("set", { target: 'combobox[name="Language"]', value: "Français" }, { effect: "restorable" }),
    () => action("assert", { target: NAME, text: { not: "nobody" } }, { soft: true }),
    () => action("wait", { target: NAME, for: "enabled" }),
    () => ({
      kind: "action",
      operation: "set",
      input: { target: NAME, value: 'a `b` ${c} \\ "d" {{vars.text}}{{{{' },
    }),
    () =>
      action("press", { keys: "F5" }, {
        undo: {
          steps: [action("set", { target: NAME, value: "Ada" })],
          guard: { input: { target: NAME, timeout: 0 }, negate: false },
        },
      }),
    () => ({ kind: "savepoint", savepoint: one(["one", "two"]) }),
  ];
  const fails = action("click", { target: 'button[name="Nowhere"]' }, { timeout: 50 });
  return {
    name: `recorded ${seed}`,
    settings: { app: "sim.settings", session: "simulated", timeout: 60_000 },
    vars: { text: { type: "string", default: "v`${1}`" } },
    before: [action("launch", { app: "sim.settings" })],
    steps: [
      ...Array.from({ length: 2 + Math.floor(next() * 8) }, () => one(steps)()),
      ...(seed % 3 === 0 ? [fails] : []),
    ],
    after: [action("quit", { app: "sim.settings", unsaved: "discard" }, { optional: true })],
  };
}

async function runFile(file: string, state: string) {
  const { workflow, program, ...given } = await loadFile(file, { doing: "run", root: state });
  const session = await openSession({
    kind: "simulated",
    simulate: () => simulate({ clock: "virtual" }),
  });
  try {
    const result = await runProgram(workflow, { ...given, session, state }, program);
    const text = JSON.stringify(result);
    assert.ok(!text.includes(PASSWORD), "the secret is in the result");
    return result;
  } finally {
    await session.close();
  }
}

function inFolder(use: (folder: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), "backstep-output-"));
    try {
      await use(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
}

function check(files: readonly string[]): void {
  const args = ["check", "--quiet", "--config", join(ROOT, "deno.json"), ...files];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 120_000 });
  assert.equal(status, 0, stderr);
}

Deno.test(
  "a program compiles, and runs to the same journal as the file of the same steps",
  inFolder(async (folder) => {
    const login = join(folder, "login.ts");
    writeFileSync(login, writeRecording(arranged(SESSION), "ts", OPTIONS));
    const pairs = Array.from({ length: 10 }, (_, index) => {
      const recording = runnable(index + 1);
      const kept = index % 2 === 0 ? recording : arranged(recording);
      return (["yaml", "ts"] as const).map((format) => {
        const path = join(folder, `recorded-${index + 1}.${format}`);
        writeFileSync(path, writeRecording(kept, format, OPTIONS));
        return path;
      });
    });
    // One process for all of them: the compiler takes long to start.
    check([login, ...pairs.flatMap(([, program = ""]) => program)]);
    let failed = 0;
    for (const [yaml = "", program = ""] of pairs) {
      const [first, second] = [await runFile(yaml, folder), await runFile(program, folder)];
      const { same, common, divergence, unopened } = diffRuns(folder, first.run, second.run);
      assert.deepEqual(unopened, []);
      assert.ok(same && common > 3, `${yaml}: ${JSON.stringify(divergence)}`);
      if (first.status === "failed") failed++;
    }
    assert.ok(failed >= 3 && failed < pairs.length, `${failed} of ${pairs.length} fail`);
  }),
);

const LOGIN: readonly ActionStep[] = [
  action("set", { target: 'textfield[name="User"]', value: "ada" }, { effect: "restorable" }),
  {
    kind: "action",
    operation: "set",
    input: { target: "passwordfield", value: "{{secrets.SIM_PASSWORD}}" },
    effect: "restorable",
  },
  action("click", { target: 'button[name="Log in"]' }, { effect: "irreversible" }),
  action("assert", { target: "heading", exists: true }),
  action("assert", { target: "heading", title: { contains: "ada" } }),
  action("click", { target: 'button[name="Log out"]' }, {
    effect: "irreversible",
    confidence: 0.55,
    alternatives: ['button[name="Quit"]'],
  }),
  action("set", { target: 'textfield[name="User"]', value: "ada" }, { effect: "restorable" }),
];

const SESSION: Recording = {
  name: "Log in",
  settings: { app: "sim.login", session: "simulated", secrets: ["SIM_PASSWORD"] },
  vars: {},
  before: [action("launch", { app: "sim.login" })],
  steps: LOGIN,
  after: [action("quit", { app: "sim.login" })],
};

Deno.test("a recorded session is written as a person would write it", () => {
  assert.equal(
    writeRecording(arranged(SESSION), "yaml", OPTIONS),
    `name: Log in
app: sim.login
session: simulated
secrets: [ SIM_PASSWORD ]
vars:
  user: { type: string, default: ada }
before:
  - launch: sim.login
steps:
  - transaction:
      name: log in
      steps:
        - set: { target: 'textfield[name="User"]', value: '{{vars.user}}' }
        - set: { target: passwordfield, value: '{{secrets.SIM_PASSWORD}}' }
        - click: 'button[name="Log in"]'
          irreversible: true
  - assert: { target: heading, exists: true }
  - assert: { target: heading, title: { contains: ada } }
  # Not sure (55 %) that this is what was meant.
  # It may be: button[name="Quit"]
  # Cannot be undone, unless you add: undo: [ { click: 'button[name="…"]' } ]
  - click: 'button[name="Log out"]'
  - set: { target: 'textfield[name="User"]', value: '{{vars.user}}' }
after:
  - quit: sim.login
`,
  );
});

Deno.test(
  "the same session as a program logs in on the simulated desktop, and its secret is nowhere",
  inFolder(async (folder) => {
    const path = join(folder, "login.ts");
    const text = writeRecording(arranged(SESSION), "ts", OPTIONS);
    assert.ok(text.includes('set(t.secret("SIM_PASSWORD"))') && text.includes("set(t.vars.user)"), text);
    writeFileSync(path, text);
    const before = process.env["SIM_PASSWORD"];
    process.env["SIM_PASSWORD"] = PASSWORD;
    try {
      const result = await runFile(path, folder);
      assert.equal(result.status, "passed", result.error?.message);
    } finally {
      if (before === undefined) delete process.env["SIM_PASSWORD"];
      else process.env["SIM_PASSWORD"] = before;
    }
  }),
);
