import type { RollbackResult } from "../../contract/events.ts";
import { rollBackLog, type RollbackScope } from "../rollback/roll-back.ts";
import { UndoLog } from "../rollback/undo-log.ts";
import type { RunContext } from "./run-context.ts";

/** Rolls back what steps did, as a part of their run: the steps of an `undo:` run like others, but for what watches those. */
export async function rollBackSteps(
  undoLog: UndoLog,
  path: string,
  scope: RollbackScope,
  run: RunContext,
): Promise<RollbackResult> {
  return await rollBackLog(undoLog, path, scope, run, async ({ declared, scope, app }, prefix, deadline) => {
    const at = { scope, app, undoLog: new UndoLog(), inTransaction: false, file: undefined };
    // Who waits for a person during a rollback leaves half of it undone: what they change is a conflict, and named.
    await run.flow(declared.steps, prefix, at, { ...run, deadline, guard: undefined, asLeft: undefined });
  });
}
