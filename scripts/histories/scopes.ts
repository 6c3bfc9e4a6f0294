import type { RollbackResult, StepResult } from "../../src/contract/events.ts";
import type { History, Reported } from "./live.ts";

/** One rollback with what it goes back to. */
export interface Scope {
  readonly path: string;
  /** The moment of the savepoint; of a file, where nothing had been done yet or its last barrier was over. */
  readonly start: Reported;
  readonly begun: Reported;
  readonly done: Reported;
  readonly back: RollbackResult;
  /** The savepoint is one of the file's own. */
  readonly toSavepoint: boolean;
}

/** Every rollback of a history, in order, where it ended. */
export function scopesOf({ reported }: History): Scope[] {
  const scopes: Scope[] = [];
  const transactions = new Map<string, Reported>();
  let savepoints: { readonly path: string; readonly name: string; readonly set: Reported }[] = [];
  let begun: Reported | undefined;
  for (const one of reported) {
    const { event } = one;
    if (event.event === "transaction-started") transactions.set(event.path, one);
    if (event.event === "savepoint") savepoints.push({ path: event.path, name: event.name, set: one });
    if (event.event === "rollback-started") begun = one;
    if (event.event !== "rollback-finished" || begun?.event.event !== "rollback-started") continue;
    const { savepoint } = begun.event;
    const start = savepoint !== undefined
      ? savepoints.findLast(({ name }) => name === savepoint)?.set
      : event.path === ""
      ? afterBarrier(reported, event.rollback)
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
    // Those in a transaction go with it; one of the same name around it counts again.
    if (savepoint === undefined) {
      savepoints = savepoints.filter(({ path }) => !path.startsWith(`${event.path}.`));
    }
  }
  return scopes;
}

/** Where a file's rollback ends: behind its last barrier, else at the beginning. */
function afterBarrier(reported: readonly Reported[], { barrier }: RollbackResult): Reported | undefined {
  if (!barrier) return reported.find(({ event }) => event.event === "run-started");
  return reported.findLast(({ event }) =>
    event.event === "step-finished" && event.step.path === barrier.path
  );
}

/** The last result of each step. */
export function stepsOf({ reported }: History): Map<string, StepResult> {
  return new Map(
    reported.flatMap(({ event }) =>
      event.event === "step-finished" ? [[event.step.path, event.step] as const] : []
    ),
  );
}
