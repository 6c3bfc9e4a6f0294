import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Rect } from "../element.ts";
import { isBeyond, isCutOffAt, isLying, quickBarsOf } from "../quick.ts";
import { centre, placeText, sameRect } from "../rect.ts";
import type { Snapshot } from "../snapshot.ts";
import { visiblePart } from "../visible.ts";
import { type Place, placeOf } from "./place.ts";
import { afterWheel, NOTCH_OF_QUICK, notchesFor } from "./wheel.ts";
import { raise } from "./window.ts";

/** A scroll bar beside an element, and where it lies: along the view that it scrolls. */
interface Bar {
  readonly element: ElementRef;
  readonly rect: Rect;
  readonly horizontal: boolean;
}

/**
 * The part of an element that shows, as far as its application says; undefined: it is scrolled away. Lists of Qt Quick are not in its
 * tree: an element whose middle lies beyond the end of a scroll bar beside it may be cut off by its view, or be around that.
 * There all that lies beside it tells, and what the application says lies at its middle.
 */
export async function shownPart(
  desktop: Desktop,
  { application, snapshot, row }: Place,
  deadline: Deadline,
): Promise<Rect | undefined> {
  const part = visiblePart(snapshot, row);
  if (part === undefined) return undefined;
  const bars = await barsBeside(desktop, snapshot, row, deadline);
  const { x, y } = centre(part);
  if (!isBeyond(bars.map(({ rect }) => rect), x, y)) return part;
  const whole = await placeOf(desktop, snapshot.element(row), deadline, ["extents"]);
  if (isCutOffAt(whole.snapshot, whole.row, x, y)) return undefined;
  const there = await desktop.elementAt(application, x, y, deadline.call());
  const at = there === undefined ? -1 : whole.snapshot.rowOf(there);
  return at >= whole.row && at < whole.snapshot.end(whole.row) ? part : undefined;
}

/** Turns of the wheel before an element counts as out of reach. */
const TURNS = 40;
/** Milliseconds within which a view moves by the wheel, and without a move after which all notches of a turn have come. */
const MOVES = { moves: 1_500, rest: 60 } as const;

/**
 * Turns the wheel over the scroll bars beside an element of Qt Quick until it lies along them, as whole as it goes, and under none:
 * over what lies in the view, a number or a list of its own might take it. False: there are no bars.
 */
export async function scrollAlongBars(
  desktop: Desktop,
  { application, snapshot, row }: Place,
  deadline: Deadline,
): Promise<boolean> {
  const element = snapshot.element(row);
  const bars = await barsBeside(desktop, snapshot, row, deadline);
  const read = async (): Promise<Rect | undefined> => (await desktop.read(element, deadline.call())).rect;
  for (const bar of bars) {
    const { horizontal, rect: over } = bar;
    const point = centre(over);
    const other = bars.find((one) => one.horizontal !== horizontal)?.rect;
    const room = horizontal ? over.width - (other?.width ?? 0) : over.height - (other?.height ?? 0);
    await raise(desktop, application, deadline, point);
    let rect = await read();
    for (let turn = 0; turn < TURNS && rect !== undefined && !liesWithin(bar, room, rect); turn++) {
      const { x, y } = centre(rect);
      const far = horizontal ? x - point.x : y - point.y;
      const notches = notchesFor(far, NOTCH_OF_QUICK);
      const turned = horizontal ? { right: notches, down: 0 } : { right: 0, down: notches };
      await desktop.pointer({ do: "wheel", ...point, ...turned }, deadline.call());
      const next = await afterWheel(desktop, element, read, placeText, rect, MOVES, deadline);
      if (sameRect(next, rect)) break;
      rect = next;
    }
  }
  return bars.length > 0;
}

/** Does an element lie between the ends of a bar, in `room` pixels from its beginning: whole, or of a larger one the middle? */
function liesWithin({ rect, horizontal }: Bar, room: number, element: Rect): boolean {
  const [from, at, size] = horizontal
    ? [rect.x, element.x, element.width]
    : [rect.y, element.y, element.height];
  const middle = at + size / 2;
  return size <= room ? at >= from && at + size <= from + room : middle >= from && middle < from + room;
}

async function barsBeside(
  desktop: Desktop,
  snapshot: Snapshot,
  row: number,
  deadline: Deadline,
): Promise<Bar[]> {
  const found: Bar[] = [];
  for (const bar of quickBarsOf(snapshot, row)?.bars ?? []) {
    const element = snapshot.element(bar);
    const rect = snapshot.rect(bar) ?? (await desktop.read(element, deadline.call())).rect;
    if (rect === undefined || rect.width <= 0 || rect.height <= 0) continue;
    found.push({ element, rect, horizontal: isLying(rect) });
  }
  return found;
}
