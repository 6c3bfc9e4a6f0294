import type { Ledger } from "./ledger.ts";
import { Patience } from "./patience.ts";
import type { RunContext } from "./run-context.ts";
import { settled } from "./settle.ts";

/** How long the desktop must be quiet before it is looked at what was changed late, in milliseconds. */
const QUIET = 100;

/**
 * Reads once more, before anything is taken back, what deeds may have changed after their answers: a file that was being
 * saved is the deed's own doing.
 */
export async function seeLate(ledger: Ledger, run: RunContext): Promise<void> {
  const due = ledger.entries.flatMap(({ enrolments }) => enrolments)
    .filter((one) => one.participant.late && run.late.get(one.participant.key) === one);
  if (due.length === 0) return;
  const { desktop } = run.session;
  const patience = new Patience(run.deadline);
  for (const enrolment of due) {
    try {
      await settled(desktop, QUIET, run.deadline);
      enrolment.after = await patience.with((call) => enrolment.participant.capture(desktop, call));
    } catch {
      // The way back looks again, and says what it could not read.
    }
  }
}
