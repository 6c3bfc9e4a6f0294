import { z } from "zod";

const UNITS = { ms: 1, s: 1_000, m: 60_000 } as const;

/** A duration in an input: milliseconds as a number, or "500ms", "2s", "1.5m". */
export const Duration = z.union([
  z.number().nonnegative().max(600_000),
  z.string().regex(/^\d+(\.\d+)?(ms|s|m)$/, 'A duration is a number of milliseconds, or "500ms", "2s", "1m"'),
]);
export type Duration = z.infer<typeof Duration>;

/**
 * A duration in milliseconds.
 *
 * @example
 * ```ts
 * import { milliseconds } from "./duration.ts";
 * if (milliseconds("1.5s") !== 1_500 || milliseconds(20) !== 20) throw new Error();
 * ```
 */
export function milliseconds(duration: Duration): number {
  if (typeof duration === "number") return duration;
  const unit = duration.endsWith("ms") ? "ms" : duration.endsWith("s") ? "s" : "m";
  return Number(duration.slice(0, -unit.length)) * UNITS[unit];
}
