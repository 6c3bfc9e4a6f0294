import type { Json } from "../base/error.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { FULL } from "../operations/target.ts";
import { kindOf } from "../operations/kind.ts";
import { valueOf } from "../operations/value-of.ts";
import { rowsAt } from "../desktop/ranking/mod.ts";
import type { Point } from "./gestures.ts";
import { type Look, reachedAt } from "./look.ts";
import type { Observer } from "./observer.ts";

/** Milliseconds in which an application may say what lies at a point. */
const SAYS = 2_000;
/** Milliseconds of the look that reads texts. */
const READS = 5_000;

/** What an assertion says of an element: its value where it has one beside its name, else that it exists. A secret has none. */
async function shownOf(
  desktop: Desktop,
  { application, snapshot }: Look,
  row: number,
  secret: ReadonlySet<string>,
): Promise<Readonly<Record<string, Json>>> {
  const exists = { exists: true };
  if (secret.has(`${application.bus} ${snapshot.path(row)}`) || kindOf(snapshot, row) === "secure") {
    return exists;
  }
  const now = await desktop.snapshot(application, { timeout: READS, fields: FULL });
  const there = now.rowOf(snapshot.element(row));
  if (there < 0 || ["secure", "other"].includes(kindOf(now, there))) return exists;
  const value = valueOf(now, there);
  return value === null || value === now.name(there) ? exists : { value };
}

/** An element and what an assertion says of it. */
export interface Shown {
  readonly look: Look;
  readonly row: number;
  readonly holds: Readonly<Record<string, Json>>;
}

/** What lies at a place of the screen; undefined: no element of an application that is known. */
export async function shownAt(desktop: Desktop, observer: Observer, at: Point): Promise<Shown | undefined> {
  const { window } = reachedAt(observer.windows, at.x, at.y) ?? {};
  const application = observer.applications.find(({ pid }) => pid !== 0 && pid === window?.pid);
  const look = application && await observer.atRest(application.bus, performance.now());
  if (application === undefined || look === undefined) return undefined;
  const [row] = await rowsAt(desktop, application, look.snapshot, at, { timeout: SAYS });
  if (row === undefined) return undefined;
  return { look, row, holds: await shownOf(desktop, look, row, observer.secret) };
}
