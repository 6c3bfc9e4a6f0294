import type { Deadline } from "../../base/call.ts";
import { contentOf } from "../content.ts";
import type { Desktop, DesktopEvent, ReadCall, Watch } from "../desktop.ts";
import type { Application, ElementRef, Reading } from "../element.ts";
import { type Flush, flushTurns } from "../flush.ts";
import { MOVED } from "../moved.ts";

/** Milliseconds that an accepted action is given to show: a GTK4 press takes 250 ms to reach its label. */
const PATIENCE = 1_500;
/** How often it is read again without an event, in milliseconds: after `first`, then each time twice as late up to `slowest`. */
export interface Rereads {
  readonly first: number;
  readonly slowest: number;
  /** Events at which it is read again at once; default: any of the application. */
  readonly at?: RegExp;
}

/** Whose events are waited for. Of an element that is named, an application that reports late is made to report. */
export type Reporter = ElementRef | Pick<Application, "bus">;

/** Applications drop events. */
const REREADS: Rereads = { first: 40, slowest: 1_000 };
/** For places, of which Chromium, Qt and GTK 4 tell no changes. */
export const REREADS_OF_PLACES: Rereads = { first: 5, slowest: 40 };

/** How waiting for an effect ended. */
export interface Seen<T> {
  readonly held: boolean;
  /** As it was read last. */
  readonly last: T;
}

/**
 * Reads an element again, but for its place, until `predicate` holds, or an accepted action has had its time to show (1.5 s, and never more
 * than half of what is left, so that another method has time too).
 */
export function until(
  desktop: Desktop,
  element: ElementRef,
  predicate: (reading: Reading) => boolean,
  deadline: Deadline,
): Promise<Seen<Reading>> {
  return watchUntil(desktop, againAndAgain(desktop, element, deadline), predicate, deadline, element);
}

/** How an element is read again and again after an action, but for its place. */
export function againAndAgain(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
): () => Promise<Reading> {
  // What was read as soon as the action was answered does: nothing was sent since, and nothing reported of it.
  let how: ReadCall = { recent: true };
  return () => {
    const call: ReadCall = { ...deadline.call(), ...how, place: false };
    how = {};
    return desktop.read(element, call);
  };
}

/** Milliseconds that a text of which the beginning is there is given for the next bit: a browser on a busy machine. */
const SLOW_TEXT = 10_000;

/** A text on its way into an element. */
export interface Arriving {
  /** What was there before. */
  readonly from: string | undefined;
  /** Whether all is there. */
  readonly whole: (reading: Reading) => boolean;
  /** Whether it can be the beginning of it, more of which is to come. */
  readonly begun: (reading: Reading) => boolean;
}

/**
 * The same for a text that comes in bit by bit: a busy application takes its time over a long one, and is waited for as long
 * as more of it comes.
 */
export async function untilArrived(
  desktop: Desktop,
  element: ElementRef,
  { from, whole, begun }: Arriving,
  deadline: Deadline,
): Promise<Seen<Reading>> {
  let seen = await until(desktop, element, whole, deadline);
  for (let before = from; !seen.held && !deadline.passed && contentOf(seen.last) !== before;) {
    before = contentOf(seen.last);
    if (!begun(seen.last)) seen = await until(desktop, element, whole, deadline);
    else {
      const patience = deadline.within(Math.min(SLOW_TEXT, deadline.remaining() / 2));
      const more = (now: Reading) => whole(now) || contentOf(now) !== before;
      const { last } = await untilDeadline(
        desktop,
        () => desktop.read(element, { ...deadline.call(), place: false }),
        more,
        patience,
        element,
      );
      seen = { held: whole(last), last };
    }
  }
  return seen;
}

/**
 * The same for anything that can be read: subscribes first, then reads, then reads again at each event of the application of
 * `reporter` (of every application without one) and, ever more slowly, without any.
 */
export async function watchUntil<T>(
  desktop: Desktop,
  read: () => Promise<T>,
  predicate: (value: T) => boolean,
  deadline: Deadline,
  reporter?: Reporter,
  rereads?: Rereads,
): Promise<Seen<T>> {
  const patience = deadline.within(Math.min(PATIENCE, deadline.remaining() / 2));
  return await untilDeadline(desktop, read, predicate, patience, reporter, rereads);
}

/** The same, for as long as the deadline allows. */
export async function untilDeadline<T>(
  desktop: Desktop,
  read: () => Promise<T>,
  predicate: (value: T) => boolean,
  deadline: Deadline,
  reporter?: Reporter,
  { first, slowest, at }: Rereads = REREADS,
): Promise<Seen<T>> {
  const watch = desktop.watch();
  const places = slowest === REREADS_OF_PLACES.slowest;
  const how = {
    flush: reporter && "path" in reporter ? desktop.flushOf?.(reporter) : undefined,
    // Who waits for nothing of a place need not look at every move.
    tells: ({ kind }: DesktopEvent) => (at?.test(kind) ?? true) && (places || !MOVED.test(kind)),
  };
  try {
    let last = await read();
    let reread = first;
    while (!predicate(last)) {
      if (deadline.passed) return { held: false, last };
      await change(watch, deadline.within(reread), reporter?.bus, how);
      reread = Math.min(2 * reread, slowest);
      last = await read();
    }
    return { held: true, last };
  } finally {
    watch.close();
  }
}

/** Resolves at the first event of this application, when events were lost, or at the deadline. */
async function change(
  watch: Watch,
  deadline: Deadline,
  bus: string | undefined,
  { flush, tells }: {
    readonly flush: Flush | undefined;
    readonly tells: (event: DesktopEvent) => boolean;
  },
): Promise<void> {
  const turns = flushTurns(flush, deadline);
  while (!deadline.passed) {
    const turn = await turns();
    const news = await watch.next(turn.call());
    // Taken in any case: what was lost would else be told again at every event.
    const events = watch.take();
    if (news === "timeout" && !deadline.passed) continue;
    if (news !== "event") return;
    if (bus === undefined || events.length === 0) return;
    if (events.some((event) => event.bus === bus && tells(event))) return;
  }
}
