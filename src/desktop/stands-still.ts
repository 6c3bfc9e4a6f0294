import { type Deadline, pause } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { covered, coverOf, type Lying, type Pointed, whatLies, whatWasSaid } from "./cover.ts";
import { describeRow } from "./describe.ts";
import type { Desktop } from "./desktop.ts";
import type { Rect } from "./element.ts";
import { isAboveOwn, isOf, topWindow } from "./own-window.ts";
import { webFactsOf } from "./toolkits.ts";
import { placeText, sameRect } from "./rect.ts";

/** So many milliseconds a place stands still: a few frames of any animation. */
export const STILL_FOR = 50;
/** For so many milliseconds nothing is drawn where a place stands still: two frames. */
const UNDRAWN_FOR = 34;
/**
 * Milliseconds within which an application that is made to report has reported: Chromium took 7 at most on a quiet machine, and
 * 30 at a load of 8.
 */
const REPORTED_WITHIN = 100;
/** Milliseconds kept of a deadline for saying that it moves. */
const RESERVE = 100;

/**
 * Makes sure, right before a press, that what is pointed at stands still, and that nothing came to lie above it since it was
 * found. No event tells of it: GTK 4, Qt and Chromium tell nobody that something moves. Where the desktop sees what is drawn, and
 * nothing was drawn in its rectangle for a moment, one more reading of its place does; else two readings of its place and of what
 * lies at the point, that moment apart, of which the first may be the one that found it. Which window is in front there, and what
 * lies at the point, is looked at with the last one.
 * Answers whether it is still where it was found; false: it stands still by now, elsewhere or behind another window, and is to be
 * found again.
 * Errors: `not_actionable` when it moves or is covered until the deadline, `stale` when it goes.
 */
export async function standsStill(desktop: Desktop, pointed: Pointed, deadline: Deadline): Promise<boolean> {
  const { snapshot, row } = pointed;
  const element = snapshot.element(row);
  const found = snapshot.rect(row);
  // A place may be as old as the last report: what moved away since was drawn where it was.
  const late = desktop.undrawn === undefined ? 0 : webFactsOf(pointed.application)?.placesEvery ?? 0;
  const undrawn = async () => found && await desktop.undrawn?.(found, deadline.call()) || 0;
  const foundWith = whatWasSaid(desktop, pointed);
  const drawn = await undrawn();
  const rect = async () => (await desktop.read(element, deadline.call())).rect;
  const standing = async (quiet = 0): Promise<Standing> => {
    const [front, now, there] = await Promise.all([
      isInFront(desktop, pointed, deadline),
      rect(),
      // A page answers late, and nothing came where nothing was drawn.
      late > 0 && foundWith !== undefined && quiet > performance.now() - foundWith.at
        ? foundWith
        : whatLies(desktop, pointed, deadline.call()),
    ]);
    return { rect: now, there, front, at: performance.now() };
  };
  const asFound = async (quiet: number) => {
    const now = await standing(quiet);
    return now.front && sameRect(found, now.rect) &&
      await coverOf(desktop, pointed, now.there, deadline) === undefined;
  };
  if (drawn >= UNDRAWN_FOR + late && await asFound(drawn)) return true;
  const patience = deadline.within(Math.max(1, deadline.remaining() - RESERVE));
  const flush = desktop.flushOf?.(element);
  const flushed = async (): Promise<Standing> => {
    if (flush !== undefined) {
      await flush(patience.call());
      await pause(Math.min(REPORTED_WITHIN, patience.remaining()), deadline.signal);
    }
    return await standing();
  };
  // The reading that found it is the first of two, with what was said then to lie at the point.
  const first = async (): Promise<Standing> => {
    if (flush !== undefined || pointed.readAt === undefined) return await flushed();
    const there = foundWith ?? await whatLies(desktop, pointed, deadline.call());
    return { rect: found, there, front: true, at: Math.max(pointed.readAt, there.at) };
  };
  const waiting = performance.now();
  // Where nothing was drawn for nearly long enough, that is looked at once more, and the first of two readings is made meanwhile.
  const quiet = UNDRAWN_FOR + late;
  const soon = flush === undefined && drawn > 0 && drawn < quiet;
  let [before] = await Promise.all([
    first(),
    soon ? pause(Math.min(quiet - drawn, patience.remaining()), deadline.signal) : undefined,
  ]);
  if (soon) {
    const now = await undrawn();
    if (now >= quiet && await asFound(now)) return true;
  }
  // What was made to report since then holds from then on, if nothing was drawn there since.
  if (
    flush !== undefined && before.front && sameRect(found, before.rect) &&
    await undrawn() >= performance.now() - waiting &&
    await coverOf(desktop, pointed, before.there, deadline) === undefined
  ) return true;
  const still = STILL_FOR + (flush === undefined ? late : 0);
  for (;;) {
    await pause(Math.max(0, before.at + still - performance.now()), deadline.signal);
    const now = await flushed();
    if (sameRect(before.rect, now.rect) && before.there.key === now.there.key) {
      if (!now.front || !sameRect(found, now.rect)) return false;
      const cover = await coverOf(desktop, pointed, now.there, deadline);
      if (cover === undefined) return true;
      if (patience.passed) throw covered(pointed, cover);
    } else if (patience.passed) throw moves(pointed, before, now);
    before = now;
  }
}

interface Standing {
  readonly rect: Rect | undefined;
  readonly there: Lying;
  /** Whether neither another program's window is in front there, nor another one of its own. */
  readonly front: boolean;
  /** When it was told, in milliseconds of `performance.now()`. */
  readonly at: number;
}

async function isInFront(
  desktop: Desktop,
  { application, point, own }: Pointed,
  deadline: Deadline,
): Promise<boolean> {
  if (!desktop.capabilities.windows) return true;
  const top = topWindow(await desktop.windows(deadline.call()), point.x, point.y);
  return isOf(application, top) && !isAboveOwn(own, top);
}

function moves({ snapshot, row }: Pointed, before: Standing, now: Standing): BackstepError {
  const subject = describeRow(snapshot, row);
  const moved = !sameRect(before.rect, now.rect);
  const sentence = moved
    ? `${subject} is moving, from ${placeText(before.rect)} to ${placeText(now.rect)}`
    : `what lies above ${subject} changes all the time`;
  return new BackstepError("not_actionable", `Cannot point at it: ${sentence}`, {
    hint: "It moves all the time; wait for what moves it to end.",
    details: {
      condition: "stable",
      ...(moved ? { from: placeText(before.rect), to: placeText(now.rect) } : {}),
      outcome: "not_sent",
    },
  });
}
