import type { Deadline } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { Desktop, Gesture, Modifier, Window } from "../desktop.ts";
import type { ElementRef, Rect } from "../element.ts";
import { requireInput } from "../mode.ts";
import type { Pointed } from "../cover.ts";
import { standsStill } from "../stands-still.ts";
import { closeCompletions } from "./completions.ts";
import { Role } from "../roles.ts";
import { label } from "./label.ts";
import { letAppear } from "./let-appear.ts";
import { isGtk4 } from "../toolkits.ts";
import { inOtherItem } from "../item.ts";
import { ownPlaceOf, type Place, placeOf } from "./place.ts";
import { scrollIntoView } from "./scroll-into-view.ts";
import { sendPointer } from "./send-pointer.ts";
import { REREADS_OF_PLACES, untilDeadline, watchUntil } from "./read-back.ts";
import { centre, type Point } from "../rect.ts";
import { isAboveOwn, isOf, outermost, ownWindow, topWindow } from "../own-window.ts";
import { shownPart } from "./quick-view.ts";
import { raise, raiseWindow } from "./window.ts";
import { defined } from "../../base/defined.ts";

/** How to point at an element. */
export interface PointOptions {
  /** Throws where it is not to be pointed at. */
  readonly require?: (place: Place) => Promise<void>;
  /** Nothing is scrolled: what is out of view is not pointed at. */
  readonly asItLies?: true;
  /**
   * The place beside that is pressed, such as the check box that is drawn in an item, by the rectangle of the element and the centre
   * of its visible part; default that centre, where what lies above it is looked at.
   */
  readonly at?: (rect: Rect, centre: Point) => Point;
  /** What is to be done there: what that has to wait for is waited for before the last look. */
  readonly gesture?: (point: Point) => Gesture;
}

/**
 * Where a pointer reaches an element: the centre of its visible part, scrolled into view first where it is not, its
 * window in front, once it stands still. Errors: `not_actionable` when it has no place on the screen, or is covered.
 */
export async function pointOf(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
  { require, asItLies, at = (_rect, centre) => centre, gesture }: PointOptions = {},
): Promise<Point> {
  for (let how: { readonly recent?: true } = { recent: true };; how = {}) {
    let place = await ownPlaceOf(desktop, element, deadline, how);
    let part = await shownPart(desktop, place, deadline);
    if (part === undefined && asItLies !== true) {
      ({ place, part } = await broughtIntoView(desktop, element, deadline));
    }
    if (part === undefined) {
      throw new BackstepError(
        "not_actionable",
        `Cannot point at ${label(element)}: it is not on the screen`,
        {
          hint: "It may be on another tab or in a closed menu: open that first.",
        },
      );
    }
    await require?.(place);
    const point = pointIn(part, place.snapshot.role(place.row));
    const raised = await raiseOwn(desktop, place, point, deadline);
    const front = await requireFront(desktop, place, point, deadline, raised || how.recent === undefined);
    await requireOwnItem(desktop, place, point, deadline);
    if (front.top !== undefined) await letAppear(front.top, deadline);
    const pressed = at(place.snapshot.rect(place.row) ?? part, point);
    if (gesture) await desktop.readyFor?.(gesture(pressed), deadline.call());
    // Last: nothing comes between this and the press.
    const pointed = { ...place, point, ...shownBy(place, front) };
    if (await standsStill(desktop, pointed, deadline)) return pressed;
  }
}

/** Milliseconds in which a window that was resized lays out what it holds. */
const LAYS_OUT = 500;

/** Scrolls an element into view. What nothing scrolls may come into view all the same, where its window has just got another size. */
async function broughtIntoView(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
): Promise<{ readonly place: Place; readonly part: Rect | undefined }> {
  const look = async (within: Deadline) => {
    const place = await placeOf(desktop, element, within, ["extents"]);
    return { place, part: await shownPart(desktop, place, within) };
  };
  try {
    await scrollIntoView(desktop, element, deadline);
  } catch (thrown) {
    if (toBackstepError(thrown).code !== "not_actionable") throw thrown;
    const soon = deadline.within(LAYS_OUT);
    const shows = ({ part }: { readonly part: Rect | undefined }) => part !== undefined;
    const { held, last } = await untilDeadline(
      desktop,
      () => look(deadline),
      shows,
      soon,
      element,
      REREADS_OF_PLACES,
    );
    if (held) return last;
    throw thrown;
  }
  return await look(deadline);
}

/** The middle; of a spin button the middle of its left half, where its number is and none of its buttons. */
function pointIn(part: Rect, role: number): Point {
  if (role !== Role.spinButton) return centre(part);
  return centre({ ...part, width: Math.ceil(part.width / 2) });
}

