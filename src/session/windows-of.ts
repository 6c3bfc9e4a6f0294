import type { Call, Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Application, Desktop, ElementRef, SnapshotField } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { hasState, State } from "../desktop/states.ts";
import { isAccessible } from "./inaccessible.ts";

/** AtspiRole numbers of top-level windows that ask for something: alert, colour, dialog, file and font chooser. */
const FILE_CHOOSER = 19;
const DIALOG_ROLES: ReadonlySet<number> = new Set([2, 9, 16, FILE_CHOOSER, 21]);

/** AtspiRole numbers of what is pressed to answer: push button, and the push button with a menu. */
const BUTTON_ROLES: ReadonlySet<number> = new Set([43, 129]);

/** AtspiRole number of a label. */
const LABEL_ROLES: ReadonlySet<number> = new Set([29]);

/** Levels of a tree down to windows and what hangs from them. */
const WITH_SHEETS = 2;

/** A dialog that is open, and how it can be answered. */
export interface OpenDialog {
  readonly title: string;
  /** Its first line: message dialogs are titled "Question", and say there what about. */
  readonly says: string;
  readonly buttons: readonly string[];
  /** The buttons themselves, in the same order; to be pressed where `id` was read. */
  readonly elements: readonly ElementRef[];
  /** It has a field to fill in, as a file chooser has. */
  readonly takesText: boolean;
  /** Distinguishes it from another one with the same words. */
  readonly key: string;
}

/**
 * The call of a look made while waiting: the last one before the deadline still gets a second, so that what is reported
 * is what was waited for, and not that the look was cut short.
 */
export function look(deadline: Deadline): Call {
  return { ...deadline.call(), timeout: Math.max(1_000, deadline.remaining()) };
}

/** Does the application show a top-level window in the accessibility tree? False also when it leaves meanwhile. */
export async function showsWindow(
  desktop: Desktop,
  application: Application,
  deadline: Deadline,
): Promise<boolean> {
  const snapshot = await peek(desktop, application, 1, deadline);
  return snapshot !== undefined && topLevels(snapshot).length > 0;
}

/** Does one of its windows have the keyboard? False also when it leaves meanwhile. */
export async function hasActiveWindow(
  desktop: Desktop,
  application: Application,
  deadline: Deadline,
): Promise<boolean> {
  const snapshot = await peek(desktop, application, 1, deadline);
  return snapshot !== undefined && topLevels(snapshot).some((row) => snapshot.has(row, "active"));
}

/** The dialogs an application has open. Empty also when it leaves meanwhile. */
export async function openDialogs(
  desktop: Desktop,
  application: Application,
  deadline: Deadline,
  fields: readonly SnapshotField[] = [],
): Promise<OpenDialog[]> {
  // What is in an application is read only where it asks something: GTK 4 takes 100 ms to tell of a thousand elements.
  const toplevels = await peek(desktop, application, WITH_SHEETS, deadline);
  if (toplevels === undefined || dialogsIn(toplevels).length === 0) return [];
  const snapshot = await peek(desktop, application, 255, deadline, fields);
  if (snapshot === undefined) return [];
  return dialogsIn(snapshot).map((row) => {
    const within = Array.from({ length: snapshot.end(row) - row - 1 }, (_, k) => row + 1 + k)
      .filter((one) => isVisible(snapshot, one));
    const named = (roles: ReadonlySet<number>) =>
      within.filter((one) => snapshot.name(one) !== "" && roles.has(snapshot.role(one)));
    const name = (one: number) => snapshot.name(one).slice(0, 200);
    const title = name(row);
    const [says = title] = named(LABEL_ROLES).map(name);
    const buttons = named(BUTTON_ROLES).slice(0, 12);
    return {
      title: title || says || "untitled dialog",
      says,
      buttons: buttons.map(name),
      elements: buttons.map((one) => snapshot.element(one)),
      takesText: snapshot.role(row) === FILE_CHOOSER || within.some((one) => snapshot.has(one, "editable")),
      key: `${snapshot.path(row)} ${title} ${says}`,
    };
  });
}

/** Windows that ask for something; a sheet of macOS hangs from its window. */
function dialogsIn(snapshot: Snapshot): number[] {
  const windows = topLevels(snapshot);
  const sheets = windows.flatMap((row) =>
    snapshot.children(row).filter((one) => isSheet(snapshot, one) && isVisible(snapshot, one))
  );
  const { states } = snapshot.columns;
  return [...windows, ...sheets].filter((row) => {
    const modal = hasState(states[2 * row] ?? 0, states[2 * row + 1] ?? 0, State.modal);
    return modal || DIALOG_ROLES.has(snapshot.role(row));
  });
}

function isSheet(snapshot: Snapshot, row: number): boolean {
  return snapshot.nativeRole(row).split(" ")[0] === "AXSheet";
}

function topLevels(snapshot: Snapshot): number[] {
  const rows: number[] = [];
  for (let row = 1; row < snapshot.size; row = snapshot.end(row)) {
    if (isVisible(snapshot, row)) rows.push(row);
  }
  return rows;
}

/** GTK 4 sets "showing" on next to nothing: "visible" is the better sign there, and good enough elsewhere. */
function isVisible(snapshot: Snapshot, row: number): boolean {
  const { states } = snapshot.columns;
  const [low, high] = [states[2 * row] ?? 0, states[2 * row + 1] ?? 0];
  return hasState(low, high, State.showing) || hasState(low, high, State.visible);
}

async function peek(
  desktop: Desktop,
  application: Application,
  maxDepth: number,
  deadline: Deadline,
  fields: readonly SnapshotField[] = [],
) {
  if (!isAccessible(application)) return undefined;
  try {
    // A busy application must not eat the whole deadline: what is not answered now is asked again.
    return await desktop.snapshot(application, { ...look(deadline.within(2_000)), fields, maxDepth });
  } catch (error) {
    if (
      error instanceof BackstepError && ["app_gone", "stale", "timeout", "no_desktop"].includes(error.code)
    ) {
      deadline.check("look for windows");
      return undefined;
    }
    throw error;
  }
}
