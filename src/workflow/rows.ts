import { CsvError, parse } from "csv-parse/sync";
import type { Json, Place } from "../base/error.ts";
import type { Faults } from "./diagnostics.ts";
import { decode, readDocument } from "./document.ts";
import { type MapNode, type Node, toJson } from "./node.ts";
import { MOST_BYTES, type Source } from "./reading.ts";
import { readMap } from "./shape.ts";
import { shown } from "./suggest.ts";

/** A value as it stands in a file: of a CSV file still a text. */
export interface Cell {
  readonly key: string;
  readonly place: Place;
  readonly value: Json;
  readonly isText: boolean;
}

/** What rows are called in messages: cases, work items. */
export interface RowWords {
  /** "a case". */
  readonly one: string;
  /** "cases". */
  readonly many: string;
  readonly hint: string;
}

/** Files that hold rows, by the ends of their names. */
export const ROW_FILES = /\.(csv|json|ya?ml)$/i;

/** The rows of a file: CSV, or a list of maps in JSON or YAML. `most`: bytes that it may have. */
export function rowsOfFile(
  source: Source,
  words: RowWords,
  faults: Faults,
  most: number = MOST_BYTES,
): Cell[][] {
  if (/\.csv$/i.test(source.file)) return rowsOfCsv(source, faults);
  const document = readDocument(source.bytes, source.file, faults, words.hint, most);
  if (document === undefined) return [];
  if (document.kind !== "list") faults.add(document.place, `a file of ${words.many} is a list`, words.hint);
  return document.kind === "list" ? rowsOfList(document.items, words, faults) : [];
}

/** The maps of a list. */
export function rowsOfList(items: readonly Node[], { one, hint }: RowWords, faults: Faults): Cell[][] {
  return items.flatMap((item) => {
    const map: MapNode | undefined = readMap(item, one, faults, hint);
    if (map === undefined) return [];
    return [map.entries.map(({ key, keyPlace, value }) => ({
      key,
      place: keyPlace,
      value: toJson(value),
      isText: false,
    }))];
  });
}

/** RFC 4180; the first line names the values. */
function rowsOfCsv({ bytes, file }: Source, faults: Faults): Cell[][] {
  const text = typeof bytes === "string" ? bytes : decode(bytes, file, faults);
  if (text === undefined) return [];
  try {
    const records: { readonly record: readonly string[]; readonly line: number }[] = [];
    const onRecord = (record: string[], { lines }: { readonly lines: number }) => {
      records.push({ record, line: lines });
      return null;
    };
    parse(text, { bom: true, skip_empty_lines: true, trim: true, on_record: onRecord });
    const [head, ...rows] = records;
    const keys = head?.record ?? [];
    const twice = keys.find((key, index) => keys.indexOf(key) < index);
    if (twice !== undefined) {
      const line = head?.line ?? 1;
      faults.add({ file, line, column: 1 }, `two columns are called ${shown(twice)}`, "Rename one of them.");
      return [];
    }
    return rows.map(({ record, line }) =>
      record.map((value, column) => ({
        key: keys[column] ?? "",
        place: { file, line, column: 1 },
        value,
        isText: true,
      }))
    );
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    const line = typeof thrown["lines"] === "number" ? thrown["lines"] : 1;
    faults.add({ file, line, column: 1 }, `the file is no CSV: ${thrown.message}`, 'Quote cells: "a, b".');
    return [];
  }
}
