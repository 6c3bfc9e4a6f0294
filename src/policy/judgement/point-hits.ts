import type { Deadline } from "../../base/call.ts";
import type { Desktop, Window } from "../../desktop/desktop.ts";
import { hitTest } from "../../desktop/hit-test.ts";
import type { Spot } from "../../desktop/reach.ts";
import { contains } from "../../desktop/rect.ts";
import { decorated } from "../black-out.ts";
import type { Hit } from "./hit.ts";
import { hitOf, unknownHit } from "./hit-of.ts";

/** A place of the screen, and what is done there. */
export interface PointReach {
  readonly doing: string;
  readonly x: number;
  readonly y: number;
}

interface Where {
  readonly desktop: Desktop;
  readonly deadline: Deadline;
}

/**
 * What lies at a place of the screen: by the application's own word and by its tree, both where they differ. `expected`:
 * elements that are known to be there, for toolkits that tell neither of what is in a popup.
 */
export async function hitsAtPoint(
  reach: PointReach,
  expected: readonly Spot[],
  where: Where,
): Promise<Hit[]> {
  const found = await spotsAtPoint(reach, expected, where);
  return found.map((one) => "kind" in one ? one : hitOf(one.snapshot, one.row, reach.doing));
}

/** The same as rows of a tree; a hit where that cannot be told. */
export async function spotsAtPoint(
  { doing, x, y }: PointReach,
  expected: readonly Spot[],
  { desktop, deadline }: Where,
): Promise<readonly (Spot | Hit)[]> {
  const place = `the place ${x}, ${y}`;
  if (!desktop.capabilities.windows) {
    return expected.length > 0 ? expected : [unknownHit(undefined, doing, place, "what is there is unknown")];
  }
  const windows = await desktop.windows(deadline.call());
  const window = topAt(windows, x, y);
  if (window === undefined) {
    const frame = windows.findLast((one) => !one.minimised && contains(decorated(one), x, y));
    const why = frame === undefined ? "no window lies there" : "the frame of a window lies there";
    return [unknownHit(undefined, doing, place, why)];
  }
  const applications = await desktop.applications(deadline.call());
  const application = applications.find(({ pid }) => pid === window.pid && pid !== 0);
  if (!application) {
    const name = `${place} in window ${window.title}`;
    return [unknownHit(undefined, doing, name, "its application reports nothing about what is there")];
  }
  const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields: ["extents", "id"] });
  const rows = new Set<number>();
  const drawn = hitTest(snapshot, x, y, window.popup ? window.rect : undefined);
  if (drawn > 0) rows.add(drawn);
  const reported = await desktop.elementAt(application, x, y, deadline.call());
  const row = reported === undefined ? -1 : snapshot.rowOf(reported);
  if (row > 0) rows.add(row);
  if (rows.size === 0) {
    const own = expected.filter((spot) => spot.application.pid === window.pid)
      .map((spot) => snapshot.rowOf(spot.snapshot.element(spot.row))).filter((at) => at > 0);
    own.forEach((at) => rows.add(at));
  }
  if (rows.size === 0) {
    return [unknownHit(application, doing, place, "its application reports nothing about what is there")];
  }
  return [...rows].map((at): Spot => ({ application, snapshot, row: at }));
}

/** Popups lie above every managed window, whatever place the list gives them. */
function topAt(windows: readonly Window[], x: number, y: number): Window | undefined {
  const there = windows.filter(({ minimised, rect }) => !minimised && contains(rect, x, y));
  return there.findLast(({ popup }) => popup) ?? there.at(-1);
}
