const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** No duration in a file may be longer: 24 hours. */
export const LONGEST = 24 * 3_600_000;

/** How durations are written, for hints. */
export const DURATION_HINT =
  'Write milliseconds as a number, or a text such as "500ms", "10s", "2m" or "1h".';

/**
 * A duration in milliseconds: a number is milliseconds already, a text has a unit (`500ms`, `1.5s`, `2m`, `1h`).
 * Undefined for what is no duration between 0 and 24 hours.
 *
 * @example
 * ```ts
 * import { parseDuration } from "./durations.ts";
 * if (parseDuration("1.5s") !== 1_500) throw new Error();
 * ```
 */
export function parseDuration(value: unknown): number | undefined {
  const milliseconds = typeof value === "number" ? value : fromText(value);
  if (milliseconds === undefined || !Number.isFinite(milliseconds)) return undefined;
  if (milliseconds < 0 || milliseconds > LONGEST) return undefined;
  return Math.round(milliseconds);
}

function fromText(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^(\d{1,9}(?:\.\d{1,6})?)\s?(ms|s|m|h)$/.exec(value.trim());
  const unit = UNITS[match?.[2] ?? ""];
  return match && unit !== undefined ? Number(match[1]) * unit : undefined;
}
