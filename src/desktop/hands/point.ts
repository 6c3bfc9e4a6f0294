import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop, ElementRef, Modifier } from "../desktop.ts";
import { label } from "./label.ts";
import { placeOf } from "./place.ts";
import { scrollIntoView } from "./scroll.ts";
import { centre } from "../rect.ts";
import { visiblePart } from "./visible.ts";
import { raise } from "./window.ts";

/** A place on the screen, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Where a pointer reaches an element: the centre of its visible part, scrolled into view first where it is not, its
 * window in front. Errors: `not_actionable` when it has no place on the screen.
 */
export async function pointOf(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<Point> {
  let place = await placeOf(desktop, element, deadline, ["extents"]);
  let part = visiblePart(place.snapshot, place.row);
  if (part === undefined) {
    await scrollIntoView(desktop, element, deadline);
    place = await placeOf(desktop, element, deadline, ["extents"]);
    part = visiblePart(place.snapshot, place.row);
  }
  if (part === undefined) {
    throw new BackstepError("not_actionable", `Cannot point at ${label(element)}: it is not on the screen`, {
      hint: "It may be on another tab or in a closed menu: open that first.",
    });
  }
  const point = centre(part);
  await raise(desktop, place.application, deadline, point);
  return point;
}

/** Clicks at the centre of an element's visible part. The platform accepted it: the caller reads back what it did. */
export async function clickOn(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
  options: {
    readonly button?: "left" | "middle" | "right";
    readonly count?: 1 | 2 | 3;
    readonly modifiers?: readonly Modifier[];
  } = {},
): Promise<void> {
  if (!desktop.capabilities.input) {
    throw new BackstepError("unsupported", `Cannot click ${label(element)}: this desktop has no pointer`);
  }
  const point = await pointOf(desktop, element, deadline);
  const { button = "left", count = 1, modifiers = [] } = options;
  await desktop.pointer({ do: "click", ...point, button, count, modifiers }, deadline.call());
}
