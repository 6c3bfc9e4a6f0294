import type { Scope } from "../model/scope.ts";
import type { UndoLog } from "../rollback/undo-log.ts";

/** Where a step stands: its file's scope and default application, and the undo log its actions go into. */
export interface Standing {
  readonly scope: Scope;
  readonly app: string | undefined;
  readonly undoLog: UndoLog;
  /** Inside `transaction:` a barrier is refused unless declared. */
  readonly inTransaction: boolean;
  readonly path: string;
  /** What the paths of its file's own steps begin with; undefined in a rollback, whose steps have no numbers. */
  readonly file: string | undefined;
}
