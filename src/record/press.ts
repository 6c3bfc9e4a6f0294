import { BackstepError } from "../base/error.ts";
import type { Application, Desktop, Rect, Window } from "../desktop/desktop.ts";
import type { Point } from "./gestures.ts";
import { contains } from "../desktop/rect.ts";
import { isQt } from "../desktop/toolkits.ts";
import { isWithin, meantBy } from "./actionable.ts";
import { sameRow } from "./difference.ts";
import { comboOf, openerOf } from "./click-step.ts";
import { type Hit, hitOf, isInBubble } from "./hit.ts";
import { type Look, reachedAt, rowAt } from "./look.ts";
import type { Observer } from "./observer.ts";

/** Milliseconds in which an application may say what lies at a point. */
const SAYS = 1_000;
/** Milliseconds after a press in which what it sets off tells who was hit. */
const REACTS = 150;

/** Milliseconds before a press in which what the pointer comes to is marked: an item of a menu. */
const AIMS = 250;

/** Pixels, and milliseconds, within which what was said of where the pointer rested is of the press, too. */
const STILL = 3;
const FRESH = 3_000;

/** What is known of a press from the moment that it came. */
export interface Press {
  readonly point: Point;
  readonly time: number;
  /** The windows as they lay then. */
  readonly windows: readonly Window[];
  /** Undefined: no window lies there. */
  readonly window: Window | undefined;
  /** What the window manager draws around that window. */
  readonly frame: boolean;
  /** Undefined: no application that is known has this window. */
  readonly application: Application | undefined;
  /** What was there before the press; undefined: nobody looked in time. */
  readonly look: Look | undefined;
  /** Something changed after that look. */
  readonly stale: boolean;
  /** By the places of that look; -1: nothing. */
  readonly own: number;
  /** The object path that the application says. */
  readonly said: Promise<string | undefined>;
}

/** What an application says lies where the pointer came to rest. */
export interface Rest {
  readonly point: Point;
  readonly time: number;
  readonly bus: string;
  readonly said: Promise<string | undefined>;
}

/** Asks what lies where the pointer rests: it is likely to be pressed next. */
export function rest(desktop: Desktop, observer: Observer, point: Point, time: number): Rest | undefined {
  const { window, frame } = reachedAt(observer.windows, point.x, point.y) ?? {};
  const application = window && !frame && owner(observer.applications, window);
  if (!application) return undefined;
  return { point, time, bus: application.bus, said: ask(desktop, application, point) };
}

/**
 * Takes down what is known of a press; asks the application at once where it was not asked while the pointer rested. Of what is
 * let go, `windows` are those of its press: what is dragged may be a window of its own, under the pointer.
 */
export function notePress(
  desktop: Desktop,
  observer: Observer,
  point: Point,
  time: number,
  rested?: Rest,
  windows = observer.windows,
): Press {
  const { x, y } = point;
  const { window, frame = false } = reachedAt(windows, x, y) ?? {};
  const application = window && owner(observer.applications, window);
  if (window === undefined || application === undefined || frame) {
    const nobody = { own: -1, said: Promise.resolve(undefined), look: undefined, stale: false };
    return { point, time, windows, window, frame, application, ...nobody };
  }
  const look = observer.looks.before(application.bus, time);
  const own = look === undefined ? -1 : rowAt(look, window, x, y);
  const stale = look !== undefined && observer.isStale(look);
  const near = rested !== undefined && rested.bus === application.bus && time - rested.time < FRESH &&
    Math.abs(rested.point.x - x) <= STILL && Math.abs(rested.point.y - y) <= STILL;
  const said = near ? rested.said : ask(desktop, application, point);
  return { point, time, windows, window, frame, application, look, stale, own, said };
}

