import { randomInt } from "node:crypto";
import { parseDuration } from "../../../workflow/durations.ts";
import { usage } from "../../arguments.ts";
import type { Arguments, Command } from "../../command.ts";

/** Seeds of `--shuffle` are below this. */
const SEEDS = 2 ** 32;

/** A whole number that is at least `least`. */
export function whole(command: Command, args: Arguments, name: string, least: number): number | undefined {
  const value = args.number(name);
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= 10_000)) return value;
  throw usage(command, `--${name} takes a whole number from ${least} on, not ${value}`);
}

/** A time above 0, in milliseconds. */
export function milliseconds(command: Command, args: Arguments, name: string): number | undefined {
  const text = args.string(name);
  if (text === undefined) return undefined;
  const found = parseDuration(text);
  if (found !== undefined && found > 0) return found;
  throw usage(command, `--${name} takes a time such as 30s, not "${text}"`);
}

/** The seed of `--shuffle`, a new one where none is given; undefined: the longest begin first. */
export function seedOf(command: Command, args: Arguments): number | undefined {
  const text = args.string("shuffle");
  if (text === undefined || text === "") return text === "" ? randomInt(SEEDS) : undefined;
  const seed = /^\d+$/.test(text) ? Number(text) : NaN;
  if (seed < SEEDS) return seed;
  throw usage(command, `--shuffle takes a whole number below ${SEEDS}, not "${text}"`);
}
