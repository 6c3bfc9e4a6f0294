import type { RollbackResult, StepResult } from "../../src/contract/events.ts";
import type { History, Told } from "./live.ts";

/** One way back with what it goes back to. */
export interface Scope {
  readonly path: string;
  /** The moment of the savepoint; of a file, where nothing had been done yet or its last barrier was over. */
  readonly start: Told;
  readonly begun: Told;
  readonly done: Told;
  readonly back: RollbackResult;
  /** The savepoint is one of the file's own. */
  readonly toSavepoint: boolean;
}

/** Every way back of a history, in order, where it ended. */
export function scopesOf({ told }: History): Scope[] {
  const scopes: Scope[] = [];
  const transactions = new Map<string, Told>();
  const savepoints = new Map<string, Told>();
  let begun: Told | undefined;
  for (const one of told) {
    const { event } = one;
    if (event.event === "transaction-started") transactions.set(event.path, one);
    if (event.event === "savepoint") savepoints.set(event.name, one);
    if (event.event === "rollback-started") begun = one;
    if (event.event !== "rollback-finished" || begun?.event.event !== "rollback-started") continue;
    const { savepoint } = begun.event;
    const start = savepoint !== undefined
      ? savepoints.get(savepoint)
      : event.path === ""
      ? afterBarrier(told, event.rollback)
      : transactions.get(event.path);
    if (start) {
      scopes.push({
        path: event.path,
        start,
        begun,
        done: one,
        back: event.rollback,
        toSavepoint: savepoint !== undefined,
      });
    }
  }
  return scopes;
}

/** Where a file's way back ends: behind its last barrier, else at the beginning. */
function afterBarrier(told: readonly Told[], { barrier }: RollbackResult): Told | undefined {
  if (!barrier) return told.find(({ event }) => event.event === "run-started");
  return told.findLast(({ event }) => event.event === "step-finished" && event.step.path === barrier.path);
}

/** The last result of each step. */
export function stepsOf({ told }: History): Map<string, StepResult> {
  return new Map(
    told.flatMap(({ event }) =>
      event.event === "step-finished" ? [[event.step.path, event.step] as const] : []
    ),
  );
}
