import type { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import { raise } from "../../desktop/actions/window.ts";
import { windowOwnerFor } from "../../operations/application.ts";
import type { Session } from "../../session/session.ts";
import { popupsBeside, quietDigest } from "./guard-digest.ts";

/**
 * Closes the lists and menus that stand beside the windows that a step left, such as the completions of a field that was typed
 * into: Escape, once for each, for as long as nothing else changes. Answers what stands then; where no key may be pressed, all
 * of it stays.
 */
export async function closePopups(
  left: string,
  stands: string,
  app: string | undefined,
  { session, deadline }: { readonly session: Session; readonly deadline: Deadline },
): Promise<string> {
  const { desktop } = session;
  let now = stands;
  try {
    for (let open = popupsBeside(left, now); open > 0;) {
      // Keys go to the window in front, which may have become another application's.
      await raise(desktop, await windowOwnerFor({ session, desktop, deadline, app }, undefined), deadline);
      const raised = await quietDigest(session, app, deadline);
      if (popupsBeside(left, raised) !== open) return raised;
      await desktop.pressKeys(["Escape"], deadline.call());
      now = await quietDigest(session, app, deadline);
      const still = popupsBeside(left, now);
      if (still >= open) return now;
      open = still;
    }
    return now;
  } catch (thrown) {
    if (toBackstepError(thrown).code !== "needs_focus") throw thrown;
    return now;
  }
}
