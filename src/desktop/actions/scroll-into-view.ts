import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Rect } from "../element.ts";
import { isItemOf } from "../item.ts";
import { requireInput } from "../mode.ts";
import { centre } from "../rect.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { isQt } from "../toolkits.ts";
import { Attempts, type Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { label } from "./label.ts";
import { type Place, placeOf } from "./place.ts";
import { scrollAlongBars, shownPart } from "./quick-view.ts";
import { ancestors } from "../ancestors.ts";
import { watchUntil } from "./read-back.ts";
import { visiblePart } from "../visible.ts";
import { notchesFor, places } from "./wheel.ts";
import { raise } from "./window.ts";

/** Wheel turns tried before an element counts as out of reach. */
const TURNS = 40;

/** Scrolls until an element can be seen: Component.ScrollTo, else the wheel over what scrolls it. */
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
  const look = () => placeOf(desktop, element, deadline, ["extents"]);
  if (await scrollAlongBars(desktop, await look(), deadline)) {
    return await shownPart(desktop, await look(), deadline) !== undefined;
  }
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
