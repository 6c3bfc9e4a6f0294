import { BackstepError } from "../base/error.ts";
import { MADE_UP } from "../desktop/item.ts";
import { Ranker } from "../desktop/ranking/mod.ts";
import { find, readSelector } from "../desktop/selector/mod.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { detect, detectors } from "./detect.ts";
import type { PatternName } from "./detector.ts";
import type { Scene } from "./scene.ts";

/** A next step that may be wanted. Nothing is ever done by itself. */
export interface Suggestion {
  /** In words. */
  readonly action: string;
  /** The tool for it. */
  readonly tool: string;
  /** What that tool is to look for: it finds this element, and no other, in the snapshot that was read. */
  readonly query: string;
}

/** What may be done next where a pattern shows; default: the one that was detected. */
export function suggestionsFor(scene: Scene, pattern?: PatternName): Suggestion[] {
  const name = pattern ?? detect(scene).pattern?.name;
  const detector = name === undefined ? undefined : detectors.get(name);
  return (detector?.suggest(scene) ?? []).flatMap(({ action, tool, row }) => {
    const query = queryFor(scene, row);
    return query === undefined ? [] : [{ action, tool, query }];
  });
}

/** Rankers keep what they were asked: one a snapshot. */
const rankers = new WeakMap<Snapshot, Ranker>();

/**
 * A query that finds this row and no other: its name where that is enough, else the selector that will last longest, at last by
 * its place among those that are alike. Undefined: nothing short tells it from others.
 */
export function queryFor(scene: Scene, row: number): string | undefined {
  const { snapshot } = scene;
  const name = snapshot.name(row).trim();
  // What a toolkit makes up is a name to a query as well, and says nothing to who reads it.
  const short = name !== "" && name.length <= 80 && !name.includes("\n") && !MADE_UP.test(name);
  if (short && finds(snapshot, name, row)) return name;
  let ranker = rankers.get(snapshot);
  if (ranker === undefined) rankers.set(snapshot, ranker = new Ranker(snapshot));
  return ranker.best(row)?.selector;
}

function finds(snapshot: Snapshot, query: string, row: number): boolean {
  try {
    const { rows } = find(readSelector(query), snapshot);
    return rows.length === 1 && rows[0] === row;
  } catch (thrown) {
    // A name can look like a selector that is none.
    if (thrown instanceof BackstepError && (thrown.code === "selector" || thrown.code === "invalid")) {
      return false;
    }
    throw thrown;
  }
}
