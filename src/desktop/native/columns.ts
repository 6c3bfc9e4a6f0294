import { defined } from "../../base/defined.ts";
import { malformed } from "../../ffi/reply.ts";
import { Field } from "../../ffi/op.ts";
import { type Columns, type MirrorOrigin, NO_STRING } from "../snapshot.ts";

/** A decoded snapshot reply: the columns, and how they came about. */
export interface SnapshotReply {
  readonly columns: Columns;
  readonly strategy: string;
  readonly calls: number;
  readonly cut: readonly string[];
  readonly source: "mirror" | "application";
  readonly mirror?: MirrorOrigin;
  readonly missed?: number;
}

/** Is the reply a header alone: what the caller holds of the mirror still stands? */
export function isUnchanged(reply: Uint8Array): boolean {
  return reply.length === HEADER && new DataView(reply.buffer, reply.byteOffset).getUint32(8, true) === 0;
}

const MAGIC = 0x504e5342;
const VERSION = 1;
const HEADER = 16 * 4;
/** `enum backstep_strategy`. */
const strategies = [
  "walk",
  "cache",
  "cache and walk",
  "cache and collection",
  "cache, collection and walk",
  "children, then cache",
];
const DIRECT = ", direct";
const cuts = ["nodes", "depth", "text", "children"];

/**
 * A snapshot reply (`native/include/backstep.h`) as columns: views into the reply, which is copied only when it does
 * not start at a multiple of eight bytes. Lengths, string numbers and the order of the rows are checked here once, so
 * that nobody behind has to.
 *
 * @throws {BackstepError} `internal` for a reply that breaks the header's rules.
 */
export function decodeColumns(reply: Uint8Array): SnapshotReply {
  const bytes = reply.byteOffset % 8 === 0 ? reply : reply.slice();
  if (bytes.length < HEADER) throw malformed(`a snapshot of ${bytes.length} bytes has no header`);
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  const word = (k: number) => header.getUint32(4 * k, true);
  if (word(0) !== MAGIC || word(1) !== VERSION) throw malformed("it is no snapshot of version 1");
  const n = word(2), fields = word(3), strings = word(7), arenaBytes = word(8);
  if (n === 0 || n > bytes.length || strings === 0 || strings > bytes.length) {
    throw malformed(`a snapshot of ${bytes.length} bytes claims ${n} nodes and ${strings} strings`);
  }

  const cursor = new Cursor(bytes);
  const has = (field: number) => (fields & field) !== 0;
  const value = cursor.f64(has(Field.value) ? 4 * n : 0);
  const hash = has(Field.hash) ? cursor.u64(n) : undefined;
  const states = cursor.u32(2 * n);
  const parent = cursor.i32(n);
  const rect = cursor.i32(has(Field.extents) ? 4 * n : 0);
  const interfaces = cursor.u32(n);
  const bus = cursor.u32(n), path = cursor.u32(n), name = cursor.u32(n), description = cursor.u32(n);
  const id = cursor.u32(has(Field.id) ? n : 0);
  const text = cursor.u32(has(Field.text) ? n : 0);
  const caret = cursor.i32(has(Field.caret) ? 3 * n : 0);
  const actions = cursor.u32(has(Field.actions) ? n : 0);
  const attributes = cursor.u32(has(Field.attributes) ? n : 0);
  const selected = cursor.u32(has(Field.selection) ? n : 0);
  const relations = has(Field.relations) ? cursor.u32(n) : undefined;
  const keys = has(Field.keys) ? cursor.u32(n) : undefined;
  const textStyle = has(Field.textStyle) ? cursor.u32(n) : undefined;
  const nativeRole = has(Field.nativeRole) ? cursor.u32(n) : undefined;
  const textRect = has(Field.textRect) ? cursor.i32(4 * n) : undefined;
  const children = cursor.i32(n);
  const role = cursor.u16(n);
  const offsets = cursor.u32(strings + 1);
  const arena = cursor.u8(arenaBytes);

  checkPreorder(parent);
  checkOffsets(offsets, arenaBytes);
  for (const column of [bus, path, name, description, id, actions, attributes]) checkStrings(column, strings);
  if (relations !== undefined) checkStrings(relations, strings);
  if (keys !== undefined) checkStrings(keys, strings);
  if (textStyle !== undefined) checkStrings(textStyle, strings);
  if (nativeRole !== undefined) checkStrings(nativeRole, strings);
  for (const column of [text, selected]) checkStrings(column, strings, NO_STRING);

  return {
    columns: {
      count: n,
      role,
      states,
      parent,
      rect,
      interfaces,
      bus,
      path,
      name,
      description,
      id,
      text,
      caret,
      actions,
      attributes,
      selected,
      children,
      value,
      ...defined({ hash, relations, keys, textStyle, nativeRole, textRect }),
      strings: { offsets, arena },
    },
    strategy: (strategies[word(5)] ?? `strategy ${word(5)}`) + (word(9) === 1 ? DIRECT : ""),
    calls: word(6),
    cut: cuts.filter((_, bit) => (word(4) & (1 << bit)) !== 0),
    ...sourceOf(word),
  };
}

