import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Application, ElementRef, NumericValue, Rect } from "./element.ts";
import { itemMarkOf } from "./item.ts";
import { hasState, State, type StateName } from "./states.ts";
import { isQt } from "./toolkits.ts";

/** String k is `arena[offsets[k] .. offsets[k + 1])`, UTF-8; string 0 is empty. */
export interface StringTable {
  /** One more than there are strings. */
  readonly offsets: Uint32Array;
  /** All strings one after another, without separators. */
  readonly arena: Uint8Array;
}

/** The number that stands for "has none" in string columns that can lack a value. */
export const NO_STRING = 0xffffffff;

/**
 * A tree as columns, in preorder: the layout of the native core's reply (`native/include/backstep.h`), read in place.
 * Columns whose field was not asked for are empty arrays.
 */
export interface Columns {
  /** How many nodes: the length of a column that holds one value a node. */
  readonly count: number;
  /** AtspiRole numbers. */
  readonly role: Uint16Array;
  /** Two a node: low, high. */
  readonly states: Uint32Array;
  /** Row of the parent, -1 for the root. */
  readonly parent: Int32Array;
  /** Four a node, screen pixels; width -1 means unknown. */
  readonly rect: Int32Array;
  /** Bits of the AT-SPI interfaces that a node implements. */
  readonly interfaces: Uint32Array;
  /** String numbers of the addresses of the applications. */
  readonly bus: Uint32Array;
  /** String numbers of the object paths. */
  readonly path: Uint32Array;
  /** String numbers of the accessible names. */
  readonly name: Uint32Array;
  /** String numbers of the accessible descriptions. */
  readonly description: Uint32Array;
  /** String numbers of the accessible ids. */
  readonly id: Uint32Array;
  /** String numbers of the texts; `NO_STRING` for nodes without one, and for password fields. */
  readonly text: Uint32Array;
  /** Three a node: caret, selection start and end. */
  readonly caret: Int32Array;
  /** String numbers of the names of actions, one a line; in a name "\\n" is a line break and "\\\\" a backslash. */
  readonly actions: Uint32Array;
  /** String numbers of attributes, "name:value" a line. */
  readonly attributes: Uint32Array;
  /** String numbers of relations, "type:path path" a line; there only when they were asked of a desktop that has them. */
  readonly relations?: Uint32Array;
  /** String numbers of the keys of default actions; there only when they were asked of a desktop that has them. */
  readonly keys?: Uint32Array;
  /** String numbers of the default attributes of texts, "name:value" a line; there only when they were asked for. */
  readonly textStyle?: Uint32Array;
  /** String numbers of the platform's own roles ("AXRole AXSubrole"); there only when they were asked of a platform that has them. */
  readonly nativeRole?: Uint32Array;
  /** Four a node, screen pixels: where its text lies; width -1 means unknown. There only when it was asked for. */
  readonly textRect?: Int32Array;
  /** String numbers of the indices of selected children, as "0,3"; `NO_STRING` where nothing can be selected. */
  readonly selected: Uint32Array;
  /** What the application says, -1 unknown. */
  readonly children: Int32Array;
  /** Four a node: current, minimum, maximum, step; NaN = none. */
  readonly value: Float64Array;
  /**
   * Of each subtree: role, lasting states, name, description, what was read of text and value, children. The same in every
   * process; there only when the field "hash" was asked of a desktop that has it.
   */
  readonly hash?: BigUint64Array;
  /** What the string numbers stand for. */
  readonly strings: StringTable;
}

/** How a snapshot that came from a mirror relates to the application. */
export interface MirrorOrigin {
  /** The mirror's: while it stands, so does the snapshot. */
  readonly generation: number;
  /** Nodes of which something was asked of the application. */
  readonly afresh: number;
  /** Milliseconds, then, since the mirror was compared with what the application says of itself. */
  readonly proven: number;
}

/** How a snapshot came about. */
export interface SnapshotOrigin {
  /** Whose tree it is. */
  readonly application: Application;
  /** The provider's, when it was read; `element()` hands it on. */
  readonly generation: number;
  /** "walk", "cache", "simulated"… */
  readonly strategy: string;
  /** Calls made to the application. */
  readonly calls: number;
  /** What was left out: "nodes", "depth", "text", "children"; empty: nothing. */
  readonly cut: readonly string[];
  /** Read afresh, or from what is kept of the application. */
  readonly source: "mirror" | "application";
  /** Milliseconds of `performance.now()` when the answer came; absent: it was described. */
  readonly readAt?: number;
  /** The same when it was asked for: what it says holds from some moment between the two. */
  readonly askedAt?: number;
  /** There when it came from a mirror. */
  readonly mirror?: MirrorOrigin;
  /** How often a mirror of this application was found to have missed something, and was dropped; absent: 0. */
  readonly missed?: number;
}

// A leading byte order mark is part of a text that an application shows.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The accessibility tree of an application (or of a subtree) at one moment. Nodes are row numbers in preorder; the
 * root is row 0, a subtree is one run of rows. Nothing is decoded and no object is made until it is asked for.
 */
