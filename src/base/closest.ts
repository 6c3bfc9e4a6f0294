/**
 * The candidates nearest to a misspelt word, best first: at most `most`, none that differs in more than a third of its
 * letters (Damerau–Levenshtein, optimal string alignment).
 *
 * @example
 * ```ts
 * import { closest } from "./closest.ts";
 * if (closest("clik", ["click", "type"])[0] !== "click") throw new Error();
 * ```
 */
export function closest(word: string, candidates: Iterable<string>, most = 3): string[] {
  const scored: { candidate: string; distance: number }[] = [];
  const wanted = word.toLowerCase();
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    const length = Math.max(word.length, candidate.length);
    if (distance < length && distance <= Math.ceil(length / 3)) {
      scored.push({ candidate, distance });
    }
  }
  scored.sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate));
  return scored.slice(0, most).map((s) => s.candidate);
}

function editDistance(a: string, b: string): number {
  let twoAgo: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (twoAgo[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    twoAgo = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
