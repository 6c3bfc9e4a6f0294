import type { NativeWindow } from "./replies.ts";

/** An accessible window: its name, and its rectangle as the application tells it, in the application's own pixels. */
export interface AccessibleWindow {
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** What the window manager draws around it may be counted in: GTK 3 does that. */
  readonly framed?: boolean;
  /** Its toolkit scales by any number, and draws nothing around it: Qt does, by the dots an inch of the screen. */
  readonly anyScale?: boolean;
  /** Only a popup's window can be its, or (false) only another's; either where nothing is said. */
  readonly popup?: boolean;
}

/** What a toolkit may draw around its window without declaring it, on both sides together: GTK's resize borders. */
const BORDERS = 16;
/** Scale factors looked for: whole ones and quarters are what desktops set. */
const FACTORS = [1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4];
const MOST = 4;

/** How much larger a window is than what the application tells of it, in screen pixels. */
export function restOf(a: AccessibleWindow, { rect }: Pick<NativeWindow, "rect">, scale: number) {
  return { across: rect.width - scale * a.width, down: rect.height - scale * a.height };
}

/** How far a window's size is from that of the accessible one, whether that counts the declared frame (Chromium) or not. */
function misfitOf(a: AccessibleWindow, window: NativeWindow, scale: number): number {
  const { across, down } = restOf(a, window, scale);
  const { left, right, top, bottom } = window.frame;
  return Math.min(
    Math.abs(across) + Math.abs(down),
    Math.abs(across - left - right) + Math.abs(down - top - bottom),
  );
}

/** May a window be the accessible one's, whatever its size? */
function isOfKind({ popup }: AccessibleWindow, window: NativeWindow): boolean {
  return popup === undefined || popup === window.popup;
}

/** The most that a window manager draws around a window on the left, the right and below, and above it. */
const MANAGED = { side: 40, top: 100 };

/**
 * GTK 3 counts what the window manager draws around a window as the window's own. Is the window inside of what is told, with
 * no more around it than that? Holds for places that are told on the screen only.
 */
export function isFramed(a: AccessibleWindow, { rect }: NativeWindow, scale: number): boolean {
  if (a.framed !== true || a.width <= 0 || a.height <= 0 || a.popup === true) return false;
  const left = rect.x - scale * a.x, top = rect.y - scale * a.y;
  const { across, down } = restOf(a, { rect }, scale);
  const right = -across - left, bottom = -down - top;
  const around = (border: number, most: number) => border >= -scale && border <= most * scale;
  return across <= scale && down < 0 && Math.abs(left - right) <= 2 * scale &&
    [left, right, bottom].every((border) => around(border, MANAGED.side)) && around(top, MANAGED.top);
}

/** Is this the accessible window's window, as far as sizes tell? Even borders may be around it. */
function fits(a: AccessibleWindow, window: NativeWindow, scale: number): boolean {
  if (a.width <= 0 || a.height <= 0 || !isOfKind(a, window)) return false;
  // An application that is not scaled is told as it is: what its windows say of a scale is not asked for then.
  if (scale !== 1 && isFramed(a, window, scale)) return true;
  // A size that is no multiple of the scale is rounded up or down.
  if (misfitOf(a, window, scale) <= scale + 1) return true;
  const { across, down } = restOf(a, window, scale);
  return across > 0 && across <= BORDERS * scale && Math.abs(across - down) <= scale;
}

/**
 * Whose sizes may tell of an accessible window: those of its title, where there are any; else those that no other one is
 * called like. By sizes alone a dialog could be taken for its parent at some scale.
 */
function candidatesOf(
  a: AccessibleWindow,
  accessible: readonly AccessibleWindow[],
  own: readonly NativeWindow[],
): readonly NativeWindow[] {
  if (a.title === "") return own;
  const titled = own.filter((w) => w.title === a.title);
  if (titled.length > 0) return titled;
  return own.filter((w) => !accessible.some((other) => other !== a && other.title === w.title));
}

/**
 * How many screen pixels make one of the application's: seen from outside by comparing the sizes of its windows with what
 * it says of them itself. The factor that explains most windows, the smallest of those; undefined where none does.
 */
export function scaleOf(
  accessible: readonly AccessibleWindow[],
  windows: readonly NativeWindow[],
  pid: number,
): number | undefined {
  const own = windows.filter((w) => w.pid === pid);
  const candidates = (a: AccessibleWindow) => candidatesOf(a, accessible, own);
  let best: { scale: number; score: number } | undefined;
  for (const scale of FACTORS) {
    const free = new Set(own);
    let score = 0;
    for (const a of accessible) {
      const there = candidates(a).filter((w) => free.has(w) && fits(a, w, scale));
      const titled = a.title === "" ? undefined : there.find((w) => w.title === a.title);
      const found = titled ?? there[0];
      if (found === undefined) continue;
      free.delete(found);
      // Large windows tell more than small ones, whose borders may be half of them.
      score += (titled === undefined ? 1 : 2) * Math.sqrt(a.width * a.height);
    }
    if (score > (best?.score ?? 0)) best = { scale, score };
  }
  return best?.scale ?? measuredScale(accessible, own);
}

/** Where no usual factor explains the sizes: the one by which both sides of a window of the same title are larger. */
function measuredScale(
  accessible: readonly AccessibleWindow[],
  own: readonly NativeWindow[],
): number | undefined {
  for (const a of accessible) {
    if (a.anyScale !== true || a.title === "" || a.width <= 0 || a.height <= 0) continue;
    for (const { title, rect: { width, height } } of own) {
      // The longer side tells it best.
      const scale = a.width > a.height ? width / a.width : height / a.height;
      const rest = Math.abs(width - scale * a.width) + Math.abs(height - scale * a.height);
      if (title === a.title && scale > 1 && scale <= MOST && rest <= scale + 1) return scale;
    }
  }
  return undefined;
}

/**
 * The window of the window system that belongs to each accessible window of one process; undefined where none does.
 * By title, then by size (a popover's with its padding), then because only one is left; no window is given away twice.
 */
export function matchWindows(
  accessible: readonly AccessibleWindow[],
  windows: readonly NativeWindow[],
  pid: number,
  scale = 1,
): (NativeWindow | undefined)[] {
  const free = new Set(windows.filter((w) => w.pid === pid));
  const matched: (NativeWindow | undefined)[] = accessible.map(() => undefined);
  const misfit = (a: AccessibleWindow, w: NativeWindow) => misfitOf(a, w, scale);
  const pass = (suits: (a: AccessibleWindow, w: NativeWindow) => boolean) => {
    const pairs = accessible.flatMap((a, k) =>
      matched[k]
        ? []
        : [...free].filter((w) => isOfKind(a, w) && suits(a, w)).map((w) => ({ k, w, misfit: misfit(a, w) }))
    );
    for (const { k, w } of pairs.sort((p, q) => p.misfit - q.misfit)) {
      if (matched[k] || !free.has(w)) continue;
      matched[k] = w;
      free.delete(w);
    }
  };
  pass((a, w) => a.title !== "" && a.title === w.title);
  pass((a, w) => misfit(a, w) <= 2 * scale);
  // A popover's own padding is part of its window, and not of what it tells.
  pass((a, w) => {
    const { across, down } = restOf(a, w, scale);
    return a.popup === true && Math.min(across, down) >= 0 && Math.max(across, down) <= BORDERS * scale;
  });
  if (matched.filter((w) => w === undefined).length === 1 && free.size === 1) pass(() => true);
  return matched;
}
