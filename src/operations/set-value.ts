import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { labelOf } from "../participants/element.ts";
import type { Match } from "./target.ts";

/** What an element can be set to. */
export const Value = z.union([z.string().max(1_000_000), z.number(), z.boolean()]);
export type Value = z.infer<typeof Value>;

/** Words for on and off: the tool design passes every value as a string. */
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["on", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["off", false],
  ["no", false],
  ["0", false],
]);

/** On or off, as a boolean or in a word; undefined: it is neither. */
export function onOff(value: Value): boolean | undefined {
  return typeof value === "boolean" ? value : WORDS.get(String(value).toLowerCase());
}

/** Is it a text that no number could be meant by? */
export function isWords(value: Value): value is string {
  return typeof value === "string" && value.trim() !== "" && Number.isNaN(Number(value));
}

export function asBoolean(match: Match, value: Value): boolean {
  const on = onOff(value);
  if (on === undefined) throw unfit(match, value, "true or false");
  return on;
}

export function asNumber(match: Match, value: Value): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) throw unfit(match, value, "a number");
  return number;
}

/** The value as a text; `true` and `false` are none. */
export function asText(match: Match, value: Value, wants = "a text"): string {
  if (typeof value === "boolean") throw unfit(match, value, wants);
  return String(value);
}

/** The error for a value that an element does not take. */
export function unfit(match: Match, value: Value, wants: string): BackstepError {
  const shown = typeof value === "string" ? "this text" : JSON.stringify(value);
  return new BackstepError("invalid", `Cannot set ${labelOf(match)} to ${shown}: it takes ${wants}`);
}