/** Judges a press once what it set off is known; `after`: a look at what it left. */
export async function judged(observer: Observer, one: Press, after?: Look): Promise<Hit> {
  const said = await one.said;
  const { look, application, own, time } = one;
  if (look === undefined || application === undefined) return { row: -1, sure: false, others: [] };
  const { snapshot } = look;
  const popup = one.window?.popup === true;
  const rowOf = (path: string) => {
    const element = { bus: application.bus, path };
    const existing = snapshot.rowOf(element),
      later = existing < 0 && after ? after.snapshot.rowOf(element) : -1;
    const row = after && later >= 0 ? sameRow(after.snapshot, later, snapshot) : existing;
    // A box that opens at once answers with what is in its list, which was not there yet.
    return popup || row < 0 ? row : openerOf(snapshot, row);
  };
  // What is chosen elsewhere was not pressed: Qt's list of files is there twice, and one of them does not show.
  const elsewhere = (row: number) => {
    const rect = snapshot.rect(row);
    return isQt(application) && !popup && (rect === undefined || !contains(rect, one.point.x, one.point.y));
  };
  const reportedSince = (from: number) =>
    observer.reported.states(application.bus, from, time + REACTS).map(rowOf)
      .filter((row) => row > 0 && !elsewhere(row));
  const mine = popup || own < 0 ? own : openerOf(snapshot, own);
  const answer = said === undefined ? -1 : rowOf(said);
  const meant = meantBy(snapshot, mine);
  if (!one.stale && meant >= 0 && isInBubble(snapshot, mine, answer)) {
    return { row: meant, sure: true, others: [] };
  }
  const hit = hitOf(snapshot, { own: mine, said: answer, reported: reportedSince(time - 5) });
  const inCombo = hit.row >= 0 && comboOf(snapshot, hit.row) >= 0;
  if (
    popup && isQt(application) && !inCombo &&
    !liesIn(hit.row < 0 ? undefined : snapshot.rect(hit.row), one.window?.rect)
  ) {
    return { row: -1, sure: false, others: [] };
  }
  // What the application says now is of now; with a look of before that is no agreement. What it marked under the pointer is.
  const marked = () => reportedSince(time - AIMS).some((row) => isWithin(snapshot, row, hit.row));
  const sure = hit.sure && (!one.stale || answer >= 0 || marked() || stayed(one, look, hit.row, after));
  return { ...hit, sure };
}

/** Pixels by which an item stands out of its popup, at most. */
const EDGE = 3;

/** Is it in the popup? Qt keeps context menus out of its tree, and answers with what they cover. */
function liesIn(inner: Rect | undefined, outer: Rect | undefined): boolean {
  return inner !== undefined && outer !== undefined && inner.x >= outer.x - EDGE &&
    inner.y >= outer.y - EDGE &&
    inner.x + inner.width <= outer.x + outer.width + EDGE &&
    inner.y + inner.height <= outer.y + outer.height + EDGE;
}

/** Does the same still lie there after the press? Then it lay there during it, whatever else changed. */
function stayed({ window, point }: Press, { snapshot }: Look, row: number, after: Look | undefined): boolean {
  const still = after?.windows.find(({ id }) => id === window?.id);
  if (row < 0 || after === undefined || still === undefined) return false;
  const now = rowAt(after, still, point.x, point.y);
  const meant = now < 0 ? -1 : meantBy(after.snapshot, now);
  const name = snapshot.name(row);
  return meant >= 0 && name !== "" && after.snapshot.name(meant) === name &&
    after.snapshot.role(meant) === snapshot.role(row);
}

async function ask(desktop: Desktop, application: Application, { x, y }: Point): Promise<string | undefined> {
  try {
    return (await desktop.elementAt(application, x, y, { timeout: SAYS }))?.path;
  } catch (error) {
    // One that is gone, hangs or does not know says nothing.
    if (error instanceof BackstepError && error.code !== "internal") return undefined;
    throw error;
  }
}

function owner(applications: readonly Application[], window: Window): Application | undefined {
  return applications.find(({ pid }) => pid === window.pid && pid !== 0);
}