function sourceOf(word: (k: number) => number): Pick<SnapshotReply, "source" | "mirror" | "missed"> {
  const missed = word(15) === 0 ? {} : { missed: word(15) };
  if (word(10) === 0) return { source: "application", ...missed };
  const generation = word(14) * 2 ** 32 + word(13);
  return { source: "mirror", mirror: { generation, afresh: word(11), proven: word(12) }, ...missed };
}

/** Hands out one column after the other, each from a multiple of eight bytes on. */
class Cursor {
  readonly #bytes: Uint8Array;
  #at = HEADER;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  f64(length: number): Float64Array {
    return new Float64Array(this.#bytes.buffer, this.#column(length, 8), length);
  }
  u64(length: number): BigUint64Array {
    return new BigUint64Array(this.#bytes.buffer, this.#column(length, 8), length);
  }
  u32(length: number): Uint32Array {
    return new Uint32Array(this.#bytes.buffer, this.#column(length, 4), length);
  }
  i32(length: number): Int32Array {
    return new Int32Array(this.#bytes.buffer, this.#column(length, 4), length);
  }
  u16(length: number): Uint16Array {
    return new Uint16Array(this.#bytes.buffer, this.#column(length, 2), length);
  }
  u8(length: number): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, this.#column(length, 1), length);
  }

  /** Where a column of so many elements starts in the buffer. A column without elements is absent: it takes no room. */
  #column(length: number, size: number): number {
    if (length === 0) return this.#bytes.byteOffset;
    const start = Math.ceil(this.#at / 8) * 8;
    const end = start + length * size;
    if (end > this.#bytes.length) {
      throw malformed(`a column would end at byte ${end} of a snapshot of ${this.#bytes.length} bytes`);
    }
    this.#at = end;
    return this.#bytes.byteOffset + start;
  }
}

/** Every row's parent must lie on the way from the row before up to the root: only then is a subtree one run of rows. */
function checkPreorder(parent: Int32Array): void {
  if (parent[0] !== -1) throw malformed("the first row of a snapshot is not its root");
  for (let row = 1; row < parent.length; row++) {
    const wanted = parent[row] ?? -1;
    let up = row - 1;
    while (wanted >= 0 && up > wanted) up = parent[up] ?? -1;
    if (wanted < 0 || up !== wanted) throw malformed(`row ${row} of a snapshot is out of order`);
  }
}

function checkOffsets(offsets: Uint32Array, arenaBytes: number): void {
  let last = 0;
  for (const offset of offsets) {
    if (offset < last || offset > arenaBytes) {
      throw malformed("the string table of a snapshot is out of order");
    }
    last = offset;
  }
}

function checkStrings(column: Uint32Array, strings: number, none?: number): void {
  for (const k of column) {
    if (k >= strings && k !== none) throw malformed(`a snapshot names string ${k} of ${strings}`);
  }
}
