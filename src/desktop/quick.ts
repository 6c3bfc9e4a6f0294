import { ancestors } from "./ancestors.ts";
import type { Rect } from "./element.ts";
import { Interface } from "./interfaces.ts";
import { outermost } from "./own-window.ts";
import { contains } from "./rect.ts";
import { Role } from "./roles.ts";
import type { Snapshot } from "./snapshot.ts";
import { isQt } from "./toolkits.ts";

/**
 * Is a row drawn by Qt Quick? Qt calls both of its kinds of applications "Qt". A window of Qt Quick has no actions, one of Qt
 * Widgets has (QAccessibleWidget).
 */
export function isQuick(snapshot: Snapshot, row: number): boolean {
  if (!isQt(snapshot.origin.application)) return false;
  const window = outermost({ snapshot, row });
  return window > 0 && !snapshot.implements(window, Interface.action);
}

/**
 * Is a row a combo box of Qt Quick? One of Qt Widgets has its list inside of it, open or closed. Of one with nothing inside its
 * window tells.
 */
export function isQuickCombo(snapshot: Snapshot, row: number): boolean {
  if (!isQt(snapshot.origin.application) || snapshot.role(row) !== Role.comboBox) return false;
  const inside = snapshot.children(row);
  return inside.length === 0
    ? isQuick(snapshot, row)
    : !inside.some((child) => snapshot.role(child) === Role.list);
}

/**
 * What a combo box of Qt Quick shows, as a row: the field inside of it. Some styles have none; then the box is called after what it
 * shows.
 */
export function quickFieldOf(snapshot: Snapshot, combo: number): number | undefined {
  return snapshot.children(combo).find((child) => snapshot.implements(child, Interface.text));
}

/** How Qt 5.15 and 6.4 call what pops up in a window of Qt Quick. */
const POPUPS: ReadonlySet<number> = new Set([Role.dialog, Role.popupMenu, Role.menu, Role.window]);

/** What is open inside of a window of Qt Quick: dialogs, menus, lists of combo boxes. They hang right below it. */
export function quickPopups(snapshot: Snapshot, window: number): number[] {
  return snapshot.children(window).filter((row) =>
    POPUPS.has(snapshot.role(row)) && snapshot.has(row, "showing")
  );
}

/** Is a row of Qt Quick in something that is open inside of its window? */
export function isInQuickPopup(snapshot: Snapshot, row: number): boolean {
  if (!isQuick(snapshot, row)) return false;
  const popups = quickPopups(snapshot, outermost({ snapshot, row }));
  return popups.some((popup) => row > popup && row < snapshot.end(popup));
}

/** What scrolls a row of Qt Quick. */
export interface QuickBars {
  /** What has the bars, and all that they scroll. */
  readonly holder: number;
  /** The row itself, or what is around it: a child of the holder. */
  readonly branch: number;
  /** The bars, in their order: one or two, of which nothing but their places tells which way they lie. */
  readonly bars: readonly number[];
}

/**
 * The scroll bars of the view that a row of Qt Quick lies in, as far as its tree tells: a list is not in it, what it holds lies
 * right before its bars, after what is around the list. A panel that begins with bars (Kirigami) is itself the view.
 */
export function quickBarsOf(snapshot: Snapshot, row: number): QuickBars | undefined {
  if (!isQuick(snapshot, row)) return undefined;
  let branch = row;
  for (const holder of ancestors(snapshot, row)) {
    const siblings = snapshot.children(holder);
    const isBar = (one: number | undefined) => one !== undefined && snapshot.role(one) === Role.scrollBar;
    const after = siblings.findIndex((one) => one > branch && isBar(one));
    const first = after < 0 && snapshot.role(holder) === Role.panel && isBar(siblings[0]) ? 0 : after;
    if (first >= 0) {
      const bars = siblings.slice(first, first + 2).filter(isBar);
      return isBar(branch) ? undefined : { holder, branch, bars };
    }
    branch = holder;
  }
  return undefined;
}

/** What is scrolled by the bars that a row of Qt Quick has inside: the nearest thing to them; undefined: it has none. */
export function scrolledIn(snapshot: Snapshot, row: number): number | undefined {
  const inside = snapshot.children(row);
  const first = inside.findIndex((child) => snapshot.role(child) === Role.scrollBar);
  if (first < 0) return undefined;
  return inside[first - 1] ?? inside.find((child) => snapshot.role(child) !== Role.scrollBar);
}

/**
 * Is a row of Qt Quick cut off at a point: does that lie beyond the end of a scroll bar beside it, and outside of what holds both, or
 * on something that comes before it? What the application says lies there does not tell: it asks the innermost first, cut off
 * or not. A row that has others behind it there is itself around the view.
 */
export function isCutOffAt(snapshot: Snapshot, row: number, x: number, y: number): boolean {
  const beside = quickBarsOf(snapshot, row);
  if (beside === undefined) return false;
  const rects = beside.bars.map((bar) => snapshot.rect(bar)).filter((rect) => rect !== undefined);
  if (!isBeyond(rects, x, y)) return false;
  const around = snapshot.rect(beside.holder);
  if (around !== undefined && !contains(around, x, y)) return true;
  return snapshot.children(beside.holder).some((one) => {
    if (one >= beside.branch || beside.bars.includes(one)) return false;
    const rect = snapshot.rect(one);
    return rect !== undefined && contains(rect, x, y) && snapshot.has(one, "showing");
  });
}

/** Does a point lie beyond the end of one of these bars, or under one? */
export function isBeyond(bars: readonly Rect[], x: number, y: number): boolean {
  return bars.some((bar) => {
    if (bar.width <= 0 || bar.height <= 0) return false;
    const along = isLying(bar) ? contains({ ...bar, y }, x, y) : contains({ ...bar, x }, x, y);
    return !along || contains(bar, x, y);
  });
}

/** Is a bar for scrolling to the left and right? */
export function isLying({ width, height }: Rect): boolean {
  return width > height;
}
