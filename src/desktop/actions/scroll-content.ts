import { type Deadline, pause } from "../../base/call.ts";
import type { Desktop, ReadCall } from "../desktop.ts";
import type { Application, ElementRef, Rect } from "../element.ts";
import { requireInput } from "../mode.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { inputMethod } from "./input-method.ts";
import { isItemView } from "../item.ts";
import { label } from "./label.ts";
import { applicationOf } from "./place.ts";
import { pointOf } from "./point.ts";
import { isQuick, quickBarsOf, scrolledIn } from "../quick.ts";
import { isQt, isWeb } from "../toolkits.ts";
import { isRow } from "./click-action.ts";
import { REREADS_OF_PLACES, untilDeadline, watchUntil } from "./read-back.ts";

const DOCUMENTS: ReadonlySet<number> = new Set([Role.documentWeb, Role.documentFrame]);
/** Notches tried before a place counts as out of reach. */
const TURNS = 60;
/**
 * Milliseconds without a change after which scrolling counts as over. Chromium animates it, and tells the first step and
 * then, half a second later, where it ended.
 */
const REST = 700;
/** The same where it is made to report meanwhile, every 64 ms at least. */
const REST_FLUSHED = 200;
/** Milliseconds without drawing after which what does not animate has ended: three frames. */
const UNDRAWN = 50;
/** Milliseconds after its place was reported within which it may still be drawn: two frames. */
const DRAWN_LATE = 34;
/** The same for Qt, which does not animate. */
const REST_OF_QT = 100;

/** Something that scrolls, and what lies in it and tells how far. */
export interface Scroller<T> {
  readonly area: T;
  readonly content: T;
  /** A document scrolls to any place; what is inside of one by the wheel. */
  readonly document: boolean;
}

/** How far the content lies from the top left of its area, in pixels. */
export interface Offset {
  readonly x: number;
  readonly y: number;
}

/**
 * What may scroll an element where there are no scroll bars, as rows, the innermost first: itself and its ancestors up to
 * its document, as far as they are smaller than what they hold: in web pages, and Qt's lists, tables and trees. None where the
 * toolkit has scroll bars.
 */
export function scrollersOf(application: Application, snapshot: Snapshot, row: number): Scroller<number>[] {
  const qt = isQt(application);
  if (!qt && !isWeb(application)) return [];
  if (isQuick(snapshot, row)) return quickScroller(snapshot, row);
  const scrollers: Scroller<number>[] = [];
  for (let area = row; area > 0; area = snapshot.parent(area)) {
    if (qt && !isItemView(snapshot, area)) continue;
    const document = DOCUMENTS.has(snapshot.role(area));
    const content = qt
      ? snapshot.children(area).find((child) => hasRoom(snapshot, child))
      : contentOf(snapshot, area);
    if (content !== undefined && (document || holdsMore(snapshot, area))) {
      scrollers.push({ area, content, document });
    }
    if (document) return scrollers;
  }
  return qt ? scrollers : [];
}

/**
 * In Qt Quick a bar stands for its view, along which it lies and over which the wheel does nothing but scroll; what is scrolled or
 * else the last thing before the bar tells how far. None for an item, which goes once it is out of view.
 */
function quickScroller(snapshot: Snapshot, row: number): Scroller<number>[] {
  const beside = quickBarsOf(snapshot, scrolledIn(snapshot, row) ?? row);
  const bar = beside?.bars[0];
  if (beside === undefined || bar === undefined || isRow(snapshot.role(beside.branch), true)) return [];
  return [{ area: bar, content: beside.branch, document: false }];
}

/** The rows of a page whose places tell what may scroll one of them: itself and its ancestors up to its document, and what they hold. */
export function tellingScrollers(snapshot: Snapshot, row: number): number[] {
  const rows: number[] = [];
  for (let area = row; area > 0; area = snapshot.parent(area)) {
    rows.push(area, ...snapshot.children(area));
    if (DOCUMENTS.has(snapshot.role(area))) break;
  }
  return [...new Set(rows)];
}

