import type { LateImages, UndoLog } from "./undo-log.ts";
import { Patience } from "./patience.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import { settled } from "../model/settle.ts";

/** How long the desktop must be quiet before it is looked at what was changed late, in milliseconds. */
const QUIET = 100;

/**
 * Reads once more, before anything is rolled back, what actions may have changed after their answers: a file that was being
 * saved is the action's own doing.
 */
export async function seeLate(undoLog: UndoLog, run: DesktopAccess & LateImages): Promise<void> {
  const due = undoLog.entries.flatMap(({ beforeImages: images }) => images)
    .filter((one) => one.participant.late && run.late.get(one.participant.key) === one);
  if (due.length === 0) return;
  const { desktop } = run.session;
  const patience = new Patience(run.deadline);
  try {
    await settled(desktop, QUIET, run.deadline);
  } catch {
    // Called off, or the desktop is gone: the rollback looks again, and says what it could not read.
    return;
  }
  for (const image of due) {
    try {
      image.after = await patience.with((call) => image.participant.capture(desktop, call));
    } catch {
      // The rollback looks again, and says what it could not read.
    }
  }
}
