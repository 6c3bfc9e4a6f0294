import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Application, Desktop } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { hasState, State } from "../desktop/states.ts";

/** AtspiRole numbers of top-level windows that ask for something: alert, colour, dialog, file and font chooser. */
const DIALOG_ROLES: ReadonlySet<number> = new Set([2, 9, 16, 19, 21]);

/** AtspiRole numbers of what is pressed to answer: push button, and the push button with a menu. */
const BUTTON_ROLES: ReadonlySet<number> = new Set([43, 129]);

/** A dialog that is open, and how it can be answered. */
export interface OpenDialog {
  readonly title: string;
  readonly buttons: readonly string[];
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

/** The dialogs an application has open. Empty also when it leaves meanwhile. */
export async function openDialogs(
  desktop: Desktop,
  application: Application,
  deadline: Deadline,
): Promise<OpenDialog[]> {
  const snapshot = await peek(desktop, application, 255, deadline);
  if (snapshot === undefined) return [];
  return topLevels(snapshot).filter((row) => {
    const { states } = snapshot.columns;
    const modal = hasState(states[2 * row] ?? 0, states[2 * row + 1] ?? 0, State.modal);
    return modal || DIALOG_ROLES.has(snapshot.role(row));
  }).map((row) => {
    const rows = Array.from({ length: snapshot.end(row) - row }, (_, k) => row + k);
    const buttons = rows.filter((one) => BUTTON_ROLES.has(snapshot.role(one)) && isVisible(snapshot, one))
      .map((one) => snapshot.name(one)).filter((name) => name !== "");
    return { title: titleOf(snapshot, rows), buttons: buttons.slice(0, 12) };
  });
}

/** A message dialog of GTK has no name: what it says stands in its first label. */
function titleOf(snapshot: Snapshot, rows: readonly number[]): string {
  const named = rows.find((row) => snapshot.name(row) !== "" && !BUTTON_ROLES.has(snapshot.role(row)));
  return (named === undefined ? "untitled dialog" : snapshot.name(named)).slice(0, 200);
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

async function peek(desktop: Desktop, application: Application, maxDepth: number, deadline: Deadline) {
  try {
    // A busy application must not eat the whole deadline: what is not answered now is asked again.
    return await desktop.snapshot(application, { ...deadline.within(2_000).call(), fields: [], maxDepth });
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
