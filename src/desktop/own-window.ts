import type { Window } from "./desktop.ts";
import type { Application } from "./element.ts";
import { contains } from "./rect.ts";
import type { Snapshot } from "./snapshot.ts";
import { wordOf } from "./vocabulary.ts";

/** An element in its tree. */
interface Held {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly row: number;
}

/** The window that a point of the screen shows. Popups lie above every managed window, whatever place the list gives them. */
export function topWindow(windows: readonly Window[], x: number, y: number): Window | undefined {
  const there = windows.filter((window) => !window.minimised && contains(window.rect, x, y));
  return there.findLast(({ popup }) => popup) ?? there.at(-1);
}

/** Does a window leave the pointer to an application: is it its own, or nobody's that is known? */
export function isOf({ pid }: Pick<Application, "pid">, window: Window | undefined): boolean {
  return window === undefined || window.pid === pid || window.pid === 0;
}

/** The element's outermost window, as the application tells it. */
export function outermost({ snapshot, row }: Pick<Held, "snapshot" | "row">): number {
  let top = row;
  for (let up = row; up >= 0 && wordOf(snapshot, up) !== "application"; up = snapshot.parent(up)) top = up;
  return top;
}

/**
 * The window that holds the element: of the application's process, with the title of the element's outermost window,
 * or else the only one that has its place. Undefined where that is not certain.
 */
export function ownWindow(
  { snapshot, application }: Held,
  top: number,
  windows: readonly Window[],
): Window | undefined {
  const mine = windows.filter((window) => window.pid === application.pid);
  const name = snapshot.name(top);
  const titled = name === "" ? [] : mine.filter((window) => window.title === name);
  if (titled.length === 1) return titled[0];
  const rect = snapshot.rect(top);
  const placed = rect === undefined
    ? []
    : (titled.length > 0 ? titled : mine).filter((window) =>
      Math.abs(window.rect.x - rect.x) <= 2 && Math.abs(window.rect.y - rect.y) <= 2 &&
      Math.abs(window.rect.width - rect.width) <= 4 && Math.abs(window.rect.height - rect.height) <= 4
    );
  return placed.length === 1 ? placed[0] : undefined;
}

/** Is a window above another one of its application? Not a popup: that shows what hangs from either. */
export function isAboveOwn(own: Window | undefined, top: Window | undefined): boolean {
  return own !== undefined && top !== undefined && !top.popup && top.pid === own.pid && top.id !== own.id;
}

/**
 * Has a modal dialog come to lie below another window of its application? That window cannot be used, and need not be where it is.
 * Openbox leaves a dialog there that was shown before the window that it belongs to.
 */
export function isBelowOwn(
  { snapshot }: Pick<Held, "snapshot">,
  root: number,
  own: Window | undefined,
  top: Window | undefined,
): boolean {
  return isAboveOwn(own, top) && top?.modal !== true && (own?.modal === true || snapshot.has(root, "modal"));
}
