import { type BackstepError, type ErrorJson, toBackstepError } from "../../base/error.ts";
import type { RunResult } from "../../contract/events.ts";
import type { Workflow } from "../model/step.ts";
import { finishFinalRead } from "../rollback/final-reads.ts";
import { asExpected, exitCode, merged } from "../rollback/outcomes.ts";
import type { OpenRun } from "./open-run.ts";
import { reasonOf } from "./rejection.ts";
import type { RunContext } from "./run-context.ts";
import type { RunOptions } from "./run-options.ts";

/** How the steps of a run finished, and when they began. */
interface Finished {
  readonly error: BackstepError | undefined;
  /** By `performance.now`. */
  readonly started: number;
}

/** Takes the last look of its rollback, keeps its evidence, writes the last line and tells the result. */
export async function endRun(
  workflow: Workflow,
  options: RunOptions,
  opened: OpenRun,
  finished: Finished,
): Promise<RunResult> {
  const { context } = opened;
  const always = options.evidence === "on";
  // What is encrypted in any case is encrypted while the last look of the rollback waits for its time.
  await Promise.all([finishFinalRead(context), always ? keepEvidence(opened) : undefined]);
  const result = resultOf(workflow, context, finished);
  context.healing?.finished(result.status === "passed", context.mask);
  const meant = result.expected ?? result.status === "passed";
  if (!always) await (meant ? context.observer?.discard() : keepEvidence(opened));
  // An interrupt during the rollback leaves the journal open: `recover` finishes what is written there.
  if (!options.hardStop?.aborted) {
    const { status, exit, rollback: { verdict } } = result;
    context.journal.write({ kind: "end", status, exit, rollback: verdict });
  }
  context.emit({ event: "run-finished", result });
  return result;
}

function resultOf(workflow: Workflow, context: RunContext, { error, started }: Finished): RunResult {
  const { run, session, mask, steps, rollbacks, doubts, unstable, finalReads, guard } = context;
  const status = !error ? "passed" : error.code === "cancelled" ? "cancelled" : "failed";
  const rollback = merged(rollbacks);
  const reason = error && reasonOf(error.toJSON());
  return {
    run,
    workflow: workflow.name,
    desktop: { kind: session.kind, label: session.label },
    status,
    exit: exitCode(status, rollback.verdict, doubts.size > 0),
    duration_ms: Math.round(performance.now() - started),
    steps,
    rollback,
    unstable: unstable.labels.map((label) => mask.text(label)),
    ...(finalReads.changed.length > 0 ? { changed_afterwards: finalReads.changed } : {}),
    ...(guard?.result ? { interference: guard.result } : {}),
    ...(error ? { error: mask.apply<ErrorJson>(error.toJSON()) } : {}),
    ...(reason === undefined ? {} : { rejected: mask.text(reason) }),
    ...(workflow.expect
      ? {
        expected: asExpected(workflow.expect, reason === undefined ? status : "rejected", rollback.verdict),
      }
      : {}),
  };
}

/** A full disk is no reason for a run to end otherwise than it did: it is said. */
async function keepEvidence({ context: { observer, journal, emit } }: OpenRun): Promise<void> {
  try {
    await observer?.keep(journal);
  } catch (thrown) {
    const { message } = toBackstepError(thrown);
    emit({ event: "note", level: "warning", message: `The evidence of the run is not kept: ${message}` });
  }
}
