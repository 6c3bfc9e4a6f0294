import { BackstepError, type Json } from "../../base/error.ts";
import { parseDuration } from "../../workflow/durations.ts";

const HINT =
  "Write a time such as 2026-12-01T08:00, one from now on such as 2h or 3d, or the name of a field that has one.";
const DAY = 86_400_000;

/** When an item may begin, or must have begun: the same for all, or what a field of each says. */
export type ItemTime = { readonly at: Date } | { readonly field: string };

/**
 * Reads what a person writes for a time of items: a date and time (of this machine's zone where it names none), a duration
 * from now on, or the name of one of the items' fields. Throws `usage`.
 */
export function readItemTime(option: string, text: string, fields: ReadonlySet<string>, now: Date): ItemTime {
  if (fields.has(text)) return { field: text };
  const at = timeOf(text, now);
  if (at) return { at };
  throw new BackstepError(
    "usage",
    `Cannot use --${option} ${text}: it is no time, and no field of the items`,
    {
      hint: HINT,
    },
  );
}

/** The time of one item; undefined: its field is empty. Throws `usage` with its line. */
export function timeOfItem(
  option: string,
  time: ItemTime,
  item: { readonly fields: { readonly [name: string]: Json }; readonly line: number },
  now: Date,
): Date | undefined {
  if ("at" in time) return time.at;
  const value = item.fields[time.field];
  if (value === undefined || value === null || value === "") return undefined;
  const at = typeof value === "string" ? timeOf(value, now) : undefined;
  if (at) return at;
  throw new BackstepError(
    "usage",
    `Cannot use the field ${time.field} of line ${item.line} for --${option}: ${
      JSON.stringify(value)
    } is no time`,
    { hint: HINT },
  );
}

/** A time, or so long from now on; undefined: it is neither. */
export function timeOf(text: string, now: Date): Date | undefined {
  const days = /^(\d{1,4})d$/.exec(text.trim());
  const from = days ? Number(days[1]) * DAY : parseDuration(text);
  if (from !== undefined) return new Date(now.getTime() + from);
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text.trim())) {
    return undefined;
  }
  const at = new Date(text.trim().length === 10 ? `${text.trim()}T00:00` : text.trim());
  return Number.isNaN(at.getTime()) ? undefined : at;
}
