import type { Application } from "../element.ts";
import { Interface } from "../interfaces.ts";
import { Role } from "../roles.ts";
import { type Columns, NO_STRING } from "../snapshot.ts";
import { webFactsOf } from "../toolkits.ts";

/** What a browser tells of its pages, as the pages have it (`WebFacts`). */
export function asOnThePage(columns: Columns, application: Pick<Application, "toolkit">): Columns {
  const facts = webFactsOf(application);
  if (facts?.deafFields) withoutInterface(columns, Interface.editableText);
  if (facts?.fatalSelection) withoutInterface(columns, Interface.selection);
  if (facts?.numbersInTexts) numbersOfTexts(columns);
  return facts?.namesWithMarkers ? withoutMarkers(columns) : columns;
}

/** What is offered and not done, or should not be asked for, is not offered. */
function withoutInterface({ count, interfaces }: Columns, bit: number): void {
  for (let row = 0; row < count; row++) interfaces[row] = (interfaces[row] ?? 0) & ~bit;
}

/**
 * A spin button's number is what its text says. One that is empty, or a part of a date that shows "yyyy", holds none. What the
 * page says of a range and of a text that is no number ("five") stays as told.
 */
function numbersOfTexts(columns: Columns): void {
  const { count, role, value, text } = columns;
  if (value.length === 0 || text.length === 0) return;
  for (let row = 0; row < count; row++) {
    const k = text[row] ?? NO_STRING;
    if (role[row] !== Role.spinButton || k === NO_STRING || Number.isNaN(value[4 * row])) continue;
    const shown = stringOf(columns, k).trim();
    const number = shown === "" ? NaN : Number(shown);
    const bounded = !Number.isNaN(value[4 * row + 1]);
    if (!Number.isNaN(number)) value[4 * row] = number;
    else if (shown === "" || (!bounded && value[4 * row] === 0)) value[4 * row] = NaN;
  }
}

/** "▸ ", "▾ " and "◂ ": open and shut, from left to right and from right to left. */
const MARKER = new Set([0x25b8, 0x25be, 0x25c2]);
/** Bytes of a marker and the space after it. */
const MARKED = 4;

/** Takes the marker from the names and texts of buttons: a name that changes with it names another element. */
function withoutMarkers(columns: Columns): Columns {
  const { count, role, name, text, strings: { offsets, arena } } = columns;
  const bare = new Map<number, number>();
  const starts: number[] = [];
  const lengths: number[] = [];
  const bareOf = (k: number): number => {
    const existing = bare.get(k);
    if (existing !== undefined) return existing;
    const start = offsets[k] ?? 0, end = offsets[k + 1] ?? 0;
    const [first] = end - start > MARKED ? decode(arena, start, start + MARKED) : "";
    const marked = first !== undefined && MARKER.has(first.codePointAt(0) ?? 0) &&
      arena[start + MARKED - 1] === 0x20;
    const k2 = marked ? offsets.length - 1 + starts.push(start + MARKED) - 1 : k;
    if (marked) lengths.push(end - start - MARKED);
    bare.set(k, k2);
    return k2;
  };
  for (let row = 0; row < count; row++) {
    // Whether it opens and shuts is not read where an element is only to be known again.
    if (role[row] !== Role.pushButton) continue;
    name[row] = bareOf(name[row] ?? 0);
    const k = text[row];
    if (k !== undefined && k !== NO_STRING) text[row] = bareOf(k);
  }
  return starts.length === 0 ? columns : { ...columns, strings: longer(offsets, arena, starts, lengths) };
}

/** The table of strings with parts of its own arena behind it. */
function longer(
  offsets: Uint32Array,
  arena: Uint8Array,
  starts: readonly number[],
  lengths: readonly number[],
): Columns["strings"] {
  const more = lengths.reduce((sum, length) => sum + length, 0);
  const grown = new Uint8Array(arena.length + more);
  grown.set(arena);
  const table = new Uint32Array(offsets.length + starts.length);
  table.set(offsets);
  // Strings lie one behind the other: what is added begins where the last one ends.
  let end = offsets.at(-1) ?? 0;
  for (const [k, start] of starts.entries()) {
    const length = lengths[k] ?? 0;
    grown.set(arena.subarray(start, start + length), end);
    end += length;
    table[offsets.length + k] = end;
  }
  return { offsets: table, arena: grown };
}

function stringOf({ strings: { offsets, arena } }: Columns, k: number): string {
  return decode(arena, offsets[k] ?? 0, offsets[k + 1] ?? 0);
}

function decode(arena: Uint8Array, start: number, end: number): string {
  return new TextDecoder().decode(arena.subarray(start, end));
}
