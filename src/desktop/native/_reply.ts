import type { Bytes } from "../../ffi/binding.ts";
import { Field } from "../../ffi/op.ts";

/** A row of a snapshot made for tests. */
export interface FakeRow {
  readonly parent: number;
  readonly role: number;
  readonly name: string;
  readonly path: string;
  readonly id?: string;
  readonly rect?: readonly [x: number, y: number, width: number, height: number];
  readonly text?: string;
  readonly value?: number;
  readonly nativeRole?: string;
  /** As the core writes them into a line each. */
  readonly actions?: string;
  /** "name:value" a line. */
  readonly attributes?: string;
}

/** What a test may break. */
export interface FakeHeader {
  readonly bus?: string;
  readonly fields?: number;
  readonly cut?: number;
}

/** A snapshot reply packed as `native/include/backstep.h` lays it out, with every column of `fields`. */
export function fakeSnapshot(rows: readonly FakeRow[], header: FakeHeader = {}): Bytes {
  const fields = header.fields ?? Object.values(Field).reduce((all: number, field) => all | field, 0);
  const strings = [""];
  const string = (text: string) => {
    const existing = strings.indexOf(text);
    return existing >= 0 ? existing : strings.push(text) - 1;
  };
  const has = (field: number) => (fields & field) !== 0;
  const n = rows.length;
  const columns: Uint8Array[] = [];
  const column = (bytes: ArrayLike<number> & { readonly buffer: ArrayBuffer }) =>
    columns.push(new Uint8Array(bytes.buffer));
  const NONE = 0xffffffff;
  const row = <T>(of: (r: FakeRow) => T) => rows.map(of);

  if (has(Field.value)) {
    column(
      new Float64Array(
        rows.flatMap((r) => r.value === undefined ? [NaN, NaN, NaN, NaN] : [r.value, 0, 9, 1]),
      ),
    );
  }
  if (has(Field.hash)) column(new Uint32Array(2 * n).fill(7));
  column(new Uint32Array(2 * n).fill(1 << 8));
  column(new Int32Array(row((r) => r.parent)));
  if (has(Field.extents)) column(new Int32Array(rows.flatMap((r) => [...(r.rect ?? [0, 0, -1, -1])])));
  column(new Uint32Array(n).fill(1));
  column(new Uint32Array(n).fill(string(header.bus ?? ":1.5")));
  column(new Uint32Array(row((r) => string(r.path))));
  column(new Uint32Array(row((r) => string(r.name))));
  column(new Uint32Array(n));
  if (has(Field.id)) column(new Uint32Array(row((r) => string(r.id ?? ""))));
  if (has(Field.text)) column(new Uint32Array(row((r) => r.text === undefined ? NONE : string(r.text))));
  if (has(Field.caret)) column(new Int32Array(3 * n).fill(-1));
  if (has(Field.actions)) column(new Uint32Array(row((r) => string(r.actions ?? "click\nfocus"))));
  if (has(Field.attributes)) column(new Uint32Array(row((r) => string(r.attributes ?? "toolkit:gtk"))));
  if (has(Field.selection)) column(new Uint32Array(n).fill(NONE));
  if (has(Field.relations)) column(new Uint32Array(n).fill(string("2:/w/l /w/m\n18:/w/d")));
  if (has(Field.keys)) column(new Uint32Array(n).fill(string("<Alt>s")));
  if (has(Field.textStyle)) column(new Uint32Array(n).fill(string("size:10pt")));
  if (has(Field.nativeRole)) column(new Uint32Array(row((r) => string(r.nativeRole ?? ""))));
  if (has(Field.textRect)) column(new Int32Array(rows.flatMap(() => [1, 2, 3, 4])));
  column(new Int32Array(n).fill(-1));
  column(new Uint16Array(row((r) => r.role)));
  const encoded = strings.map((text) => new TextEncoder().encode(text));
  const offsets = [0];
  for (const { length } of encoded) offsets.push((offsets.at(-1) ?? 0) + length);
  column(new Uint32Array(offsets));
  const arena = new Uint8Array(encoded.flatMap((bytes) => [...bytes]));
  columns.push(arena);

  const head = [0x504e5342, 1, n, fields, header.cut ?? 0, 1, 7, strings.length, arena.length];
  const bytes: number[] = [...new Uint8Array(new Uint32Array([...head, 0, 0, 0, 0, 0, 0, 0]).buffer)];
  for (const c of columns) {
    while (bytes.length % 8 !== 0) bytes.push(0);
    bytes.push(...c);
  }
  return new Uint8Array(bytes);
}
