import { BackstepError } from "../../base/error.ts";
import { FlowStopped, stoppedAt } from "../model/flow-stopped.ts";
import type { OperationStep, Template } from "../model/step.ts";
import { finishFinalRead } from "../rollback/final-reads.ts";
import { isClean } from "../rollback/rollback.ts";
import type { Candidate, Trial } from "./healing.ts";
import type { RunContext } from "./run-context.ts";
import type { Standing } from "./standing.ts";
import { changeOf, type StepChange } from "./step-change.ts";
import { transaction } from "./transaction.ts";

/** Stands for what a trial ends with: it is always rolled back. */
const TRIED = "Cannot keep what a candidate did: it was only tried";

/**
 * Does a step with a candidate, in a transaction that is rolled back whatever comes of it. What cannot be undone is refused
 * there before it happens, as in any transaction: no candidate is believed to be what the author declared `irreversible`.
 */
export async function tryCandidate(
  candidate: Candidate,
  step: OperationStep,
  at: Standing,
  run: RunContext,
): Promise<Trial> {
  const path = `${at.path}.heal`;
  // It is no step of the workflow: it has no result, and neither retries nor heals itself.
  const { observer, memory: _memory, healing: _healing, ...shared } = run;
  await observer?.catchUp();
  const trial: RunContext = {
    ...shared,
    steps: [],
    soft: [],
    rollbacks: [],
    history: [...run.history],
    emit: (event) => {
      if (event.event === "note") run.emit(event);
    },
  };
  const { place, operation, undo, timeout } = step;
  const only: OperationStep = {
    kind: "operation",
    place,
    operation,
    input: replaced(step.input, candidate),
    ...(undo === undefined ? {} : { undo }),
    ...(timeout === undefined ? {} : { timeout }),
  };
  let change: StepChange | undefined;
  let error: BackstepError | undefined;
  const stopped = await stoppedBy(() =>
    transaction({ kind: "transaction", name: "healing", place }, { ...at, path }, trial, async (inner) => {
      try {
        await trial.flow([only], `${path}.`, { ...inner, file: undefined }, trial);
        const entry = inner.undoLog.entries.at(-1);
        change = entry === undefined
          ? { effect: "read", changed: [], opened: false }
          : changeOf(entry, run.mask);
      } catch (thrown) {
        error = stoppedAt(path, thrown).error;
        if (error.code === "cancelled") throw thrown;
      }
      throw new FlowStopped(path, new BackstepError("assertion", TRIED), undefined);
    })
  );
  // The verdict is known once nothing more of it comes.
  const last = await finishFinalRead(trial);
  const remains = stopped.remains === true || (last !== undefined && !isClean(last.verdict));
  if (remains) run.rollbacks.push(...trial.rollbacks);
  if (stopped.error.code === "cancelled") throw stopped;
  const { code, message } = error ?? {};
  return {
    ...(change === undefined ? {} : { change }),
    ...(code === undefined || message === undefined ? {} : { error: { code, message } }),
    remains,
  };
}

async function stoppedBy(action: () => Promise<void>): Promise<FlowStopped> {
  try {
    await action();
  } catch (thrown) {
    return stoppedAt("", thrown);
  }
  throw new BackstepError("internal", "Cannot tell how a trial ended: it was not rolled back");
}

/** An input with the candidate's locator; what else is in it, placeholders of secrets too, stays as it is. */
function replaced(input: Template, { property, to }: Candidate): Template {
  return withEntry(input, property, (target) => withEntry(target, "selector", () => to) ?? to) ?? input;
}

/** A map with another value at a key; undefined: it is no map. */
function withEntry(
  template: Template,
  key: string,
  change: (value: Template) => Template,
): Template | undefined {
  if (template === null || typeof template !== "object" || template.kind !== "map") return undefined;
  const entries = template.entries.map(([own, value]) => [own, own === key ? change(value) : value] as const);
  return { kind: "map", entries };
}
