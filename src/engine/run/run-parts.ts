import { Deadline } from "../../base/call.ts";
import type { BackstepError } from "../../base/error.ts";
import { stoppedAt } from "../model/flow-stopped.ts";
import type { Workflow } from "../model/step.ts";
import type { TreeSnapshot } from "../model/tree-snapshot.ts";
import { treeSnapshotFor } from "../model/unstable.ts";
import { type AcceptedPlan, mustBe, planProgram } from "../plan/plan.ts";
import { stillAsLeft } from "../rollback/as-left.ts";
import { noteGoneLate } from "../rollback/gone.ts";
import { stillRolledBack } from "../rollback/final-reads.ts";
import { releaseInput } from "../rollback/release.ts";
import { stopsAt } from "../rollback/rollback.ts";
import { UndoLog } from "../rollback/undo-log.ts";
import { afterwards, runStep } from "./flow.ts";
import { endsRun } from "./interference.ts";
import type { OpenRun } from "./open-run.ts";
import type { Program } from "./program.ts";
import { rollBackSteps } from "./roll-back-steps.ts";
import type { RunContext } from "./run-context.ts";
import type { RunOptions } from "./run-options.ts";
import { softFailure } from "./soft-failure.ts";
import type { Standing } from "./standing.ts";

/** All parts of a file: `before`, `steps` and, whatever became of those, `after`. Answers the error, if any. */
export async function runParts(
  workflow: Workflow,
  options: RunOptions,
  { context, at }: Pick<OpenRun, "context" | "at">,
  program: Program | undefined,
): Promise<BackstepError | undefined> {
  const failure = await setUp(workflow, at, context, options, program) ??
    await steps(workflow, at, context, program);
  if (failure?.code === "cancelled") await releaseInput(context);
  const afterFailure = await afterwards(workflow.after, "after.", at, context, program);
  return failure ?? afterFailure ?? softFailure(context);
}

/** `before`, and the plan that was accepted. What `before` sets up is undone by `after`; a failure does not roll it back. */
async function setUp(
  workflow: Workflow,
  around: Omit<Standing, "path">,
  run: RunContext,
  options: RunOptions,
  program: Program | undefined,
): Promise<BackstepError | undefined> {
  const { plan } = options;
  try {
    if (plan && !plan.prepared) await asPlanned(plan, workflow, options, program);
    const preparing = { ...around, undoLog: new UndoLog() };
    await run.flow(workflow.before, "before.", preparing, run);
    await program?.run("before", preparing, run);
    if (plan?.prepared) await asPlanned(plan, workflow, options, program);
    return undefined;
  } catch (thrown) {
    const stopped = stoppedAt("before", thrown);
    await stopped.finish();
    return stopped.error;
  }
}

/** `steps`; on failure the rollback that the file asks for. */
async function steps(
  workflow: Workflow,
  around: Omit<Standing, "path">,
  run: RunContext,
  program: Program | undefined,
): Promise<BackstepError | undefined> {
  const at = { ...around, undoLog: new UndoLog(run.history.length, undefined, "") };
  // Only where the desktop may be replaced is it compared, element by element, with how it was here.
  const tree = run.way === "rebuild" ? await treeSnapshotFor(run, at.app, run.budgets.settle) : undefined;
  try {
    if (workflow.onFailure === "continue") {
      const error = await allSteps(workflow, at, run);
      await stillAsLeft(run);
      await noteGoneAtTheEnd(at, run);
      return error;
    }
    await run.flow(workflow.steps, "", at, run);
    await program?.run("steps", at, run);
    await stillRolledBack(run);
    const soft = softFailure(run);
    if (soft) throw soft;
    await stillAsLeft(run);
    await noteGoneAtTheEnd(at, run);
    return undefined;
  } catch (thrown) {
    const stopped = stoppedAt("", thrown);
    if ((stopped.policy ?? workflow.onFailure) === "rollback") {
      await toBarrier(at.undoLog, stopped.error, tree, run);
    } else await noteGoneAtTheEnd(at, run);
    await stopped.finish();
    return stopped.error;
  }
}

/** What its last step closed, for whoever undoes the run later: by then anybody may have closed it. */
async function noteGoneAtTheEnd({ undoLog }: Pick<Standing, "undoLog">, run: RunContext): Promise<void> {
  await noteGoneLate(undoLog, run, Deadline.after(run.budgets.settle, run.hardStop), { wait: true });
}

/** Throws `drift` unless what is planned now is what was accepted. */
async function asPlanned(
  accepted: AcceptedPlan,
  workflow: Workflow,
  options: RunOptions,
  program: Program | undefined,
): Promise<void> {
  const { prepared } = accepted;
  mustBe(accepted, await planProgram(workflow, { ...options, ...(prepared ? { prepared } : {}) }, program));
}

/** The undo of a file: to its last irreversible step, which is named. */
async function toBarrier(
  undoLog: UndoLog,
  error: BackstepError,
  start: TreeSnapshot | undefined,
  run: RunContext,
): Promise<void> {
  if (undoLog.entries.length === 0) return;
  const barrier = undoLog.entries.findLast(stopsAt);
  if (barrier) {
    const message = `The rollback ends after step ${barrier.path} (${barrier.name}): it is irreversible.`;
    run.emit({ event: "note", level: "warning", message });
  }
  // How it looked after a barrier was not kept.
  const tree = barrier ? undefined : start;
  await rollBackSteps(undoLog, "", { toBarrier: true, reason: error, tree, ends: true }, run);
}

/** `on_failure: continue`: every step is tried; the first error is the run's. */
async function allSteps(
  workflow: Workflow,
  at: Omit<Standing, "path">,
  run: RunContext,
): Promise<BackstepError | undefined> {
  let first: BackstepError | undefined;
  for (const [index, step] of workflow.steps.entries()) {
    const path = String(index + 1);
    try {
      await runStep(step, { ...at, path }, run);
    } catch (thrown) {
      const stopped = stoppedAt(path, thrown);
      first ??= stopped.error;
      if (endsRun(stopped.error) || stopped.policy) throw stopped;
      await stopped.finish();
    }
  }
  return first;
}
