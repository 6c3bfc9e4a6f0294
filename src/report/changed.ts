import type { ChangedAfterwards, RunResult } from "../contract/events.ts";
import { count, oneLine } from "./style.ts";

/** Characters of one value. */
const VALUE = 200;
/** Differences that are named; the rest are counted. */
const NAMED = 20;

/** What no longer reads as it was left, as lines for people: the first counts them. */
export function changedLines(changed: readonly ChangedAfterwards[]): string[] {
  if (changed.length === 0) return [];
  return [
    `changed afterwards: ${count(changed.length, "difference")}`,
    ...changed.slice(0, NAMED).map((one) => `  ${changedText(one)}`),
    ...(changed.length > NAMED ? [`  … and ${changed.length - NAMED} more`] : []),
  ];
}

/** The same of the last try of a file. */
export function changedIn(tries: readonly { readonly result?: RunResult }[]): readonly ChangedAfterwards[] {
  return tries.at(-1)?.result?.changed_afterwards ?? [];
}

function changedText({ path, participant, property, expected, actual }: ChangedAfterwards): string {
  const where = path === "" ? "" : ` (${oneLine(path)})`;
  return `${oneLine(participant)}${where}: ${oneLine(property)} was left as ${value(expected)}, is ${
    value(actual)
  }`;
}

function value(json: unknown): string {
  const text = oneLine(JSON.stringify(json));
  return text.length > VALUE ? `${text.slice(0, VALUE - 1)}…` : text;
}
