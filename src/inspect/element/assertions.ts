import type { Json } from "../../base/error.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { rowHas, type StateWord } from "../../desktop/state-words.ts";
import { kindOf } from "../../operations/kind.ts";
import { currentValue } from "./facts.ts";

/** Something that holds of an element now, and can be asserted. */
export interface Assertable {
  /** For people: `value is "Ada"`. */
  readonly words: string;
  /** As `assert` takes it, beside the target. */
  readonly holds: { readonly [property: string]: Json };
}

/** States that are worth asserting, each way. */
const EACH: readonly StateWord[] = ["enabled", "visible"];
/** States that are worth asserting where they mean something. */
const OF_KIND: Readonly<Record<string, readonly StateWord[]>> = {
  toggle: ["checked"],
  radio: ["checked"],
  item: ["selected"],
  opener: ["expanded"],
};
/** Characters of a text that an assertion compares whole. */
const MOST = 400;

/** What holds of a row and can be asserted, what says most first. `own`: the element alone, read afresh. */
export function assertionsOf(snapshot: Snapshot, row: number, own: Snapshot): Assertable[] {
  const kind = kindOf(snapshot, row);
  const found: Assertable[] = [];
  const add = (words: string, holds: Assertable["holds"]) => found.push({ words, holds });
  const name = own.name(0);
  if (kind !== "secure") {
    const value = currentValue(snapshot, row, own);
    const says = kind !== "other" || (value !== null && value !== name);
    if (says && value !== null && String(value).length <= MOST) {
      add(`value is ${JSON.stringify(value)}`, { value });
    }
    const text = own.text(0);
    if (text !== undefined && text !== "" && text !== value && text.length <= MOST) {
      add(`text is ${JSON.stringify(text)}`, { text });
    }
  }
  add("it exists", { exists: true });
  if (name !== "" && name.length <= MOST) add(`title is ${JSON.stringify(name)}`, { title: name });
  for (const word of [...OF_KIND[kind] ?? [], ...EACH]) {
    const holds = rowHas(own, 0, word);
    add(`${holds ? "it is" : "it is not"} ${word}`, { [word]: holds });
  }
  if (rowHas(own, 0, "focused")) add("it is focused", { focused: true });
  return found;
}
