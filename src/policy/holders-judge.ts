import { basename } from "node:path";
import process from "node:process";
import type { DisplayClient, Holder } from "../desktop/holders.ts";
import type { Identities, Seen } from "./identities.ts";
import type { AppIdentity } from "./security.ts";

/** Why an application may not be used; undefined: it may. */
type Blocked = (app: AppIdentity) => string | undefined;

/** Somebody of whom nothing is known: blocked wherever a list names any. */
export const NOBODY: AppIdentity = { name: "", pid: 0 };

/**
 * Who has the keyboard by the input focus: undefined where the window manager itself has it, so that the active window decides.
 */
export function focusOwner(holder: Holder, identities: Identities, seen: Seen): AppIdentity | undefined {
  if (holder.who === "application") return identities.process(holder.pid, seen);
  // A key goes by the pointer then, or to nobody.
  return holder.who === "manager" ? undefined : NOBODY;
}

/** It offers what a session had on the clipboard that has ended: see `native/watcher/clipboard.c`. */
const LEFT_TO = "backstep-watcher";

/**
 * Whose content is on the clipboard: undefined where it is empty or our own. What a window manager, a clipboard manager or a
 * session that has ended offers may be anybody's.
 */
export function clipboardOwner(
  holder: Holder,
  identities: Identities,
  seen: Seen,
): AppIdentity | undefined {
  if (holder.who === "nobody" || holder.who === "ourselves") return undefined;
  if (holder.who !== "application") return NOBODY;
  // Another connection of this process.
  if (holder.pid === process.pid) return undefined;
  const owner = identities.process(holder.pid, seen);
  return basename(owner.executable ?? "") === LEFT_TO ? NOBODY : owner;
}

/**
 * Who of those that may not be used could have a grab: the display tells that somebody has one, and not who. A grab is on a
 * window that is shown, mostly one's own; a denied application could have grabbed the keyboard on another's.
 */
export function mayHaveGrabbed(
  device: "keyboard" | "pointer",
  clients: readonly DisplayClient[],
  identities: Identities,
  seen: Seen,
  blocked: Blocked,
): boolean {
  return clients.some(({ pid, shown, manager, own }) => {
    if (own) return false;
    const reason = blocked(identities.process(pid, seen));
    if (shown && !manager) return reason !== undefined;
    return reason === "it is denied" && (manager || device === "keyboard");
  });
}
