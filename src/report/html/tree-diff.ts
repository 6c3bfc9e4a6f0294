import type { DiffRun } from "./model.ts";

/** Comparisons that one difference may take; beyond it what is not the same at both ends counts as replaced. */
const MOST = 2_000_000;

/**
 * The shortest way from some lines to others, as runs of lines that are in both, only before, and only after.
 *
 * @example
 * ```ts
 * import { treeDiff } from "./tree-diff.ts";
 * const runs = treeDiff(["a", "b", "c"], ["a", "x", "c"]);
 * if (JSON.stringify(runs) !== '[["=",1],["-",1],["+",1],["=",1]]') throw new Error(JSON.stringify(runs));
 * ```
 */
export function treeDiff(before: readonly string[], after: readonly string[]): DiffRun[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let same = 0;
  const most = Math.min(before.length, after.length) - start;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  const runs: DiffRun[] = [];
  add(runs, "=", start);
  middle(before.slice(start, before.length - same), after.slice(start, after.length - same), runs);
  add(runs, "=", same);
  return runs;
}

function add(runs: DiffRun[], sign: DiffRun[0], lines: number): void {
  if (lines === 0) return;
  const last = runs.at(-1);
  if (last?.[0] === sign) runs[runs.length - 1] = [sign, last[1] + lines];
  else runs.push([sign, lines]);
}

function middle(before: readonly string[], after: readonly string[], runs: DiffRun[]): void {
  const width = after.length + 1;
  if (before.length * width > MOST) {
    add(runs, "-", before.length);
    add(runs, "+", after.length);
    return;
  }
  // longest[i * width + j]: how many lines of before[i…] and after[j…] are the same, in order.
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      longest[i * width + j] = before[i] === after[j]
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      add(runs, "=", 1);
      i++;
      j++;
    } else if (i < before.length && (j === after.length || at(i + 1, j) >= at(i, j + 1))) {
      add(runs, "-", 1);
      i++;
    } else {
      add(runs, "+", 1);
      j++;
    }
  }
}
