import { type Deadline, pause } from "../base/call.ts";
import { BackstepError, toBackstepError } from "../base/error.ts";
import { describeRow } from "./describe.ts";
import { defined } from "../base/defined.ts";
import type { Desktop, ReadCall } from "./desktop.ts";
import type { Application, ElementRef, Rect } from "./element.ts";
import { isOf, topWindow } from "./own-window.ts";
import type { Snapshot } from "./snapshot.ts";
import { isOffice, readdressesItems, webFactsOf } from "./toolkits.ts";
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

/** What is about to be pointed at, as it was found. */
export interface Pointed {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly row: number;
  /** Where the pointer is to go. */
  readonly point: { readonly x: number; readonly y: number };
  /** Its window, where that is known to be what the point shows. */
  readonly window?: ElementRef;
  /** When its place was told, in milliseconds of `performance.now()`, where that is known. */
  readonly readAt?: number;
}

/**
 * Makes sure, right before a press, that what is pointed at stands still. No event tells of it: GTK 4, Qt and Chromium tell
 * nobody that something moves. Where the desktop sees what is drawn, and nothing was drawn in its rectangle for a moment, one
 * more reading of its place does; else two readings of its place and of what lies at the point, that moment apart, of which the
 * first may be the one that found it. Which window is in front there is looked at with the last one.
 * Answers whether it is still where it was found; false: it stands still by now, elsewhere or behind another window, and is to be
 * found again.
 * Errors: `not_actionable` when it moves until the deadline, `stale` when it goes.
 */
export async function standsStill(desktop: Desktop, pointed: Pointed, deadline: Deadline): Promise<boolean> {
  const { snapshot, row } = pointed;
  const element = snapshot.element(row);
  const found = snapshot.rect(row);
  const rect = async () => (await desktop.read(element, deadline.call())).rect;
  const asFound = async () => {
    const [front, now] = await Promise.all([isInFront(desktop, pointed, deadline), rect()]);
    return front && sameRect(found, now);
  };
  const undrawn = async () => found && await desktop.undrawn?.(found, deadline.call()) || 0;
  // A place may be as old as the last report: what moved away since was drawn where it was.
  const late = desktop.undrawn === undefined ? 0 : webFactsOf(pointed.application)?.placesEvery ?? 0;
  const drawn = await undrawn();
  if (drawn >= UNDRAWN_FOR + late && await asFound()) return true;
  const patience = deadline.within(Math.max(1, deadline.remaining() - RESERVE));
  const flush = desktop.flushOf?.(element);
  const standing = async (): Promise<Standing> => {
    if (flush !== undefined) {
      await flush(patience.call());
      await pause(Math.min(REPORTED_WITHIN, patience.remaining()), deadline.signal);
    }
    const [front, now, { there }] = await Promise.all([
      isInFront(desktop, pointed, deadline),
      rect(),
      whatLies(desktop, pointed, deadline.call()),
    ]);
    return { rect: now, there, front, at: performance.now() };
  };
  // The reading that found it is the first of two, with what was said then to lie at the point.
  const first = async (): Promise<Standing> => {
    if (flush !== undefined || pointed.readAt === undefined) return await standing();
    const { there, readAt } = await whatLies(desktop, pointed, { ...deadline.call(), recent: true });
    return { rect: found, there, front: true, at: Math.max(pointed.readAt, readAt) };
  };
  const begun = performance.now();
  // Where nothing was drawn for nearly long enough, that is looked at once more, and the first of two readings is made meanwhile.
  const quiet = UNDRAWN_FOR + late;
  const soon = flush === undefined && drawn > 0 && drawn < quiet;
  let [before] = await Promise.all([
    first(),
    soon ? pause(Math.min(quiet - drawn, patience.remaining()), deadline.signal) : undefined,
  ]);
  if (soon && await undrawn() >= quiet && await asFound()) return true;
  // What was made to report since then holds from then on, if nothing was drawn there since.
  if (
    flush !== undefined && before.front && sameRect(found, before.rect) &&
    await undrawn() >= performance.now() - begun
  ) return true;
  const still = STILL_FOR + (flush === undefined ? late : 0);
  for (;;) {
    await pause(Math.max(0, before.at + still - performance.now()), deadline.signal);
    const now = await standing();
    if (sameRect(before.rect, now.rect) && before.there === now.there) {
      return now.front && sameRect(found, now.rect);
    }
    if (patience.passed) throw moves(pointed, before, now);
    before = now;
  }
}

interface Standing {
  readonly rect: Rect | undefined;
  /** What the application says lies at the point, by its address, where that lasts. */
  readonly there: string | undefined;
  /** Whether no other program's window is in front there. */
  readonly front: boolean;
  /** When it was told, in milliseconds of `performance.now()`. */
  readonly at: number;
}

async function isInFront(
  desktop: Desktop,
  { application, point }: Pointed,
  deadline: Deadline,
): Promise<boolean> {
  if (!desktop.capabilities.windows) return true;
  return isOf(application, topWindow(await desktop.windows(deadline.call()), point.x, point.y));
}

async function whatLies(
  desktop: Desktop,
  { application, snapshot, point, window }: Pointed,
  call: ReadCall,
): Promise<{ readonly there: string | undefined; readonly readAt: number }> {
  const unknown = { there: undefined, readAt: performance.now() };
  // The same cell has another address at each question.
  if (readdressesItems(application) || isOffice(application)) return unknown;
  try {
    const hit = await desktop.elementAt(application, point.x, point.y, {
      ...call,
      ...defined({ window }),
      seen: snapshot,
    });
    return { there: hit?.path, readAt: hit?.readAt ?? performance.now() };
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    if (code === "unsupported" || code === "refused") return unknown;
    throw thrown;
  }
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
