import { Ranker } from "../desktop/ranking/mod.ts";
import type { Snapshot } from "../desktop/snapshot.ts";

/** Rankers keep what they were asked: one a snapshot. */
const rankers = new WeakMap<Snapshot, Ranker>();

/** A selector that finds this row and no other in this snapshot; undefined: nothing short does. The one place that asks for one. */
export function selectorOf(snapshot: Snapshot, row: number): string | undefined {
  let ranker = rankers.get(snapshot);
  if (ranker === undefined) rankers.set(snapshot, ranker = new Ranker(snapshot));
  return ranker.best(row)?.selector;
}
