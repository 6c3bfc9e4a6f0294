import type { Participant } from "../../contract/participant.ts";
import type { Observer } from "../evidence/observer.ts";
import type { Journaling } from "../journal/journaling.ts";
import type { Budgeted } from "../model/budgets.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import type { Passed } from "../model/passed.ts";
import type { Reporting } from "../model/reporting.ts";
import type { Unstable } from "../model/unstable.ts";
import type { Masking } from "../secrets/masking.ts";
import type { LeftBySteps } from "./as-left.ts";
import type { AskConflict } from "./conflicts.ts";
import type { Rollbacks } from "./final-reads.ts";
import type { LateImages, UndoEntry } from "./undo-log.ts";

/** What the steps did and may have changed, beside their undo log. */
export interface Actions extends LateImages, LeftBySteps {
  /** Every step that passed and was not rolled back, in order: what a new desktop is replayed with. */
  readonly history: Passed[];
  /** Irreversible actions that may or may not have happened; shared by the parts of a run. */
  readonly doubts: Set<UndoEntry>;
  /** Participants that every action may change: the files that the workflow declares; shared by the parts of a run. */
  readonly always: Participant[];
  /** What the workflow declares, as participants of the desktop that there is now. */
  declare(): Promise<readonly Participant[]>;
  /** What changes by itself. */
  readonly unstable: Unstable;
}

/** How the file, or who runs it, wants it to be rolled back. */
export interface RollbackPolicy {
  readonly way: "restore" | "rebuild";
  /** Whether what somebody else changed is overwritten. */
  readonly conflict: AskConflict;
}

/** What a rollback needs of the run around it. */
export interface RollbackContext
  extends DesktopAccess, Journaling, Masking, Budgeted, Reporting, Actions, Rollbacks, RollbackPolicy {
  /** Sees each rollback, where evidence is kept. */
  readonly observer?: Pick<Observer, "rollback" | "catchUp">;
}
