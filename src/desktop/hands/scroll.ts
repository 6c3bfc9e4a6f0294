import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop, ElementRef, Rect } from "../desktop.ts";
import { isItemOf } from "../item.ts";
import { requireInput } from "../mode.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { Attempts, type Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { label } from "./label.ts";
import { ancestors, applicationOf, type Place, placeOf } from "./place.ts";
import { isQt } from "../toolkits.ts";
import { watchUntil } from "./read-back.ts";
import { barOf } from "./scroll-bars.ts";
import { offsetOf, scrollersOf, scrollToOffset } from "./scroll-content.ts";
import { centre } from "../rect.ts";
import { visiblePart } from "./visible.ts";
import { raise } from "./window.ts";

/** Pixels that one notch of a wheel moves: Chromium on Linux 53, GTK about the same. */
const NOTCH = 53;
/** Wheel turns tried before an element counts as out of reach. */
const TURNS = 40;

/** Where to scroll to. */
export type Direction = "up" | "down" | "left" | "right";

/** What scrolling by an amount did. */
export interface Scrolled extends Done {
  /** False: the end was reached already, or nothing scrolls there. */
  readonly moved: boolean;
}

/** Scrolls until an element can be seen: Component.ScrollTo, else the wheel over what scrolls it. */
export async function scrollIntoView(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
): Promise<Done> {
  const attempts = new Attempts(`scroll ${label(element)} into view`);
  const place = await placeOf(desktop, element, deadline, ["extents"]);
  if (visiblePart(place.snapshot, place.row) !== undefined) return attempts.done("none", true);
  const told = () =>
    attempts.attempt("Component.ScrollTo", async () => {
      await desktop.act(element, { do: "scrollTo" }, deadline.call());
      const read = () => placeOf(desktop, element, deadline, ["extents"]);
      return (await watchUntil(desktop, read, isVisible, deadline, element.bus)).held;
    });
  // Qt answers it as if the element were gone.
  if (isQt(place.application)) attempts.refuse("Component.ScrollTo", "unsupported", "Qt does not have it");
  const scrolled = (isQt(place.application) ? undefined : await told()) ??
    await attempts.attempt(inputMethod(desktop, "wheel"), () => wheelTo(desktop, element, deadline));
  if (scrolled) return scrolled;
  throw attempts.failure("It may be on another tab, in a closed menu, or hidden altogether.");
}

function isVisible(place: Place): boolean {
  return visiblePart(place.snapshot, place.row) !== undefined;
}

