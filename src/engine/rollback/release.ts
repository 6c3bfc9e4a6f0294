import { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import type { Reporting } from "../model/reporting.ts";

/** Milliseconds for letting go of keys and buttons. */
const RELEASE = 2_000;

/** Lets go of every key and button that our own input holds: what was cut off in the middle may hold one. */
export async function releaseInput(
  { session: { desktop }, emit }: Pick<DesktopAccess, "session"> & Reporting,
): Promise<void> {
  if (!desktop.capabilities.input) return;
  try {
    // Not even the second interrupt is a reason to leave a key held.
    await desktop.releaseInput(Deadline.after(RELEASE).call());
  } catch (thrown) {
    emit({
      event: "note",
      level: "warning",
      message: `Keys may still be held: ${toBackstepError(thrown).message}`,
    });
  }
}
