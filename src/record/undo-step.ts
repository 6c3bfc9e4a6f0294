import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { RollbackResult } from "../contract/events.ts";
import type { Operation } from "../contract/operation.ts";
import type { Undo } from "../engine/model/step.ts";
import { rollBackSteps } from "../engine/run/roll-back-steps.ts";
import type { Program } from "../engine/run/program.ts";
import { runProgram } from "../engine/run/run.ts";
import { type UndoEntry, UndoLog } from "../engine/rollback/undo-log.ts";
import type { Session } from "../session/session.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import type { ActionStep } from "./output/model.ts";
import { writeYaml } from "./output/write-yaml.ts";

/** What undoing takes beside the step. */
export interface UndoStepOptions {
  readonly session: Session;
  readonly operations: readonly Operation[];
  /** The application that the step is about where it names none. */
  readonly app?: string;
  /** Default: the state folder. */
  readonly state?: string;
}

/**
 * Rolls a recorded step back with the engine, as a step of a run whose `undo:` is declared: only while its guard holds,
 * journalled, and read back. Answers why it is not undone; undefined: it is.
 */
export async function undoStep(step: ActionStep, options: UndoStepOptions): Promise<string | undefined> {
  const { session, operations, app, state } = options;
  const file = "recorded step";
  const settings = app === undefined || app === "" ? {} : { app };
  const text = writeYaml(
    { name: file, settings, vars: {}, before: [], steps: [step], after: [] },
    operations,
  );
  const workflow = parseWorkflow(text, { file, operations });
  const [only] = workflow.steps;
  if (only?.kind !== "operation" || only.undo === undefined) {
    throw new BackstepError("internal", `Cannot undo a recorded ${step.operation}: it says no undo`);
  }
  const { undo, operation } = only;
  let back: RollbackResult | undefined;
  const program: Program = {
    plan: () => Promise.resolve(undefined),
    async run(part, at, run) {
      if (part !== "steps") return;
      const log = new UndoLog(run.history.length, undefined, "");
      log.entries.push(entryOf(operation, undo, at));
      back = await rollBackSteps(log, "", { toBarrier: false, savepoint: file }, run);
    },
  };
  const result = await runProgram({ ...workflow, steps: [] }, {
    operations,
    session,
    vars: {},
    surroundings: { env: () => undefined, secret: () => undefined },
    folder: "/",
    onInterference: "ignore",
    ...defined({ state }),
  }, program);
  if (back === undefined) return result.error?.message ?? "the rollback did not run";
  const [own] = back.steps;
  if (own?.verdict === "compensated") return undefined;
  return own?.reason ?? `the rollback ended in ${back.verdict}`;
}

/** A step that somebody else did, as the engine's own undo log has it. */
function entryOf(
  operation: string,
  declared: Undo,
  { scope, app }: {
    readonly scope: NonNullable<UndoEntry["undo"]>["scope"];
    readonly app: string | undefined;
  },
): UndoEntry {
  return {
    path: "1",
    name: operation,
    operation,
    effect: "compensable",
    beforeImages: [],
    undo: { declared, scope, app, before: undefined, left: undefined },
    inverse: undefined,
    barrier: false,
    passable: false,
    history: 0,
    intent: 0,
    opened: undefined,
    outcome: "done",
  };
}
