import type { Deadline } from "../../base/call.ts";
import type { Application, Desktop, SnapshotField, Window } from "../../desktop/desktop.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import type { KeyView } from "./key-reach.ts";

/** Who will have a key, or why that cannot be told. */
export type Holder =
  | { readonly application: Application; readonly window: Window | undefined; readonly popup: boolean }
  | { readonly unknown: string; readonly name: string };

/**
 * Whoever may have the keyboard now: the window in front, and each popup, which may have grabbed it. A program that tells
 * nothing of itself is unknown.
 */
export async function holdersOf(desktop: Desktop, deadline: Deadline): Promise<Holder[]> {
  if (!desktop.capabilities.windows) {
    return [{ unknown: "which window has the keyboard focus is unknown", name: "" }];
  }
  const windows = await desktop.windows(deadline.call());
  const applications = await desktop.applications(deadline.call());
  const active = windows.find((one) => one.active);
  const popups = windows.filter((one) => one.popup && !one.minimised && one.pid !== active?.pid);
  if (active === undefined && popups.length === 0) {
    return [{ unknown: "no window has the keys", name: "" }];
  }
  return [...(active ? [active] : []), ...popups].map((window): Holder => {
    const application = window.pid === 0 ? undefined : applications.find(({ pid }) => pid === window.pid);
    if (!application) {
      return {
        unknown: "the window with the keyboard focus reports nothing about itself",
        name: window.title,
      };
    }
    return { application, window, popup: windows.some(({ popup, pid }) => popup && pid === window.pid) };
  });
}

/** What a tree of one application says of where keys go. `into`: what gets the focus first. */
export async function viewOf(
  desktop: Desktop,
  { application, window, popup }: Exclude<Holder, { readonly unknown: string }>,
  fields: readonly SnapshotField[],
  deadline: Deadline,
): Promise<KeyView> {
  const snapshot = await desktop.snapshot(application, {
    ...deadline.call(),
    fields: ["extents", "id", ...fields],
  });
  const windows = frontOf(snapshot, window);
  return { snapshot, windows, focused: focusedIn(snapshot, windows), popup };
}

/** Rows of the windows in front: the active one, the one of this title, else all. */
function frontOf(snapshot: Snapshot, window: Window | undefined): readonly number[] {
  const toplevels = snapshot.children(0);
  const active = toplevels.filter((row) => snapshot.has(row, "active"));
  if (active.length > 0) return active;
  const titled = toplevels.filter((row) => window !== undefined && snapshot.name(row) === window.title);
  return titled.length > 0 ? titled : toplevels;
}

/** The innermost rows with the focus, in the windows in front where one is there. */
function focusedIn(snapshot: Snapshot, windows: readonly number[]): readonly number[] {
  const rows: number[] = [];
  for (let row = snapshot.size - 1; row > 0; row--) {
    if (!snapshot.has(row, "focused")) continue;
    // What holds the focus is told to have it, too.
    if (!rows.some((inner) => inner < snapshot.end(row))) rows.push(row);
  }
  const inFront = rows.filter((row) => windows.some((top) => row > top && row < snapshot.end(top)));
  return inFront.length > 0 ? inFront : rows;
}
