import { BackstepError } from "../base/error.ts";
import { MADE_UP } from "../desktop/item.ts";
import { find, readSelector } from "../desktop/selector/mod.ts";
import { quote } from "../desktop/quote.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { wordOf } from "../desktop/vocabulary.ts";
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

/**
 * A query that finds this row and no other: its name where that is enough, else a selector, at last by its place among
 * those that are alike. Undefined: nothing short tells it from others.
 */
export function queryFor(scene: Scene, row: number): string | undefined {
  const { snapshot } = scene;
  const name = snapshot.name(row).trim(), id = snapshot.id(row);
  const word = wordOf(snapshot, row);
  // What a toolkit makes up is a name to a query as well, and says nothing to who reads it.
  const short = name !== "" && name.length <= 80 && !name.includes("\n") && !MADE_UP.test(name);
  const typed = short ? `${word}[name=${quote(snapshot.name(row))}]` : word;
  const candidates = [
    ...(short ? [name] : []),
    ...(id === "" ? [] : [`[id=${quote(id)}]`]),
    typed,
    `${typed}:visible`,
    ...ancestorsOf(scene, row).map((above) => `${above} ${typed}:visible`),
  ];
  return candidates.find((query) => finds(snapshot, query, row)) ??
    byPlace(snapshot, `${typed}:visible`, row);
}

/** What it is in and has a name: the nearest three, and the dialog. */
function ancestorsOf(scene: Scene, row: number): string[] {
  const { snapshot } = scene;
  const above: string[] = [];
  for (let up = snapshot.parent(row); up > 0 && above.length < 4; up = snapshot.parent(up)) {
    const name = snapshot.name(up);
    const word = wordOf(snapshot, up);
    if (name !== "" && name.length <= 80) above.push(`${word}[name=${quote(name)}]`);
    else if (up === scene.front || up === scene.root) above.push(word);
  }
  return above;
}

function rowsOf(snapshot: Snapshot, query: string): readonly number[] {
  try {
    return find(readSelector(query), snapshot).rows;
  } catch (thrown) {
    // A name can look like a selector that is none.
    if (thrown instanceof BackstepError && (thrown.code === "selector" || thrown.code === "invalid")) {
      return [];
    }
    throw thrown;
  }
}

function finds(snapshot: Snapshot, query: string, row: number): boolean {
  const rows = rowsOf(snapshot, query);
  return rows.length === 1 && rows[0] === row;
}

function byPlace(snapshot: Snapshot, query: string, row: number): string | undefined {
  const at = rowsOf(snapshot, query).indexOf(row);
  return at < 0 ? undefined : `${query}:nth(${at + 1})`;
}