/** Which window a point shows, and which is the element's, where that is certain. */
interface Front {
  readonly top: Window | undefined;
  readonly own: Window | undefined;
}

function frontOf(windows: readonly Window[], place: Place, { x, y }: Point): Front {
  const own = ownWindow(place, outermost(place), windows.filter(({ minimised }) => !minimised));
  return { top: topWindow(windows, x, y), own };
}

/** The window of an element, where it is certain that it is what the point shows. */
function shownBy(place: Place, { top, own }: Front): Pick<Pointed, "window" | "own"> {
  if (own === undefined || own.id !== top?.id) return {};
  return { window: place.snapshot.element(outermost(place)), own };
}

/** Brings the window of an element to the front, also from below another one of its application. Answers whether it was raised. */
async function raiseOwn(desktop: Desktop, place: Place, point: Point, deadline: Deadline): Promise<boolean> {
  if (!desktop.capabilities.windows) return false;
  const how = { recent: true } as const;
  const { top, own } = frontOf(await desktop.windows({ ...deadline.call(), ...how }), place, point);
  if (own !== undefined && isAboveOwn(own, top)) return await raiseWindow(desktop, own.id, deadline);
  return await raise(desktop, place.application, deadline, point, how);
}

/** Milliseconds that a window which was raised gets to be on top. */
const FRONT = 1_000;

/**
 * A window may stay above the one that was raised: a click would go there. Where none was raised, what the step asked of windows
 * does: they are looked at once more where it stands still.
 */
async function requireFront(
  desktop: Desktop,
  place: Place,
  point: Point,
  deadline: Deadline,
  afresh: boolean,
): Promise<Front> {
  if (!desktop.capabilities.windows) return { top: undefined, own: undefined };
  let how: { readonly recent?: true } = afresh ? {} : { recent: true };
  const { held, last } = await watchUntil(
    desktop,
    async () => {
      const windows = await desktop.windows({ ...deadline.call(), ...how });
      how = {};
      return frontOf(windows, place, point);
    },
    ({ top, own }) => isOf(place.application, top) && !isAboveOwn(own, top),
    deadline.within(FRONT),
  );
  const { top } = last;
  if (held || top === undefined) return last;
  throw new BackstepError(
    "not_actionable",
    `Cannot point at ${label(place.snapshot.element(place.row))}: the window ${
      JSON.stringify(top.title.slice(0, 80))
    } stays above it`,
    {
      hint: "Close or move what covers it.",
      details: { point: [point.x, point.y], window: top.id, pid: top.pid, outcome: "not_sent" },
    },
  );
}

/**
 * GTK 4 keeps rows of a list that are out of view, where they were last: a click there would reach the row that took
 * their place. The application is asked which row that is.
 */
async function requireOwnItem(
  desktop: Desktop,
  place: Place,
  point: Point,
  deadline: Deadline,
): Promise<void> {
  const { application, snapshot, row } = place;
  const element = snapshot.element(row);
  if (!isGtk4(application) || element.fingerprint.item === undefined) return;
  const there = await desktop.elementAt(application, point.x, point.y, deadline.call());
  const other = there === undefined ? -1 : snapshot.rowOf(there);
  if (other < 0 || !inOtherItem(snapshot, row, other)) return;
  const shown = snapshot.element(other).fingerprint.item?.content ?? "";
  throw new BackstepError(
    "not_actionable",
    `Cannot point at ${label(element)}: the row ${
      JSON.stringify(shown)
    } lies at its place, so that it is out of view`,
    {
      hint: "Scroll the list, and find it again.",
      details: { point: [point.x, point.y], outcome: "not_sent" },
    },
  );
}

/** Clicks at the centre of an element's visible part. The platform accepted it: the caller reads back what it did. */
export async function clickOn(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
  options: Omit<PointOptions, "gesture"> & {
    readonly button?: "left" | "middle" | "right";
    readonly count?: 1 | 2 | 3;
    readonly modifiers?: readonly Modifier[];
    /** Does it know no double click, so that one that came a moment before need not be waited out? Default: it does. */
    readonly again?: (place: Place) => boolean;
  } = {},
): Promise<void> {
  const doing = `click ${label(element)}`;
  requireInput(desktop, doing, "pointer");
  let again = false;
  const require = async (place: Place) => {
    again = options.again?.(place) === true;
    await closeCompletions(desktop, element, place, deadline);
    await options.require?.(place);
  };
  const { button = "left", count = 1, modifiers = [], asItLies, at } = options;
  const gesture = (point: Point): Gesture => {
    const how = again ? { again } : {};
    return { do: "click", ...point, button, count, modifiers, ...how };
  };
  const point = await pointOf(desktop, element, deadline, {
    require,
    gesture,
    ...defined({ asItLies, at }),
  });
  await sendPointer(desktop, gesture(point), doing, deadline);
}