export class Snapshot {
  /** The raw columns, for those who go through many rows. */
  readonly columns: Columns;
  /** Whose tree it is, and what was left out. */
  readonly origin: SnapshotOrigin;
  #strings: (string | undefined)[] = [];
  #ends: Int32Array | undefined;
  #verified: { readonly row: number; readonly place: Rect | undefined } | undefined;

  /** Columns are read in place and not copied. */
  constructor(columns: Columns, origin: SnapshotOrigin) {
    this.columns = columns;
    this.origin = origin;
  }

  /** The same rows, seen to be so at a later generation of the provider: what was decoded stays so. */
  at(generation: number): Snapshot {
    if (generation === this.origin.generation) return this;
    const later = new Snapshot(this.columns, { ...this.origin, generation });
    later.#strings = this.#strings;
    later.#ends = this.#ends;
    return later;
  }

  /** The same rows with some columns of other content. What was decoded stays so: their strings are the same. */
  with(columns: Partial<Pick<Columns, "rect" | "states">>): Snapshot {
    const other = new Snapshot({ ...this.columns, ...columns }, this.origin);
    other.#strings = this.#strings;
    other.#ends = this.#ends;
    return other;
  }

  /**
   * The same rows, of which one was read afresh: its place, told by `rect`, and its states. The places of the others are
   * unknown where they were not read.
   */
  verified(row: number, place: Rect | undefined, statesLow: number): Snapshot {
    const { states: held } = this.columns;
    const states = held[2 * row] === statesLow ? held : held.slice();
    if (states !== held) states[2 * row] = statesLow;
    const later = new Snapshot(states === held ? this.columns : { ...this.columns, states }, this.origin);
    later.#strings = this.#strings;
    later.#ends = this.#ends;
    later.#verified = { row, place };
    return later;
  }

  /** How many nodes. */
  get size(): number {
    return this.columns.count;
  }

  /** String number k of the table, decoded once. */
  string(k: number): string {
    const existing = this.#strings[k];
    if (existing !== undefined) return existing;
    const { offsets, arena } = this.columns.strings;
    const start = offsets[k];
    const end = offsets[k + 1];
    if (start === undefined || end === undefined) {
      throw new BackstepError(
        "internal",
        `Cannot read string ${k} of a snapshot: it has ${offsets.length - 1}`,
      );
    }
    const text = start === end ? "" : decoder.decode(arena.subarray(start, end));
    this.#strings[k] = text;
    return text;
  }