/** Turns the wheel over the nearest area that scrolls until the element lies in it. */
async function wheelTo(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<boolean> {
  requireInput(desktop, `scroll to ${label(element)}`, "wheel");
  for (let turn = 0; turn < TURNS && !deadline.passed; turn++) {
    const { application, snapshot, row } = await placeOf(desktop, element, deadline, ["extents"]);
    if (visiblePart(snapshot, row) !== undefined) return true;
    const area = areaOf(snapshot, row);
    const frame = area === undefined ? undefined : visiblePart(snapshot, area);
    if (area === undefined || frame === undefined) {
      throw new BackstepError(
        "not_actionable",
        `Cannot scroll to ${label(element)}: nothing that shows scrolls it`,
      );
    }
    const { right, down } = turns(snapshot, row, area, frame);
    await raise(desktop, application, deadline, centre(frame));
    const before = places({ snapshot, row: area });
    await desktop.pointer({ do: "wheel", ...centre(frame), right, down }, deadline.call());
    const moved = await watchUntil(
      desktop,
      () => placeOf(desktop, element, deadline, ["extents"]),
      (now) => places({ snapshot: now.snapshot, row: areaOf(now.snapshot, now.row) ?? area }) !== before,
      deadline,
      element.bus,
    );
    if (!moved.held) return false;
  }
  return false;
}

function isOfBar(snapshot: Snapshot, row: number): boolean {
  return snapshot.role(row) === Role.scrollBar || snapshot.role(snapshot.parent(row)) === Role.scrollBar;
}

/** How far to turn the wheel: by the distance, or where a place is not told, towards where it stands in the order. */
function turns(snapshot: Snapshot, row: number, area: number, frame: Rect): { right: number; down: number } {
  const rect = snapshot.rect(row);
  if (rect === undefined || rect.width <= 0 || rect.height <= 0) {
    for (let r = snapshot.end(row); r < snapshot.end(area); r++) {
      if (!isOfBar(snapshot, r) && visiblePart(snapshot, r) !== undefined) {
        return { right: 0, down: -3 };
      }
    }
    return { right: 0, down: 3 };
  }
  const notches = (distance: number) =>
    Math.sign(distance) * Math.max(1, Math.floor(Math.abs(distance) / NOTCH));
  const from = centre(rect);
  const to = centre(frame);
  const down = rect.y >= frame.y + frame.height || rect.y + rect.height <= frame.y
    ? notches(from.y - to.y)
    : 0;
  const right = rect.x >= frame.x + frame.width || rect.x + rect.width <= frame.x
    ? notches(from.x - to.x)
    : 0;
  return { right, down };
}

/**
 * Scrolls by pixels: the scroll bar of the nearest area that scrolls, else Component.ScrollToPoint (Chromium), else the
 * wheel at the element's centre.
 */
export async function scrollBy(
  desktop: Desktop,
  element: ElementRef,
  direction: Direction,
  amount: number,
  deadline: Deadline,
): Promise<Scrolled> {
  const attempts = new Attempts(`scroll ${label(element)} ${direction}`);
  const place = await placeOf(desktop, element, deadline, ["extents", "value"]);
  const bar = barOf(place.snapshot, place.row, direction === "left" || direction === "right");
  const back = direction === "up" || direction === "left";
  if (bar === undefined) {
    attempts.refuse("Value.CurrentValue", "unsupported", "no scroll bar is in the tree");
  } else {
    const reading = await desktop.read(bar, deadline.call());
    const { value } = reading;
    if (value !== undefined) {
      const wanted = Math.min(
        value.maximum,
        Math.max(value.minimum, value.current + (back ? -amount : amount)),
      );
      if (wanted === value.current) return { ...attempts.done("none", true), moved: false };
      const done = await attempts.attempt("Value.CurrentValue", async () => {
        await desktop.act(bar, { do: "setValue", value: wanted }, deadline.call());
        const read = () => desktop.read(bar, deadline.call());
        const moved = (now: { value: typeof value | undefined }) => now.value?.current !== value.current;
        return (await watchUntil(desktop, read, moved, deadline, bar.bus)).held;
      });
      if (done) return { ...done, moved: true };
    }
  }
  const [scroller] = scrollersOf(place.application, place.snapshot, place.row);
  if (scroller !== undefined) {
    const { area, content, document } = scroller;
    const refs = { area: place.snapshot.element(area), content: place.snapshot.element(content), document };
    const from = await offsetOf(desktop, refs, deadline);
    if (from !== undefined) {
      const by = back ? amount : -amount;
      const wanted = direction === "left" || direction === "right"
        ? { ...from, x: from.x + by }
        : { ...from, y: from.y + by };
      const { method, offset } = await scrollToOffset(desktop, refs, wanted, deadline);
      const moved = offset !== undefined && (offset.x !== from.x || offset.y !== from.y);
      return { ...attempts.done(method, moved), moved };
    }
  }
  requireInput(desktop, attempts.doing, "wheel");
  const moved = await wheelBy(desktop, element, direction, amount, deadline);
  return { ...attempts.done(inputMethod(desktop, "wheel"), moved), moved };
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
  await desktop.pointer(gesture, deadline.call());
  const seen = await watchUntil(
    desktop,
    () => placeOf(desktop, element, deadline, ["extents"]),
    (now) => places(now) !== places(before),
    deadline,
    element.bus,
  );
  return seen.held;
}

/** Where everything below an element is, as one string to compare. */
function places({ snapshot, row }: Pick<Place, "snapshot" | "row">): string {
  const rects: string[] = [];
  const end = Math.min(snapshot.end(row), row + 2_000);
  for (let r = row; r < end; r++) {
    const rect = snapshot.rect(r);
    if (rect) rects.push(`${rect.x},${rect.y}`);
  }
  return rects.join(" ");
}

const AREAS: ReadonlySet<number> = new Set([
  Role.scrollPane,
  Role.viewport,
  Role.documentWeb,
  Role.documentFrame,
]);

/**
 * The nearest ancestor that scrolls: by its role, or (GTK4 4.8 gives scrolled windows no role) one that is smaller than
 * what it holds.
 */
function areaOf(snapshot: Snapshot, row: number): number | undefined {
  const rect = snapshot.rect(row);
  for (const up of ancestors(snapshot, row)) {
    if (AREAS.has(snapshot.role(up))) return up;
    const frame = snapshot.rect(up);
    if (rect === undefined || frame === undefined || frame.width <= 0 || frame.height <= 0) continue;
    const outside = rect.y >= frame.y + frame.height || rect.y + rect.height <= frame.y;
    if (outside && (hasBar(snapshot, up) || isItemOf(snapshot, row, up))) return up;
  }
  return undefined;
}

function hasBar(snapshot: Snapshot, row: number): boolean {
  return snapshot.children(row).some((child) => snapshot.role(child) === Role.scrollBar);
}
