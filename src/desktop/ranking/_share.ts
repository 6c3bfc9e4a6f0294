import { rowHas } from "../state-words.ts";
import type { Snapshot } from "../snapshot.ts";
import { isInteractive, wordOf } from "../vocabulary.ts";
import { plainLocator } from "./_plain.ts";
import { Ranker } from "./ranker.ts";

/** How many elements of a tree can be told from others by a number alone, or by nothing short. */
export interface Share {
  readonly nodes: number;
  /** What a person can act on and sees. */
  readonly elements: number;
  /** Of these, before locators were ranked, and now. */
  readonly before: number;
  readonly after: number;
  /** Milliseconds an element: half of them, and all but a twentieth, take less. */
  readonly p50: number;
  readonly p95: number;
}

/** What of a tree can be acted on, and shows with all that it lies in. */
export function actionableRows(snapshot: Snapshot): number[] {
  const shows = new Uint8Array(snapshot.size);
  const rows: number[] = [];
  for (let row = 0; row < snapshot.size; row++) {
    const up = snapshot.parent(row);
    const own = up < 0 || rowHas(snapshot, row, "visible");
    shows[row] = own && (up < 0 || shows[up] === 1) ? 1 : 0;
    if (row > 0 && shows[row] === 1 && isInteractive(wordOf(snapshot, row))) rows.push(row);
  }
  return rows;
}

/** Of one tree. */
export function shareOf(snapshot: Snapshot): Share {
  const rows = actionableRows(snapshot);
  const ranker = new Ranker(snapshot);
  const isPlace = (selector: string | undefined) =>
    selector === undefined || /:nth|:first|:last/.test(selector);
  const times: number[] = [];
  let after = 0;
  for (const row of rows) {
    const began = performance.now();
    const best = ranker.best(row);
    times.push(performance.now() - began);
    if (isPlace(best?.selector)) after++;
  }
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  const before = rows.filter((row) => isPlace(plainLocator(snapshot, row))).length;
  return { nodes: snapshot.size, elements: rows.length, before, after, p50: at(0.5), p95: at(0.95) };
}
