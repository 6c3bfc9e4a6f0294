import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { actionsIn } from "../scripts/action-names/measure.ts";
import { missingFor, Stage, type ToolkitName } from "../scripts/action-names/stage.ts";
import type { Json } from "../src/base/error.ts";
import { catalogue } from "../src/catalogue.ts";
import type { RunResult } from "../src/contract/events.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A step as workflow files have it. */
export type Step = { readonly [verb: string]: Json };

/** Fails on purpose, at once. */
export const FAILS: Step = { assert: { target: '[id="nothing has this id"]', exists: true, timeout: 0 } };

/** A test on a fixture of a toolkit; ignored, and said so, where it is not installed. */
export function onToolkit(
  toolkit: ToolkitName,
  what: string,
  test: (stage: Stage, t: Deno.TestContext) => Promise<void>,
  args: readonly string[] = [],
): void {
  const missing = missingFor(toolkit);
  const name = `${what}: ${toolkit}${missing === undefined ? "" : `: not run, ${missing} is not installed`}`;
  Deno.test({ name, ignore: missing !== undefined }, async (t) => {
    await using stage = await Stage.open(toolkit, args);
    await stage.reset();
    await test(stage, t);
  });
}

/** Runs steps through the engine, as a workflow file would. */
export function perform(stage: Stage, steps: readonly Step[]): Promise<RunResult> {
  const file = JSON.stringify({
    name: "truth",
    app: stage.application.name,
    on_failure: "stop",
    timeout: "60s",
    steps,
  });
  return runWorkflow(parseWorkflow(file, { file: "truth.yaml", operations: catalogue }), {
    operations: catalogue,
    session: stage.session,
    vars: {},
    surroundings: { env: () => undefined, secret: () => undefined },
    folder: root,
    state: stage.folder,
  });
}

/** Runs steps, and resolves with the result and what the application wrote meanwhile, but for the focus. */
export async function judged(
  stage: Stage,
  steps: readonly Step[],
): Promise<{ readonly result: RunResult; readonly actions: string[]; readonly reported: string }> {
  let result: RunResult | undefined;
  const lines = await stage.during(async () => {
    result = await perform(stage, steps);
  });
  assert.ok(result);
  const { error, rollback } = result;
  const outputs = result.steps.map(({ output }) => output ?? null);
  const reported = JSON.stringify({ error, rollback, outputs, lines }, null, 1).slice(0, 6_000);
  return { result, actions: actionsIn(lines), reported };
}

/** The steps in a transaction that fails and is rolled back. */
export const rolledBackSteps = (...steps: readonly Step[]): Step[] => [{
  transaction: { name: "rolled back", steps: [...steps, FAILS] },
}];
