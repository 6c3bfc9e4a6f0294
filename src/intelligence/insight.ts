import type { SnapshotField } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { detect, detectors } from "./detect.ts";
import { type PatternName, patternNames } from "./detector.ts";
import { read, type Scene } from "./scene.ts";
import { type State, stateOf } from "./state.ts";
import { type Suggestion, suggestionsFor } from "./suggest.ts";

/**
 * What a snapshot should hold. Without "extents" GTK 4 does not tell what is hidden and sizes are not judged; without
 * "value" a progress bar counts as under way, full or not; "text" and "attributes" tell a little more of web pages.
 */
export const FIELDS: readonly SnapshotField[] = ["extents", "value", "id"];

/** Read once a snapshot, and once a window of it that somebody asked about. */
const scenes = new WeakMap<Snapshot, Map<number, Scene>>();

function sceneOf(snapshot: Snapshot, row = -1): Scene {
  const existing = scenes.get(snapshot) ?? new Map<number, Scene>();
  scenes.set(snapshot, existing);
  let scene = existing.get(row);
  if (scene === undefined) existing.set(row, scene = read(snapshot, row < 0 ? {} : { front: row }));
  return scene;
}

function isPattern(name: string): name is PatternName {
  return patternNames.some((one) => one === name);
}

/** The same as `read`, `detect`, `stateOf` and `suggestionsFor`, for those who hold snapshots and no scenes. */
export const insight = {
  /** The pattern of the window in front, or of the window or dialog in a row. */
  pattern(snapshot: Snapshot, row?: number): PatternName | undefined {
    return detect(sceneOf(snapshot, row)).pattern?.name;
  },
  /** What the application is up to. */
  state(snapshot: Snapshot): State {
    return stateOf(sceneOf(snapshot));
  },
  /** What may be done next where a pattern shows. */
  suggestions(snapshot: Snapshot, pattern: string): readonly Suggestion[] {
    return isPattern(pattern) && detectors.has(pattern) ? suggestionsFor(sceneOf(snapshot), pattern) : [];
  },
};
