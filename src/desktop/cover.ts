import type { Call, Deadline } from "../base/call.ts";
import { defined } from "../base/defined.ts";
import { BackstepError, toBackstepError } from "../base/error.ts";
import { describeRow } from "./describe.ts";
import type { Desktop, Hit, Said, Window } from "./desktop.ts";
import type { Application, ElementRef } from "./element.ts";
import { openPopups, popupWindows } from "./open-popups.ts";
import { areRelated, isLike, isSameItem, reachedBy, telling } from "./reached.ts";
import type { Point } from "./rect.ts";
import { isGtk4, isOffice, readdressesItems } from "./toolkits.ts";
import type { Snapshot } from "./snapshot.ts";

/** What is about to be pointed at, as it was found. */
export interface Pointed {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly row: number;
  /** Where the pointer is to go. */
  readonly point: Point;
  /** Its window, where that is known to be what the point shows. */
  readonly window?: ElementRef;
  /** The same, as the display lists it. */
  readonly own?: Window;
  /** When its place was told, in milliseconds of `performance.now()`, where that is known. */
  readonly readAt?: number;
}

/** What an application says lies at a point. */
export interface Lying {
  readonly hit?: Hit;
  /** What tells it from others; the same for all whose address does not last. */
  readonly key?: string;
  /** When it was said, in milliseconds of `performance.now()`. */
  readonly at: number;
}

/** Asks the application what lies at the point now. */
export async function whatLies(desktop: Desktop, pointed: Pointed, call: Call): Promise<Lying> {
  const { application, snapshot, point, window } = pointed;
  // Each cell of a sheet has another address at each question.
  if (isOffice(application)) return { at: performance.now() };
  // What is kept may have changed since it was found; where little is, it would have to be read.
  const seen = readdressesItems(application) ? snapshot : undefined;
  try {
    const how = { ...call, ...defined({ window, seen }) };
    const hit = await desktop.elementAt(application, point.x, point.y, how);
    return lying(pointed, { at: performance.now(), ...defined({ hit }) });
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    if (code === "unsupported" || code === "refused") return { at: performance.now() };
    throw thrown;
  }
}

/** What was said when it was found, so that it was judged then; undefined: nobody asked there, or something was sent since. */
export function whatWasSaid(desktop: Desktop, pointed: Pointed): Lying | undefined {
  const { application, point: { x, y } } = pointed;
  const said = desktop.saidAt?.(application, x, y);
  return said && lying(pointed, said);
}

function lying({ application, snapshot }: Pointed, { hit, at }: Said): Lying {
  if (hit === undefined) return { at };
  const lasts = !readdressesItems(application) || snapshot.rowOf(hit) >= 0;
  return { hit, key: lasts ? hit.path : "", at };
}

/** Who lies above the element, by what its application says now, and by its tree where that is another; undefined: nothing does. */
export async function coverOf(
  desktop: Desktop,
  pointed: Pointed,
  there: Lying,
  deadline: Deadline,
): Promise<string | undefined> {
  const { application, snapshot, row, point, window } = pointed;
  // Trees hang what a popup shows anywhere.
  if (window === undefined) return undefined;
  const silent = there.hit === undefined;
  // Others say nothing of what says nothing; in GTK 4 that may be what has just come, which has no address until it is asked for.
  if (silent && !(isGtk4(application) && await hasChanged(desktop, snapshot, deadline))) return undefined;
  if (there.hit !== undefined && areRelated(snapshot, row, snapshot.rowOf(there.hit))) return undefined;
  if (
    there.hit !== undefined && !there.key && await isSameItem(desktop, pointed, there.hit, deadline.call())
  ) {
    return undefined;
  }
  const now = await desktop.snapshot(application, { ...deadline.call(), fields: ["extents", "id"] });
  const at = rowIn(now, pointed);
  // That gave all of it addresses. Whether the element itself has gone is for the press to find.
  const hit = there.hit ?? (await whatLies(desktop, pointed, deadline.call())).hit;
  if (at < 0 || hit === undefined) return undefined;
  const { display } = desktop.capabilities;
  // There no window tells of what popped up, and the application says what lies below it.
  if (display === "wayland" && openPopups(now).length + popupWindows(now).length > 0) return undefined;
  const reaching = { application, snapshot: now, row: at };
  const reached = reachedBy(reaching, point, hit, defined({ display }));
  return typeof reached === "string" ? undefined : describeRow(now, telling(reaching, reached.row));
}

/** Does its application show other elements than a snapshot of it? They are compared, since not all that comes is announced. */
async function hasChanged(desktop: Desktop, { origin }: Snapshot, deadline: Deadline): Promise<boolean> {
  const how = { ...deadline.call(), source: "proven", fields: ["id"] } as const;
  const { mirror } = (await desktop.snapshot(origin.application, how)).origin;
  return mirror === undefined || mirror.generation !== origin.mirror?.generation;
}

/** The row of an element in a later look, by its address, or by what it is and where it lies where addresses do not last; -1: none. */
function rowIn(now: Snapshot, { row, snapshot }: Pick<Pointed, "row" | "snapshot">): number {
  const at = now.rowOf(snapshot.element(row));
  if (at >= 0 || !readdressesItems(snapshot.origin.application)) return at;
  for (let one = 0; one < now.size; one++) {
    const later = { role: now.role(one), name: now.name(one), rect: now.rect(one) };
    if (isLike(snapshot, row, later)) return one;
  }
  return -1;
}

/** The error of what something came to lie above. */
export function covered({ snapshot, row, point }: Pointed, cover: string): BackstepError {
  const { x, y } = point;
  return new BackstepError(
    "not_actionable",
    `Cannot point at it: ${describeRow(snapshot, row)} is covered by ${cover} at (${x}, ${y})`,
    {
      hint: "It was not when it was found; wait for what covers it to go.",
      details: { condition: "uncovered", point: [x, y], coveredBy: cover, outcome: "not_sent" },
    },
  );
}
