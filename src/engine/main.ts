import type { BackstepError } from "../base/error.ts";
import { pictureFor } from "./changing.ts";
import { flow, runStep } from "./flow.ts";
import { endsRun } from "./interference.ts";
import { Ledger } from "./ledger.ts";
import type { Standing } from "./perform.ts";
import type { Picture } from "./picture.ts";
import { type AcceptedPlan, mustBe, planProgram } from "./plan.ts";
import type { Program } from "./program.ts";
import { stopsAt } from "./rollback.ts";
import { type RunContext, stoppedAt } from "./run-context.ts";
import type { RunOptions } from "./run-options.ts";
import type { Workflow } from "./step.ts";
import { takeBack } from "./take-back.ts";

/** `before` and `steps`; on failure the way back that the file asks for. Answers the error, if any. */
export async function main(
  workflow: Workflow,
  around: Omit<Standing, "path">,
  run: RunContext,
  options: RunOptions,
  program: Program | undefined,
): Promise<BackstepError | undefined> {
  const { plan } = options;
  try {
    if (plan && !plan.prepared) await asPlanned(plan, workflow, options, program);
    // What `before:` sets up is undone by `after:`; it is no part of what a failure takes back.
    const preparing = { ...around, ledger: new Ledger() };
    await flow(workflow.before, "before.", preparing, run);
    await program?.run("before", preparing, run);
    if (plan?.prepared) await asPlanned(plan, workflow, options, program);
  } catch (thrown) {
    const stopped = stoppedAt("before", thrown);
    await stopped.finish();
    return stopped.error;
  }
  const at = { ...around, ledger: new Ledger(run.history.length, undefined, "") };
  // Only where the desktop may be replaced is it compared, element by element, with how it was here.
  const picture = run.way === "rebuild" ? await pictureFor(run, at.app, run.budgets.settle) : undefined;
  try {
    if (workflow.onFailure === "continue") return await allSteps(workflow, at, run);
    await flow(workflow.steps, "", at, run);
    await program?.run("steps", at, run);
    return undefined;
  } catch (thrown) {
    const stopped = stoppedAt("", thrown);
    if ((stopped.policy ?? workflow.onFailure) === "rollback") {
      await toBarrier(at.ledger, stopped.error, picture, run);
    }
    await stopped.finish();
    return stopped.error;
  }
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

/** The way back of a file: to its last irreversible step, which is named. */
async function toBarrier(
  ledger: Ledger,
  error: BackstepError,
  start: Picture | undefined,
  run: RunContext,
): Promise<void> {
  if (ledger.entries.length === 0) return;
  const barrier = ledger.entries.findLast(stopsAt);
  if (barrier) {
    const message = `The way back ends after step ${barrier.path} (${barrier.name}): it is irreversible.`;
    run.emit({ event: "note", level: "warning", message });
  }
  // How it looked after a barrier was not kept.
  const picture = barrier ? undefined : start;
  await takeBack(ledger, "", { toBarrier: true, reason: error, picture }, run, flow);
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
