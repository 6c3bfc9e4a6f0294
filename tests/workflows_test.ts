import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { catalogue } from "../src/catalogue.ts";
import { READS } from "../src/contract/effect.ts";
import type { RunResult } from "../src/contract/events.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { readSelector, strategies } from "../src/desktop/selector/mod.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import type { OperationStep } from "../src/engine/model/step.ts";
import { openSession } from "../src/session/open-session.ts";
import { loadWorkflow } from "../src/workflow/load.ts";
import { resolveVariables } from "../src/workflow/values.ts";
import { applicationFor } from "../src/operations/application.ts";
import { comparable, fieldsThatDiffer, recordedResult } from "./_results.ts";
import { type Picture, quietPicture } from "./pictures.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "workflows");
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml")).sort();
const environment = (name: string) => process.env[name];

/** Pictures of the application around the steps, taken without the engine's participants. */
function probe(into: Picture[]) {
  const operation = defineOperation({
    name: "probe",
    title: "Take a picture",
    description: "Notes what the application shows once nothing changes any more.",
    input: z.strictObject({}),
    output: z.strictObject({ elements: z.int() }),
    hints: READS,
    timeout: 30_000,
    resolve: () => Promise.resolve(undefined),
    effect: () => "read",
    async act(context) {
      const application = await applicationFor(context, undefined);
      const picture = await quietPicture(context.desktop, application, context.deadline);
      into.push(picture);
      return { elements: picture.size };
    },
  });
  const step: OperationStep = {
    kind: "operation",
    operation: operation.name,
    input: { kind: "map", entries: [] },
    place: { file: "workflows_test.ts", line: 1, column: 1 },
  };
  return { operation, step };
}

/** What the workflow itself reported: without the looks of this test, which stand at its ends. */
function withoutProbes(result: RunResult): RunResult {
  const probed = result.steps.some(({ operation }) => operation === "probe");
  const steps = result.steps.filter(({ operation }) => operation !== "probe").map((step) =>
    probed && step.path === "after.2" ? { ...step, path: "after.1" } : step
  );
  return { ...result, steps };
}

/** Programs of workflows that are no part of a usual desktop, and the package each comes from. */
const PROGRAMS: readonly (readonly [start: string, program: string, from: string])[] = [
  ["qt-", "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/gallery/gallery", "qtbase5-examples"],
  ["qt6-", "/usr/bin/qt6ct", "qt6ct"],
];

/** What the forms verify on X11, for docs/reference/toolkits.md. */
const CLAIMS = [
  { claim: "gtk3/x11-form", method: "form.yaml" },
  { claim: "gtk3/x11-rollback", method: "form-rollback.yaml" },
  { claim: "gtk4/x11-form", method: "gtk4-form.yaml" },
  { claim: "gtk4/x11-rollback", method: "gtk4-form-rollback.yaml" },
  { claim: "qt5/x11-form", method: "qt-form.yaml" },
  { claim: "qt5/x11-rollback", method: "qt-form-rollback.yaml" },
  { claim: "qt6/x11-form", method: "qt6-form.yaml" },
  { claim: "qt6/x11-rollback", method: "qt6-form-rollback.yaml" },
  { claim: "chromium/x11-form", method: "browser-form.yaml" },
  { claim: "chromium/x11-rollback", method: "browser-form-rollback.yaml" },
];

Deno.test("each form that is claimed to work on X11 is among the workflows", () => {
  assert.deepEqual(CLAIMS.filter(({ method }) => !files.includes(method)), []);
});

for (const name of files) {
  const [, program, from] = PROGRAMS.find(([start]) => name.startsWith(start)) ?? [];
  const ignore = program !== undefined && !existsSync(program);
  const title = `workflows/${name} ends as it says${ignore ? `: not run, ${from} is not installed` : ""}`;
  Deno.test({ name: title, ignore }, async () => {
    const file = join(folder, name);
    const pictures: Picture[] = [];
    const { operation, step } = probe(pictures);
    const loaded = loadWorkflow(file, {
      operations: catalogue,
      root,
      checkSelector: (text, strategy) => {
        readSelector(text, strategies.find((one) => one === strategy));
      },
    });
    const rolledBack = name.endsWith("-rollback.yaml");
    const workflow = rolledBack
      ? { ...loaded, before: [...loaded.before, step], after: [step, ...loaded.after] }
      : loaded;
    const state = mkdtempSync(join(tmpdir(), "bs-state-"));
    let unseen = false;
    const session = await openSession({ kind: "isolated", state });
    try {
      const result = await runWorkflow(workflow, {
        operations: [...catalogue, operation],
        session,
        vars: resolveVariables(workflow, { vars: {} }),
        surroundings: { env: environment, secret: environment },
        folder: root,
        state,
        listener(event) {
          // A busy machine has no time to look at everything, and says so.
          if (event.event === "note" && event.message.startsWith("What else differs")) unseen = true;
        },
      });
      const reported = JSON.stringify({ error: result.error, rollback: result.rollback }, null, 1).slice(
        0,
        4_000,
      );
      assert.equal(result.expected ?? result.status === "passed", true, reported);
      const fields = fieldsThatDiffer(recordedResult(name), comparable(withoutProbes(result)))
        .filter((field) => !(unseen && field.startsWith("rollback.beside")));
      assert.deepEqual(fields, []);
      assert.equal(result.exit, rolledBack ? 1 : 0, reported);
      if (!rolledBack) return;
      assert.equal(result.rollback.verdict, "restored", reported);
      const [before, after] = pictures;
      assert.ok(before !== undefined && after !== undefined, "two pictures were taken");
      assert.ok(before.size > 10, `only ${before.size} elements bear anything that could be compared`);
      assert.deepEqual(Object.fromEntries(after), Object.fromEntries(before));
    } finally {
      await session.close();
      rmSync(state, { recursive: true, force: true });
    }
  });
}
