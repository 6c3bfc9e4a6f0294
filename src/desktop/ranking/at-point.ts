import type { Call } from "../../base/call.ts";
import type { Application, Desktop } from "../desktop.ts";
import { hitTest } from "../hit-test.ts";
import { contains } from "../rect.ts";
import type { Snapshot } from "../snapshot.ts";
import { isGtk4 } from "../toolkits.ts";
import { isInteractive, wordOf } from "../vocabulary.ts";

/** Levels up to what a label or picture belongs to. */
const LEVELS = 5;

/**
 * The rows that lie at a point of the screen, by the places in the tree and by what the application says: one where both agree
 * or only one of them answers, two where they differ, the likelier first. A label or picture stands for what it belongs to.
 */
export async function rowsAt(
  desktop: Desktop,
  application: Application,
  snapshot: Snapshot,
  at: { readonly x: number; readonly y: number },
  call: Call,
): Promise<number[]> {
  const windows = await desktop.windows(call);
  const popup = windows.findLast((one) => one.popup && contains(one.rect, at.x, at.y));
  const drawn = hitTest(snapshot, at.x, at.y, popup?.rect);
  const reported = await desktop.elementAt(application, at.x, at.y, call);
  const answered = reported === undefined ? -1 : snapshot.rowOf(reported);
  const rows = [drawn, answered].filter((row) => row > 0);
  const [one, other] = rows;
  if (one === undefined || other === undefined) return rows.map((row) => actionable(snapshot, row, at));
  // Of what lies in each other, the inner one is meant.
  if (isIn(snapshot, one, other) || isIn(snapshot, other, one)) {
    return [actionable(snapshot, Math.max(one, other), at)];
  }
  // GTK 4 reports a box where the tree tells the button in it; elsewhere pages that do not show still say that they do.
  const ordered = isGtk4(snapshot.origin.application) ? [one, other] : [other, one];
  return [...new Set(ordered.map((row) => actionable(snapshot, row, at)))];
}

function isIn(snapshot: Snapshot, row: number, around: number): boolean {
  return row >= around && row < snapshot.end(around);
}

/** The row, or the nearest around it at this point that a person can act on. */
function actionable(snapshot: Snapshot, row: number, at: { readonly x: number; readonly y: number }): number {
  let levels = 0;
  for (let up = row; up > 0 && levels <= LEVELS; up = snapshot.parent(up), levels++) {
    const rect = snapshot.rect(up);
    if (isInteractive(wordOf(snapshot, up)) && rect !== undefined && contains(rect, at.x, at.y)) return up;
  }
  return row;
}