function hasRoom(snapshot: Snapshot, row: number): boolean {
  const rect = snapshot.rect(row);
  return rect !== undefined && rect.width > 0 && rect.height > 0;
}

/**
 * What in an area of a page tells how far that is scrolled: the tallest thing that reaches beyond it, else the widest, else
 * the first. A header or a side that stays where it is when all else is scrolled lies within.
 */
function contentOf(snapshot: Snapshot, area: number): number | undefined {
  const frame = snapshot.rect(area);
  const within = snapshot.children(area).filter((child) => hasRoom(snapshot, child));
  const most = (axis: "x" | "y", size: "width" | "height"): number | undefined => {
    let found: number | undefined, largest = 0;
    for (const child of within) {
      const rect = snapshot.rect(child);
      if (rect === undefined || frame === undefined || rect[size] <= largest) continue;
      const beyond = rect[axis] < frame[axis] || rect[axis] + rect[size] > frame[axis] + frame[size];
      if (beyond) [found, largest] = [child, rect[size]];
    }
    return found;
  };
  return most("y", "height") ?? most("x", "width") ?? within[0];
}

function holdsMore(snapshot: Snapshot, row: number): boolean {
  const frame = snapshot.rect(row);
  if (frame === undefined || !hasRoom(snapshot, row)) return false;
  return snapshot.children(row).some((child) => {
    const rect = snapshot.rect(child);
    return rect !== undefined && hasRoom(snapshot, child) &&
      (rect.y < frame.y || rect.y + rect.height > frame.y + frame.height ||
        rect.x < frame.x || rect.x + rect.width > frame.x + frame.width);
  });
}

/** Where an area lies on the screen, and how far its content is scrolled in it. */
export interface Lie {
  readonly frame: Rect;
  readonly offset: Offset;
}

/** Where both lie; undefined when one of them has no place on the screen. With `recent`, as they were read a moment ago. */
export async function lieOf(
  desktop: Desktop,
  { area, content }: Scroller<ElementRef>,
  call: ReadCall,
): Promise<Lie | undefined> {
  const [{ rect: frame }, { rect: inside }] = await Promise.all([
    desktop.read(area, call),
    desktop.read(content, call),
  ]);
  if (frame === undefined || inside === undefined) return undefined;
  return { frame, offset: { x: inside.x - frame.x, y: inside.y - frame.y } };
}

/** How far something is scrolled; undefined when it has no place on the screen. */
export async function offsetOf(
  desktop: Desktop,
  scroller: Scroller<ElementRef>,
  call: ReadCall,
): Promise<Offset | undefined> {
  return (await lieOf(desktop, scroller, call))?.offset;
}

/**
 * Scrolls until the content lies at an offset, as near as that goes: a document by Component.ScrollToPoint, what lies in
 * it a notch of the wheel at a time. `lies`: where both lie now, where that was just read. Answers the method, and where the
 * content came to lie.
 */
export async function scrollToOffset(
  desktop: Desktop,
  scroller: Scroller<ElementRef>,
  wanted: Offset,
  deadline: Deadline,
  lies?: Lie,
): Promise<{ readonly method: string; readonly offset: Offset | undefined }> {
  const before = lies ?? await lieOf(desktop, scroller, deadline.call());
  if (before === undefined || same(before.offset, wanted)) return { method: "none", offset: before?.offset };
  const offset = scroller.document
    ? await pointed(desktop, scroller, before.frame, wanted, deadline)
    : await wheeled(desktop, scroller, before.offset, wanted, deadline);
  return { method: scroller.document ? "Component.ScrollToPoint" : inputMethod(desktop, "wheel"), offset };
}

