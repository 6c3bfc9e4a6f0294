import type { Call } from "../../../base/call.ts";
import type { Application, Desktop, DesktopEvent } from "../../../desktop/desktop.ts";
import { Role } from "../../../desktop/roles.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";
import { isName, stateOf } from "./last-tree.ts";

/** A top-level window of an application's tree. */
export interface Toplevel {
  readonly path: string;
  readonly title: string;
  readonly role: number;
  /** It asks for something: a dialog, an alert, a chooser of files. */
  readonly dialog: boolean;
  /** It belongs to another window and goes by itself: a menu, a tooltip. */
  readonly popup: boolean;
  readonly active: boolean;
}

const DIALOGS: ReadonlySet<number> = new Set([
  Role.alert,
  Role.colorChooser,
  Role.dialog,
  Role.fileChooser,
  Role.fontChooser,
]);
const POPUPS: ReadonlySet<number> = new Set([
  Role.menu,
  Role.popupMenu,
  Role.toolTip,
  Role.listBox,
  Role.list,
]);

/** The windows at the top of a tree, read afresh: a question or two, however large the tree is. */
export async function toplevelsOf(
  desktop: Desktop,
  application: Application,
  call: Call,
): Promise<readonly Toplevel[]> {
  const snapshot = await desktop.snapshot(application, { ...call, fields: [], maxDepth: 1 });
  return snapshot.children(0).filter((row) => isOpen(snapshot, row)).map((row) => {
    const role = snapshot.role(row), title = snapshot.name(row);
    const dialog = DIALOGS.has(role) || snapshot.has(row, "modal");
    const active = snapshot.has(row, "active");
    return {
      path: snapshot.path(row),
      title,
      role,
      dialog,
      // GTK puts menus into windows without a name, which never become active.
      popup: POPUPS.has(role) || (role === Role.window && title === "" && !active && !dialog),
      active,
    };
  });
}

/** GTK 4 says "showing" of next to nothing. */
function isOpen(snapshot: Snapshot, row: number): boolean {
  return snapshot.has(row, "showing") || snapshot.has(row, "visible");
}

const STATES: ReadonlySet<string> = new Set([
  "active",
  "defunct",
  "iconified",
  "modal",
  "showing",
  "visible",
]);
/** Where toolkits keep their root; what comes and goes below it are windows. */
const ROOT = "/org/a11y/atspi/accessible/root";

/** May an event mean that windows came, went, or are called otherwise now? */
export function concernsToplevels(
  { kind, path }: DesktopEvent,
  toplevels: ReadonlyMap<string, Toplevel>,
  root = ROOT,
): boolean {
  if (kind.startsWith("window:")) return true;
  if (kind.startsWith("object:children-changed:")) return path === ROOT || path === root;
  if (!toplevels.has(path)) return false;
  const state = stateOf(kind);
  return isName(kind) || (state !== undefined && STATES.has(state));
}
