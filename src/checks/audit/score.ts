import type { Impact } from "./rule.ts";

/** How much a rule counts, by the harm of not meeting it. */
const WEIGHTS: Readonly<Record<Impact, number>> = { critical: 10, serious: 7, moderate: 3, minor: 1 };

/** What one rule came to. */
export interface Tally {
  readonly impact: Impact;
  readonly passed: number;
  readonly failed: number;
}

/**
 * From 0 to 100: of each rule that judged anything the share of elements that passed, weighted by its impact (critical 10,
 * serious 7, moderate 3, minor 1), in whole numbers, rounded down: 100 means that nothing failed. What could not be known and
 * what is suppressed counts neither way.
 *
 * @example
 * ```ts
 * import { scoreOf } from "./score.ts";
 * // Half of what a critical rule judged, everything of a moderate one: (10 * 0.5 + 3 * 1) / 13.
 * const score = scoreOf([
 *   { impact: "critical", passed: 1, failed: 1 },
 *   { impact: "moderate", passed: 4, failed: 0 },
 * ]);
 * if (score !== 61) throw new Error(String(score));
 * ```
 */
export function scoreOf(tallies: readonly Tally[]): number {
  let reached = 0, possible = 0;
  for (const { impact, passed, failed } of tallies) {
    if (passed + failed === 0) continue;
    reached += WEIGHTS[impact] * passed / (passed + failed);
    possible += WEIGHTS[impact];
  }
  return possible === 0 ? 100 : Math.floor(100 * reached / possible);
}