async function pointed(
  desktop: Desktop,
  scroller: Scroller<ElementRef>,
  frame: Rect,
  wanted: Offset,
  deadline: Deadline,
): Promise<Offset | undefined> {
  const [x, y] = [frame.x + wanted.x, frame.y + wanted.y];
  await desktop.act(scroller.content, { do: "scrollToPoint", x, y }, deadline.call());
  const there = (now: Lie | undefined) =>
    now !== undefined && now.frame.x + now.offset.x === x && now.frame.y + now.offset.y === y;
  const read = () => lieOf(desktop, scroller, deadline.call());
  return (await watchUntil(desktop, read, there, deadline, scroller.content, REREADS_OF_PLACES)).last?.offset;
}

async function wheeled(
  desktop: Desktop,
  scroller: Scroller<ElementRef>,
  before: Offset,
  wanted: Offset,
  deadline: Deadline,
): Promise<Offset | undefined> {
  requireInput(desktop, `scroll ${label(scroller.area)}`, "wheel");
  const application = await applicationOf(desktop, scroller.area, deadline);
  const rest = isQt(application) ? REST_OF_QT : desktop.flushOf?.(scroller.area) ? REST_FLUSHED : REST;
  const jumps = desktop.scrollsAtOnce?.(application) === true;
  const point = await pointOf(desktop, scroller.area, deadline);
  let now = before;
  for (let turn = 0; turn < TURNS; turn++) {
    // Content that is to go up is scrolled down.
    const right = Math.sign(now.x - wanted.x);
    const down = right === 0 ? Math.sign(now.y - wanted.y) : 0;
    if (right === 0 && down === 0) return now;
    await desktop.pointer({ do: "wheel", ...point, right, down }, deadline.call());
    const next = await rested(desktop, scroller, now, { rest, jumps }, deadline);
    if (next === undefined || same(next, now)) return next;
    // A notch too far is as near as it gets: turning back would never end.
    const over = right === 0 ? (next.y - wanted.y) * down < 0 : (next.x - wanted.x) * right < 0;
    now = next;
    if (over) return now;
  }
  return now;
}

/** Where the content lies once it moved and came to rest; unchanged when it did not move. */
async function rested(
  desktop: Desktop,
  scroller: Scroller<ElementRef>,
  before: Offset,
  { rest, jumps }: { readonly rest: number; readonly jumps: boolean },
  deadline: Deadline,
): Promise<Offset | undefined> {
  const read = () => offsetOf(desktop, scroller, deadline.call());
  const moved = await watchUntil(
    desktop,
    read,
    (now) => now === undefined || !same(now, before),
    deadline,
    scroller.area,
    REREADS_OF_PLACES,
  );
  if (!moved.held) return before;
  let { last } = moved;
  if (jumps && last !== undefined && await jumped(desktop, scroller, deadline)) {
    const now = await read();
    if (now === undefined || same(now, last)) return now;
    last = now;
  }
  while (last !== undefined) {
    const from = last;
    const still = await untilDeadline(
      desktop,
      read,
      (now) => now === undefined || !same(now, from),
      deadline.within(rest),
      scroller.area,
    );
    if (!still.held) return from;
    last = still.last;
  }
  return undefined;
}

/**
 * Was it all, once its new place is reported? Nothing is drawn in it any more then; what a page animates by itself is drawn again
 * and again.
 */
async function jumped(
  desktop: Desktop,
  { area }: Scroller<ElementRef>,
  deadline: Deadline,
): Promise<boolean> {
  const reported = performance.now();
  const { rect } = await desktop.read(area, { ...deadline.call(), recent: true });
  if (rect === undefined || desktop.undrawn === undefined) return false;
  for (;;) {
    const undrawn = await desktop.undrawn(rect, deadline.call());
    if (performance.now() - undrawn > reported + DRAWN_LATE) return false;
    if (undrawn >= UNDRAWN) return true;
    await pause(UNDRAWN - undrawn, deadline.signal);
  }
}

function same(a: Offset, b: Offset): boolean {
  return a.x === b.x && a.y === b.y;
}
