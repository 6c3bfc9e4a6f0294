import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Rect } from "../element.ts";
import { ancestors } from "../ancestors.ts";
import { isItemOf } from "../item.ts";
import { requireInput } from "../mode.ts";
import { centre, sameRect } from "../rect.ts";
import { quote } from "../quote.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { hasGtk3Widgets, isQt } from "../toolkits.ts";
import { Attempts, type Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { label } from "./label.ts";
import { moveBar } from "./move-bar.ts";
import { type Place, placeOf } from "./place.ts";
import { scrollAlongBars, shownPart } from "./quick-view.ts";
import { areaOf } from "../scroll-area.ts";
import { barOf } from "../scroll-bars.ts";
import { watchUntil } from "./read-back.ts";
import { visiblePart } from "../visible.ts";
import { wordOf } from "../vocabulary.ts";
import { notchesFor, places } from "./wheel.ts";
import { raise } from "./window.ts";

/** Wheel turns tried before an element counts as out of reach. */
const TURNS = 40;

/** Scrolls until an element can be seen: Component.ScrollTo, else its scroll bars, else the wheel over what scrolls it. */
export async function scrollIntoView(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
): Promise<Done> {
  const attempts = new Attempts(`scroll ${label(element)} into view`);
  const place = await placeOf(desktop, element, deadline, ["extents"]);
  if (await shownPart(desktop, place, deadline) !== undefined) return attempts.done("none", true);
  const reported = () =>
    attempts.attempt("Component.ScrollTo", async () => {
      await desktop.act(element, { do: "scrollTo" }, deadline.call());
      const read = () => placeOf(desktop, element, deadline, ["extents"]);
      return (await watchUntil(desktop, read, isVisible, deadline, element)).held;
    });
  // Qt answers it as if the element were gone.
  if (isQt(place.application)) attempts.refuse("Component.ScrollTo", "unsupported", "Qt does not have it");
  const scrolled = (isQt(place.application) ? undefined : await reported()) ??
    await alongBars(desktop, element, place, attempts, deadline) ??
    await attempts.attempt(inputMethod(desktop, "wheel"), () => wheelTo(desktop, element, deadline));
  if (scrolled) return scrolled;
  const around = shownAround(await placeOf(desktop, element, deadline, ["extents"]));
  if (around === undefined) {
    throw attempts.failure("It may be on another tab, in a closed menu, or hidden altogether.");
  }
  throw new BackstepError(
    "not_actionable",
    `Cannot scroll ${
      label(element)
    } into view: GTK 3 does not tell where it lies since its view was scrolled`,
    { hint: `Use what it is in: ${around}.`, details: { outcome: "not_sent" } },
  );
}

/**
 * The item of a list that shows around an element that GTK 3 tells no place of, as a selector: in a view that was scrolled, it takes
 * what lies in a window of its own (an event box) for scrolled away. Undefined: it is another's, or is scrolled away indeed.
 */
function shownAround({ application, snapshot, row }: Place): string | undefined {
  if (!hasGtk3Widgets(application) || snapshot.rect(row) !== undefined || !snapshot.has(row, "visible")) {
    return undefined;
  }
  const shows = (up: number) =>
    snapshot.role(up) === Role.listItem && visiblePart(snapshot, up) !== undefined;
  if (!ancestors(snapshot, row).some(shows)) return undefined;
  const name = snapshot.name(row);
  return name === "" ? "listitem" : `listitem:has(${wordOf(snapshot, row)} ${quote(name)})`;
}

/** Views in views. */
const NESTED = 3;

/**
 * Moves the scroll bars of the nearest view until the element lies in it, and then those of the next: a wheel would be taken by what
 * lies below the pointer. Undefined where no bar does it; that of a list may count rows.
 */
async function alongBars(
  desktop: Desktop,
  element: ElementRef,
  place: Place,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done | undefined> {
  let now = place;
  for (let views = 0; views < NESTED; views++) {
    const { snapshot, row } = now;
    const rect = snapshot.rect(row);
    const area = areaOf(snapshot, row);
    const view = area === undefined ? undefined : visiblePart(snapshot, area);
    if (area === undefined || rect === undefined || view === undefined) return undefined;
    if (isItemOf(snapshot, row, area)) return undefined;
    let done: Done | undefined;
    for (const horizontal of [false, true]) {
      const [from, to, room] = horizontal
        ? [rect.x, rect.x + rect.width, [view.x, view.x + view.width]] as const
        : [rect.y, rect.y + rect.height, [view.y, view.y + view.height]] as const;
      if (to > room[0] && from < room[1]) continue;
      const bar = barOf(snapshot, row, horizontal);
      const by = Math.round((from + to - room[0] - room[1]) / 2);
      const moved = bar && await moveBar(desktop, bar, by, attempts, deadline, { prepares: true });
      if (moved?.moved) done = moved;
    }
    if (done === undefined) return undefined;
    const read = () => placeOf(desktop, element, deadline, ["extents"]);
    // What scrolls says so before it has laid out anew what it holds.
    const { last } = await watchUntil(
      desktop,
      read,
      (later) => !sameRect(later.snapshot.rect(later.row), rect),
      deadline,
      element,
    );
    if (isVisible(last)) return done;
    now = last;
  }
  return undefined;
}

function isVisible(place: Place): boolean {
  return visiblePart(place.snapshot, place.row) !== undefined;
}

/** Turns the wheel over the nearest area that scrolls until the element lies in it. */
async function wheelTo(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<boolean> {
  requireInput(desktop, `scroll to ${label(element)}`, "wheel");
  const look = () => placeOf(desktop, element, deadline, ["extents"]);
  if (await scrollAlongBars(desktop, await look(), deadline)) {
    return await shownPart(desktop, await look(), deadline) !== undefined;
  }
  for (let turn = 0; turn < TURNS && !deadline.passed; turn++) {
    const place = await placeOf(desktop, element, deadline, ["extents"]);
    const { application, snapshot, row } = place;
    if (visiblePart(snapshot, row) !== undefined) return true;
    if (shownAround(place) !== undefined) return false;
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
      element,
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
  const from = centre(rect);
  const to = centre(frame);
  const down = rect.y >= frame.y + frame.height || rect.y + rect.height <= frame.y
    ? notchesFor(from.y - to.y)
    : 0;
  const right = rect.x >= frame.x + frame.width || rect.x + rect.width <= frame.x
    ? notchesFor(from.x - to.x)
    : 0;
  return { right, down };
}
