import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import type { Place } from "./place.ts";
import { REREADS_OF_PLACES, untilDeadline } from "./read-back.ts";

/** Pixels that one notch of a wheel moves: Chromium on Linux 53, GTK about the same. */
export const NOTCH = 53;
/** In Qt Quick at most, so that none goes too far: Qt 5.15 and 6.4 72. */
export const NOTCH_OF_QUICK = 80;

/** How many notches move by so many pixels, one at least: the sign is the direction. */
export function notchesFor(pixels: number, notch = NOTCH): number {
  return Math.sign(pixels) * Math.max(1, Math.floor(Math.abs(pixels) / notch));
}

/**
 * What the wheel was turned over, read again once it moved within `moves` milliseconds and then, with `rest`, stood still for so
 * long: several notches come one after the other. As before where it did not move. `shape`: what is compared of it.
 */
export async function afterWheel<T>(
  desktop: Desktop,
  element: ElementRef,
  read: () => Promise<T>,
  shape: (now: T) => string,
  before: T,
  { moves, rest }: { readonly moves: number; readonly rest?: number | undefined },
  deadline: Deadline,
): Promise<T> {
  let last = before;
  for (let within = moves;;) {
    const from = shape(last);
    const seen = await untilDeadline(
      desktop,
      read,
      (now) => shape(now) !== from,
      deadline.within(within),
      element,
      REREADS_OF_PLACES,
    );
    last = seen.last;
    if (!seen.held || rest === undefined) return last;
    within = rest;
  }
}

/**
 * Where everything below an element is, as one string to compare. Which of it has a place counts too: rows of GTK 3 that are out of
 * view have none, so that a list that scrolled by whole rows has others at the same places.
 */
export function places({ snapshot, row }: Pick<Place, "snapshot" | "row">): string {
  const rects: string[] = [];
  const end = Math.min(snapshot.end(row), row + 2_000);
  for (let r = row; r < end; r++) {
    const rect = snapshot.rect(r);
    if (rect) rects.push(`${r - row}:${rect.x},${rect.y}`);
  }
  return rects.join(" ");
}