  #text(column: Uint32Array, row: number): string {
    const k = column[row];
    return k === undefined || k === NO_STRING ? "" : this.string(k);
  }

  /** AtspiRole number. */
  role(row: number): number {
    return this.columns.role[row] ?? 0;
  }
  /** The accessible name, "" when there is none. */
  name(row: number): string {
    return this.#text(this.columns.name, row);
  }
  /** The accessible description, "" when there is none. */
  description(row: number): string {
    return this.#text(this.columns.description, row);
  }
  /** The accessible id, "" when there is none. */
  id(row: number): string {
    return this.#text(this.columns.id, row);
  }
  /**
   * The text content; undefined: it has none, it was not asked for, or it is a password field. Qt Quick ends a line with U+2029, and
   * one that goes on with U+2028: told as a line break, as it is written, and as its program reads it.
   */
  text(row: number): string | undefined {
    const k = this.columns.text[row];
    if (k === undefined || k === NO_STRING) return undefined;
    const text = this.string(k);
    return isQt(this.origin.application) ? text.replaceAll(/[\u2028\u2029]/g, "\n") : text;
  }
  /** Names of the actions, the first is the default one; empty when they were not asked for. */
  actions(row: number): string[] {
    const lines = this.#text(this.columns.actions, row);
    return lines === "" ? [] : lines.split("\n").map(unescaped);
  }
  /** The platform's own role and subrole ("AXWindow AXDialog"); "" where it has none, or nobody asked. */
  nativeRole(row: number): string {
    const { nativeRole } = this.columns;
    return nativeRole === undefined ? "" : this.#text(nativeRole, row);
  }
  /** What the toolkit tells beside; empty when it was not asked for. */
  attributes(row: number): Record<string, string> {
    const lines = this.#text(this.columns.attributes, row);
    return parseAttributes(lines);
  }
  /**
   * Object paths of what an element of the same application has this relation to (AtspiRelationType, for example 2:
   * labelled by); empty when there is none. Undefined: relations were not asked for.
   */
  relation(row: number, type: number): string[] | undefined {
    const { relations } = this.columns;
    if (relations === undefined) return undefined;
    const own = this.#text(relations, row).split("\n").find((line) => line.startsWith(`${type}:`));
    return own === undefined ? [] : own.slice(own.indexOf(":") + 1).split(" ").filter((path) => path !== "");
  }
  /** The keys of its default action as the toolkit writes them ("<Alt>s"); "" when there are none or nobody asked. */
  keys(row: number): string {
    const { keys } = this.columns;
    return keys === undefined ? "" : this.#text(keys, row);
  }
  /** How its text is set, as the toolkit says: "size", "weight", "language"…; empty when nobody asked. */
  textStyle(row: number): Record<string, string> {
    const { textStyle } = this.columns;
    return textStyle === undefined ? {} : parseAttributes(this.#text(textStyle, row));
  }
  /** Where its text lies, in screen pixels; undefined when unknown or not asked for. */
  textRect(row: number): Rect | undefined {
    const { textRect } = this.columns;
    return textRect === undefined ? undefined : rectOf(textRect, row);
  }
  /** Indices of the selected children; undefined: it is no selection container. */
  selected(row: number): number[] | undefined {
    const k = this.columns.selected[row];
    if (k === undefined || k === NO_STRING) return undefined;
    const list = this.string(k);
    return list === "" ? [] : list.split(",").map(Number);
  }
  /** Caret in characters, -1 when there is none. */
  caret(row: number): number {
    return this.columns.caret[3 * row] ?? -1;
  }
  /** Undefined: it has no Value interface, or values were not asked for. */
  value(row: number): NumericValue | undefined {
    const { value } = this.columns;
    const current = value[4 * row];
    if (current === undefined || Number.isNaN(current)) return undefined;
    return {
      current,
      minimum: value[4 * row + 1] ?? NaN,
      maximum: value[4 * row + 2] ?? NaN,
      step: value[4 * row + 3] ?? 0,
    };
  }
  /** In screen pixels; undefined when unknown. */
  rect(row: number): Rect | undefined {
    if (this.#verified?.row === row) return this.#verified.place;
    return rectOf(this.columns.rect, row);
  }
  /** States 0 to 31 as bits. */
  statesLow(row: number): number {
    return this.columns.states[2 * row] ?? 0;
  }
  /** States 32 to 63 as bits. */
  statesHigh(row: number): number {
    return this.columns.states[2 * row + 1] ?? 0;
  }
  /** Is this state set? `has(row, "focused")`. */
  has(row: number, state: StateName): boolean {
    return hasState(this.statesLow(row), this.statesHigh(row), State[state]);
  }
  /** Are all these AT-SPI interfaces (bits) implemented? */
  implements(row: number, bits: number): boolean {
    return ((this.columns.interfaces[row] ?? 0) & bits) === bits;
  }

  /** Row of the parent, -1 for the root. */
  parent(row: number): number {
    return this.columns.parent[row] ?? -1;
  }
  /** One past the last row of the subtree of `row`. */
  end(row: number): number {
    this.#ends ??= subtreeEnds(this.columns.parent, this.columns.count);
    return this.#ends[row] ?? this.columns.count;
  }
  /** Rows of the children, in order. */
  children(row: number): number[] {
    const rows: number[] = [];
    const end = this.end(row);
    for (let child = row + 1; child < end; child = this.end(child)) rows.push(child);
    return rows;
  }
  /** How many levels `row` lies below the root. */
  depth(row: number): number {
    let depth = 0;
    for (let up = this.parent(row); up >= 0; up = this.parent(up)) depth++;
    return depth;
  }

  /** The row as something that can be acted on later. */
  element(row: number): ElementRef {
    const item = itemMarkOf(this, row);
    const ancestors: string[] = [];
    for (let up = this.parent(row); up > 0; up = this.parent(up)) ancestors.push(this.path(up));
    return {
      bus: this.#text(this.columns.bus, row),
      path: this.path(row),
      generation: this.origin.generation,
      fingerprint: {
        role: this.role(row),
        name: this.name(row),
        id: this.id(row),
        ...defined({ item }),
      },
      ancestors,
    };
  }
  /** The object path of the row: its address in its application. */
  path(row: number): string {
    return this.#text(this.columns.path, row);
  }
  /** The row of an element by its address, -1 when it is not in this snapshot. */
  rowOf(element: { readonly bus: string; readonly path: string }): number {
    for (let row = 0; row < this.size; row++) {
      if (
        this.#text(this.columns.path, row) === element.path &&
        this.#text(this.columns.bus, row) === element.bus
      ) return row;
    }
    return -1;
  }
}

function rectOf(column: Int32Array, row: number): Rect | undefined {
  const x = column[4 * row],
    y = column[4 * row + 1],
    width = column[4 * row + 2],
    height = column[4 * row + 3];
  if (x === undefined || y === undefined || width === undefined || height === undefined || width < 0) {
    return undefined;
  }
  return { x, y, width, height };
}

/** A name as the core wrote it into a line. */
function unescaped(name: string): string {
  return name.includes("\\") ? name.replace(/\\(.)/g, (_, c: string) => c === "n" ? "\n" : c) : name;
}

/** "name:value" lines as a record. */
function parseAttributes(lines: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const line of lines === "" ? [] : lines.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) attributes[line.slice(0, colon)] = line.slice(colon + 1);
  }
  return attributes;
}

function subtreeEnds(parent: Int32Array, count: number): Int32Array {
  const ends = new Int32Array(count);
  for (let row = count - 1; row >= 0; row--) {
    const end = Math.max(ends[row] ?? 0, row + 1);
    ends[row] = end;
    const up = parent[row] ?? -1;
    if (up >= 0 && (ends[up] ?? 0) < end) ends[up] = end;
  }
  return ends;
}
