import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { requireInput } from "../mode.ts";
import { centre } from "../rect.ts";
import { Attempts, type Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { label } from "./label.ts";
import { moveBar } from "./move-bar.ts";
import { applicationOf, type Place, placeOf, stillFresh } from "./place.ts";
import { watchUntil } from "./read-back.ts";
import { sendPointer } from "./send-pointer.ts";
import type { Direction } from "../scroll-area.ts";
import { barOf, saysWhichWay } from "../scroll-bars.ts";
import { lieOf, scrollersOf, scrollToOffset } from "./scroll-content.ts";
import { isGtk } from "../toolkits.ts";
import { visiblePart } from "../visible.ts";
import { NOTCH, places } from "./wheel.ts";
import { raise } from "./window.ts";

/** What scrolling by an amount did. */
export interface Scrolled extends Done {
  /** False: the end was reached already, or nothing scrolls there. */
  readonly moved: boolean;
}

/**
 * Scrolls by pixels: the scroll bar of the nearest area that scrolls, else Component.ScrollToPoint (Chromium), else the
 * wheel at the element's centre. `found`: the element in the tree in which it was found, with places. `prepares`: it is only
 * brought into view.
 */
export async function scrollBy(
  desktop: Desktop,
  element: ElementRef,
  direction: Direction,
  amount: number,
  deadline: Deadline,
  found?: Place,
  how: { readonly prepares?: true } = {},
): Promise<Scrolled> {
  const attempts = new Attempts(`scroll ${label(element)} ${direction}`);
  const sideways = direction === "left" || direction === "right";
  const place = (found && (besideBar(found, sideways) ?? withPlaces(found))) ??
    await placeOf(desktop, element, deadline, ["extents"]);
  const bar = barOf(place.snapshot, place.row, sideways);
  const back = direction === "up" || direction === "left";
  if (bar === undefined) {
    attempts.refuse("Value.CurrentValue", "unsupported", "no scroll bar is in the tree");
  } else {
    const moved = await moveBar(desktop, bar, back ? -amount : amount, attempts, deadline, how);
    if (moved) return moved;
  }
  const [scroller] = scrollersOf(place.application, place.snapshot, place.row);
  if (scroller !== undefined) {
    const { area, content, document } = scroller;
    const refs = { area: place.snapshot.element(area), content: place.snapshot.element(content), document };
    const lies = await lieOf(desktop, refs, { ...deadline.call(), recent: true });
    if (lies !== undefined) {
      const from = lies.offset;
      const by = back ? amount : -amount;
      const wanted = sideways ? { ...from, x: from.x + by } : { ...from, y: from.y + by };
      const { method, offset } = await scrollToOffset(desktop, refs, wanted, deadline, lies);
      const moved = offset !== undefined && (offset.x !== from.x || offset.y !== from.y);
      return { ...attempts.done(method, moved), moved };
    }
  }
  requireInput(desktop, attempts.doing, "wheel");
  const moved = await wheelBy(desktop, element, direction, amount, deadline);
  return { ...attempts.done(inputMethod(desktop, "wheel"), moved), moved };
}

/** A place in what is kept, where that has the bar: no place is needed then, and the bar is read and confirmed by itself. */
function besideBar(found: Place, sideways: boolean): Place | undefined {
  const { application, snapshot, row } = found;
  return isGtk(application) && barOf(snapshot, row, sideways) !== undefined && saysWhichWay(snapshot, row)
    ? found
    : undefined;
}

/** A place in a tree that was read a moment ago, with where things lie. */
function withPlaces(found: Place): Place | undefined {
  return found.snapshot.columns.rect.length > 0 ? stillFresh(found) : undefined;
}

async function wheelBy(
  desktop: Desktop,
  element: ElementRef,
  direction: Direction,
  amount: number,
  deadline: Deadline,
): Promise<boolean> {
  const application = await applicationOf(desktop, element, deadline);
  const before = await placeOf(desktop, element, deadline, ["extents"]);
  const part = visiblePart(before.snapshot, before.row);
  if (part === undefined) {
    throw new BackstepError("not_actionable", `Cannot scroll ${label(element)}: it is not on the screen`);
  }
  const point = centre(part);
  const notches = Math.max(1, Math.round(amount / NOTCH)) *
    (direction === "up" || direction === "left" ? -1 : 1);
  const sideways = direction === "left" || direction === "right";
  await raise(desktop, application, deadline, point);
  const gesture = {
    do: "wheel",
    ...point,
    right: sideways ? notches : 0,
    down: sideways ? 0 : notches,
  } as const;
  await sendPointer(desktop, gesture, `scroll ${label(element)}`, deadline);
  const seen = await watchUntil(
    desktop,
    () => placeOf(desktop, element, deadline, ["extents"]),
    (now) => places(now) !== places(before),
    deadline,
    element,
  );
  return seen.held;
}
