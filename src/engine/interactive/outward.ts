import type { Gate } from "../../contract/gate.ts";
import type { UndoEntry } from "../rollback/undo-log.ts";
import type { Point, Track } from "./track.ts";

/**
 * The first step that reached beyond the desktop (a program, the network) or was declared irreversible, for people; undefined:
 * none did. A new desktop takes nothing of that back, and running it again would do it twice.
 */
export function outwardOf(
  points: readonly Point[],
  standing: readonly UndoEntry[],
  track: Track,
  gate: Gate,
): string | undefined {
  const failed = new Set(standing.filter(({ outcome }) => outcome !== "failed").map(({ path }) => path));
  for (const { path, name, operation, irreversible } of points) {
    const done = track.doneAt(path);
    const acted = done === undefined
      ? failed.has(path)
      : done.entries.some(({ outcome }) => outcome !== "failed");
    if (!acted) continue;
    if (irreversible) return `step ${path} (${name}) is declared irreversible`;
    if (gate.operation(operation).hints.openWorld) return `step ${path} (${name}) reached beyond the desktop`;
  }
  return undefined;
}
