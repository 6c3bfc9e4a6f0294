import type { Place } from "../base/error.ts";
import { DURATION_HINT, parseDuration } from "./durations.ts";
import type { Faults } from "./diagnostics.ts";
import { describe, type Entry, type ListNode, type MapNode, type Node } from "./node.ts";
import { didYouMean, shown } from "./suggest.ts";

/** Names of variables, steps and loop variables: a letter, then letters, digits, `_` and `-`. */
export const NAME = /^\p{L}[\p{L}\p{N}_-]{0,99}$/u;

/** The node as a map, or a fault. */
export function readMap(node: Node, what: string, faults: Faults, hint?: string): MapNode | undefined {
  if (node.kind === "map") return node;
  faults.add(node.place, `${what} takes a map, not ${describe(node)}`, hint);
  return undefined;
}

/** The node as a list, or a fault. */
export function readList(node: Node, what: string, faults: Faults, hint?: string): ListNode | undefined {
  if (node.kind === "list") return node;
  faults.add(node.place, `${what} takes a list, not ${describe(node)}`, hint);
  return undefined;
}

/** A text that stands as it is: placeholders are not filled in here, so they are refused. */
export function readText(node: Node, what: string, faults: Faults, hint?: string): string | undefined {
  if (node.kind !== "scalar" || typeof node.value !== "string") {
    const quoted = node.kind === "scalar" && node.value !== null ? `Quote it: "${node.value}".` : undefined;
    faults.add(node.place, `${what} takes a text, not ${describe(node)}`, hint ?? quoted);
    return undefined;
  }
  if (node.value.trim() === "") {
    faults.add(node.place, `${what} is empty`, hint);
    return undefined;
  }
  if (node.value.includes("{{")) {
    faults.add(
      node.place,
      `${what} cannot hold a placeholder`,
      "It is read before anything runs: write it out.",
    );
    return undefined;
  }
  return node.value;
}

/** A name that placeholders can reach. */
export function readName(node: Node, what: string, faults: Faults): string | undefined {
  const name = readText(node, what, faults);
  if (name === undefined) return undefined;
  if (NAME.test(name)) return name;
  faults.add(node.place, `${what} ${shown(name)} is no name`, "Use a letter, then letters, digits, _ and -.");
  return undefined;
}

export function readBoolean(node: Node, what: string, faults: Faults): boolean | undefined {
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  faults.add(node.place, `${what} takes true or false, not ${describe(node)}`);
  return undefined;
}

/** A whole number from `least` to `most`. */
export function readCount(
  node: Node,
  what: string,
  [least, most]: readonly [number, number],
  faults: Faults,
): number | undefined {
  const value = node.kind === "scalar" ? node.value : undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  faults.add(node.place, `${what} takes a whole number from ${least} to ${most}, not ${describe(node)}`);
  return undefined;
}

/** A duration in milliseconds. */
export function readDuration(node: Node, what: string, faults: Faults): number | undefined {
  const parsed = node.kind === "scalar" ? parseDuration(node.value) : undefined;
  if (parsed === undefined) {
    faults.add(node.place, `${what} takes a duration, not ${describe(node)}`, DURATION_HINT);
  }
  return parsed;
}

/** One of a few words. */
export function readChoice<T extends string>(
  node: Node,
  what: string,
  choices: readonly T[],
  faults: Faults,
): T | undefined {
  const value = node.kind === "scalar" ? node.value : undefined;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  faults.add(
    node.place,
    `${what} cannot be ${describe(node)}`,
    didYouMean(typeof value === "string" ? value : "", choices, "Possible"),
  );
  return undefined;
}

/** Every key of `map` that is not known becomes a fault with the nearest known one. */
export function refuseUnknown(map: MapNode, existing: readonly string[], what: string, faults: Faults): void {
  for (const { key, keyPlace } of map.entries) {
    if (!existing.includes(key)) unknownKey(key, keyPlace, existing, what, faults);
  }
}

/** The fault of one unknown key. */
function unknownKey(
  key: string,
  place: Place,
  existing: readonly string[],
  what: string,
  faults: Faults,
): void {
  faults.add(place, `unknown key ${shown(key)} in ${what}`, didYouMean(key, existing));
}

/** What `read` makes of the entry's value, as a property to spread; nothing where there is none or it is faulty. */
export function property<K extends string, T>(
  name: K,
  entry: Entry | undefined,
  read: (node: Node) => T | undefined,
): { [key in K]?: T } {
  const value = entry === undefined ? undefined : read(entry.value);
  const made: { [key in K]?: T } = {};
  if (value !== undefined) made[name] = value;
  return made;
}
