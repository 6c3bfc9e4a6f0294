import { Deadline } from "../../base/call.ts";
import { type BackstepError, toBackstepError } from "../../base/error.ts";
import { bindVariables } from "../model/bind.ts";
import { holds } from "../model/condition.ts";
import { endsRun } from "./interference.ts";
import { UndoLog } from "../rollback/undo-log.ts";
import { forEach, repeat } from "./loops.ts";
import { perform } from "./perform.ts";
import type { Standing } from "./standing.ts";
import { decide } from "./decisions.ts";
import type { Program } from "./program.ts";
import type { RunContext } from "./run-context.ts";
import { FlowStopped, stoppedAt } from "../model/flow-stopped.ts";
import { composed, undoReported } from "./composed.ts";
import { rejection } from "./rejection.ts";
import { rollBackSteps } from "./roll-back-steps.ts";
import { transaction } from "./transaction.ts";
import { rollBackTo, setSavepoint } from "./savepoint.ts";
import { Scope } from "../model/scope.ts";
import type { IfStep, RunStep, Step } from "../model/step.ts";
import { fill } from "../model/fill.ts";

/** Runs steps one after another. Paths are `<prefix><n>`, n from 1. */
export async function flow(
  steps: readonly Step[],
  prefix: string,
  at: Omit<Standing, "path">,
  run: RunContext,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    await runStep(step, { ...at, path: `${prefix}${index + 1}` }, run);
  }
}

/** Runs one step of any kind. Throws `FlowStopped` when the flow must not go on. */
export async function runStep(step: Step, at: Standing, run: RunContext): Promise<void> {
  // In a rollback no step has a file: nobody goes back into one.
  if (at.file !== undefined) await run.guide?.before(step, at);
  let wanted: boolean;
  try {
    const { if: condition } = step;
    wanted = !condition || await decide(at.path, "if", run, () => holds(condition, at.scope, run, at.app));
  } catch (thrown) {
    const stopped = failed(step, at, run, toBackstepError(thrown));
    if (!forgiven(step, stopped)) throw stopped;
    return;
  }
  if (!wanted) return void tell(step, at, run, "skipped");
  if (step.kind === "operation") return void await perform(step, at, run);
  const limited = step.timeout === undefined ? run : { ...run, deadline: run.deadline.within(step.timeout) };
  try {
    await structure(step, at, limited);
  } catch (thrown) {
    const stopped = thrown instanceof FlowStopped ? thrown : failed(step, at, run, toBackstepError(thrown));
    if (!forgiven(step, stopped)) throw stopped;
    const message = `${at.path} is optional and failed: ${stopped.error.message}`;
    run.emit({ event: "note", level: "warning", message });
    await stopped.finish();
  }
}

/** `optional:` makes up for a failure; not for an interrupt, for what a step inside asked for, or for what is left. */
function forgiven(step: Step, stopped: FlowStopped): boolean {
  return step.optional === true && !endsRun(stopped.error) && stopped.policy === undefined &&
    !stopped.remains;
}

/** The failure of a step of its own, not of one inside of it. */
function failed(step: Step, at: Standing, run: RunContext, error: BackstepError): FlowStopped {
  // A rollback to a savepoint that did not get there leaves something.
  const remains = step.kind === "rollback_to" && error.code === "drift";
  const lenient = step.optional === true && !endsRun(error) && !remains;
  tell(step, at, run, lenient ? "skipped" : "failed", error);
  const stopped = new FlowStopped(at.path, error, undefined);
  stopped.remains = remains;
  return stopped;
}

function tell(
  step: Step,
  at: Standing,
  run: RunContext,
  status: "passed" | "skipped" | "failed",
  error?: BackstepError,
) {
  const operation = step.kind === "operation" ? step.operation : step.kind;
  const result = run.mask.apply({
    path: at.path,
    name: step.name ?? step.id ?? ("savepoint" in step ? `${operation} ${step.savepoint}` : operation),
    operation,
    effect: "read" as const,
    status,
    duration_ms: 0,
    ...(error ? { error: error.toJSON() } : {}),
  });
  run.steps.push(result);
  run.emit({ event: "step-finished", step: result });
}

async function structure(
  step: Exclude<Step, { kind: "operation" }>,
  at: Standing,
  run: RunContext,
): Promise<void> {
  switch (step.kind) {
    case "transaction":
      if (step.composed) return await composed(step, step.composed, at, run);
      return await transaction(step, at, run, (inner) => flow(step.steps, `${at.path}.`, inner, run));
    case "undo":
      return await undoReported(step, at, run);
    case "savepoint":
      await setSavepoint(step, at, run);
      return tell(step, at, run, "passed");
    case "rollback_to":
      await rollBackTo(step, at, async (since, tree) => {
        const existing = run.memory?.rollbackTo(at.path);
        if (existing) return existing;
        const scope = { toBarrier: false, savepoint: step.savepoint, tree };
        const back = await rollBackSteps(since, at.path, scope, run);
        run.guide?.rolledBackTo(at.path, back);
        return back;
      });
      return tell(step, at, run, "passed");
    case "reject":
      throw rejection(step, at);
    case "if":
      return await branch(step, at, run);
    case "repeat":
      return await repeat(step, at, run);
    case "for_each":
      return await forEach(step, at, run);
    case "run":
      return await nested(step, at, run);
  }
}

async function branch(step: IfStep, at: Standing, run: RunContext): Promise<void> {
  const yes = await decide(at.path, "branch", run, () => holds(step.condition, at.scope, run, at.app));
  await flow(yes ? step.then : step.else, `${at.path}.${yes ? "then" : "else"}.`, at, run);
}

/** Another file's steps, as part of this run: its failures and its undo are this one's. */
async function nested(step: RunStep, at: Standing, run: RunContext): Promise<void> {
  const { workflow } = step;
  const vars = bindVariables(workflow, fill(step.with, at.scope), step.place);
  const inner = {
    ...at,
    scope: new Scope(vars, run.surroundings),
    app: workflow.app ?? at.app,
    file: `${at.path}.`,
  };
  const prefix = `${at.path}.after.`;
  try {
    await flow(workflow.before, `${at.path}.before.`, inner, run);
    await flow(workflow.steps, `${at.path}.`, inner, run);
  } catch (thrown) {
    const stopped = stoppedAt(at.path, thrown);
    // It may close what the rollback needs, so it comes after that.
    stopped.afterwards.push(async () => {
      await afterwards(workflow.after, prefix, inner, run);
    });
    throw stopped;
  }
  await flow(workflow.after, prefix, inner, run);
}

/** `after:` of a file: every step is tried, with a budget of its own. Answers the first error. */
export async function afterwards(
  steps: readonly Step[],
  prefix: string,
  at: Omit<Standing, "path">,
  run: RunContext,
  program?: Program,
): Promise<BackstepError | undefined> {
  const deadline = Deadline.after(run.budgets.after, run.hardStop);
  const standing = { ...at, undoLog: new UndoLog(), inTransaction: false };
  let first: BackstepError | undefined;
  try {
    await program?.run("after", standing, { ...run, deadline, asLeft: undefined, ending: true });
  } catch (thrown) {
    first = stoppedAt(prefix, thrown).error;
  }
  for (const [index, step] of steps.entries()) {
    try {
      await runStep(step, { ...standing, path: `${prefix}${index + 1}` }, {
        ...run,
        deadline,
        guard: undefined,
        asLeft: undefined,
        ending: true,
      });
    } catch (thrown) {
      const stopped = stoppedAt(prefix, thrown);
      first ??= stopped.error;
      await stopped.finish();
    }
  }
  return first;
}
