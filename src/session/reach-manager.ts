import { managerInBackground } from "../desktop/mode.ts";
import { managedBy, noManager, type ReachManager } from "../wm/managed.ts";
import type { Session } from "./session.ts";

/**
 * How the window manager of a session is reached: anew for each use, since a private desktop may be replaced. It rejects
 * with `unsupported` where none answers, and refuses with `needs_focus` what a session in the background may not do.
 */
export function reachManager(session: Session): ReachManager {
  return async (call) => {
    const manager = await session.windowManager?.(call);
    if (manager === undefined) throw noManager("use the window manager");
    const managed = managedBy(manager);
    return session.desktop.mode === "background" ? managerInBackground(managed) : managed;
  };
}
