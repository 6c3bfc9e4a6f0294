import type { Deadline } from "../base/call.ts";
import { BackstepError, type ErrorCode, toBackstepError } from "../base/error.ts";
import type { Context } from "../contract/operation.ts";
import { label } from "../desktop/actions/label.ts";
import { type Place, placeOf } from "../desktop/actions/place.ts";
import { REREADS_OF_PLACES, untilDeadline, watchUntil } from "../desktop/actions/read-back.ts";
import { scrollBy } from "../desktop/actions/scroll.ts";
import { scrollIntoView } from "../desktop/actions/scroll-into-view.ts";
import type { Desktop, ElementRef } from "../desktop/desktop.ts";
import type { Unmet } from "../desktop/locator/condition.ts";
import { reachable } from "../desktop/locator/reach.ts";
import { sameRect } from "../desktop/rect.ts";
import type { Way } from "../desktop/scroll-area.ts";
import { isWeb } from "../desktop/toolkits.ts";
import { visiblePart } from "../desktop/visible.ts";
import type { Match } from "./target.ts";

/** Times that a view is scrolled: what comes out from under a header may come under something else. */
const TRIES = 3;

/** Milliseconds kept for saying what covers it. */
const RESERVE = 200;

/** Codes of a view that is not scrolled, so that there is only to wait. */
const STAYS: ReadonlySet<ErrorCode> = new Set([
  "unsupported",
  "needs_focus",
  "not_actionable",
  "no_effect",
  "refused",
]);

/** Where an element was seen, and what was in the way then: undefined where nothing was, or it is out of view. */
interface Seen {
  readonly place: Place;
  readonly unmet: Unmet | undefined;
}

/**
 * Brings out what was found under something else in its window, before it is acted on: its view is scrolled until it lies free, as a
 * person would do with what a header hides. What cannot be scrolled away, or does not help, is waited for. Errors: `not_actionable`
 * with what covers it.
 */
export async function uncover(
  { desktop, deadline }: Pick<Context, "desktop" | "deadline">,
  match: Match,
): Promise<void> {
  if (match.beneath === undefined) return;
  const look = () => lookAt({ desktop, deadline }, match.element);
  let now: Seen = { place: match, unmet: match.beneath };
  try {
    for (let tries = 0; now.unmet?.wayOut !== undefined && tries < TRIES; tries++) {
      if (!await scrolled(desktop, match, now.unmet.wayOut, now.place, deadline)) break;
      now = await look();
    }
    if (now.unmet === undefined) return;
    const free = async () => (now = await look()).unmet === undefined;
    const patience = deadline.within(Math.max(1, deadline.remaining() - RESERVE));
    await untilDeadline(desktop, free, (held) => held, patience, match.element);
  } catch (thrown) {
    // What covers it says more than that there was no time for one more look.
    if (toBackstepError(thrown).code !== "timeout") throw thrown;
  }
  if (now.unmet === undefined) return;
  const { condition, sentence, hint = "Close or move what covers it.", details } = now.unmet;
  throw new BackstepError("not_actionable", `Cannot use ${label(match.element)}: ${sentence}`, {
    hint,
    details: { ...details, condition, outcome: "not_sent" },
  });
}

/**
 * The same for what a pointer is going to be put on: what is out of view is scrolled to, and may come to lie under a header by that.
 */
export async function bringOut(
  context: Pick<Context, "desktop" | "deadline">,
  match: Match,
): Promise<void> {
  const { desktop, deadline } = context;
  if (match.beneath !== undefined || visiblePart(match.snapshot, match.row) !== undefined) {
    return await uncover(context, match);
  }
  try {
    await scrollIntoView(desktop, match.element, deadline);
  } catch (thrown) {
    // Whoever points at it looks once more, and says why it is not to be reached.
    if (STAYS.has(toBackstepError(thrown).code)) return;
    throw thrown;
  }
  const { place, unmet } = await lookAt(context, match.element);
  if (unmet?.wayOut) await uncover(context, { ...match, ...place, beneath: unmet });
}

/** Looks where an element lies, and what lies on it. */
export async function lookAt(
  { desktop, deadline }: Pick<Context, "desktop" | "deadline">,
  element: ElementRef,
): Promise<Seen> {
  const place = await placeOf(desktop, element, deadline, ["extents"]);
  const part = visiblePart(place.snapshot, place.row);
  // What has been scrolled away meanwhile is scrolled to by the action.
  if (part === undefined) return { place, unmet: undefined };
  const found = { ...place, element, strategy: "selector", tried: [], narrowed: [] } as const;
  return { place, unmet: await reachable(desktop, found, part, deadline) };
}

/** Did its view move? A page scrolls to a place of the element itself, whatever of what is around it scrolls. */
async function scrolled(
  desktop: Desktop,
  { element }: Match,
  way: Way,
  place: Place,
  deadline: Deadline,
): Promise<boolean> {
  const prepares = { prepares: true } as const;
  const rect = place.snapshot.rect(place.row);
  try {
    if (isWeb(place.application) && rect !== undefined) {
      const by = way.direction === "up" || way.direction === "left" ? way.amount : -way.amount;
      const sideways = way.direction === "left" || way.direction === "right";
      const to = sideways ? { x: rect.x + by, y: rect.y } : { x: rect.x, y: rect.y + by };
      await desktop.act(element, { do: "scrollToPoint", ...to }, { ...deadline.call(), ...prepares });
    } else {
      const { direction, amount } = way;
      const done = await scrollBy(desktop, element, direction, amount, deadline, place, prepares);
      if (!done.moved) return false;
    }
    // What scrolls says so before it has laid out anew what it holds.
    const moved = await watchUntil(
      desktop,
      () => desktop.read(element, deadline.call()),
      (now) => !sameRect(now.rect, rect),
      deadline,
      element,
      REREADS_OF_PLACES,
    );
    return moved.held;
  } catch (thrown) {
    if (STAYS.has(toBackstepError(thrown).code)) return false;
    throw thrown;
  }
}
