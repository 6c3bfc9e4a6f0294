/**
 * How alike two texts are, from 0 to 1: the pairs of neighbouring letters that both have (Dice's coefficient).
 *
 * @example
 * ```ts
 * import { inCommon } from "./alike.ts";
 * if (inCommon("night", "night") !== 1 || inCommon("night", "nacht") !== 0.25) throw new Error();
 * ```
 */
export function inCommon(a: string, b: string): number {
  const counts = new Map<string, number>();
  for (let k = 0; k + 1 < a.length; k++) {
    counts.set(a.slice(k, k + 2), (counts.get(a.slice(k, k + 2)) ?? 0) + 1);
  }
  let common = 0;
  for (let k = 0; k + 1 < b.length; k++) {
    const left = counts.get(b.slice(k, k + 2)) ?? 0;
    if (left > 0) common++;
    counts.set(b.slice(k, k + 2), left - 1);
  }
  return 2 * common / Math.max(1, a.length + b.length - 2);
}
