import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import { readWithin } from "../base/within.ts";
import { Faults } from "./diagnostics.ts";
import { ROW_FILES, rowsOfFile } from "./rows.ts";
import { shown } from "./suggest.ts";

/** Work items that are loaded at once, and bytes of their file. */
export const MOST_ITEMS = 100_000;
const MOST_BYTES = 64 << 20;
const HINT =
  "Write a list of maps, such as [{ customer: Ada }], or a CSV file whose first line names the fields.";
const WORDS = { one: "a work item", many: "work items", hint: HINT };

/** A work item as its file has it. */
export interface LoadedItem {
  /** Of a CSV file all texts, of a JSON or YAML file as they are written. */
  readonly fields: { readonly [name: string]: Json };
  /** Where it stands. */
  readonly line: number;
}

/**
 * Reads the work items of a CSV, JSON or YAML file, with the loader that `cases:` has. All of its faults are told at once.
 *
 * @throws {BackstepError} `workflow` with the place of each fault; `usage` for a file that cannot be read.
 *
 * @example
 * ```ts
 * import { itemsIn } from "./read-items.ts";
 * const [first] = itemsIn("customer,count\nAda,3\n", "orders.csv");
 * if (first?.fields["count"] !== "3") throw new Error();
 * ```
 */
export function readItems(path: string): LoadedItem[] {
  if (!ROW_FILES.test(path)) {
    throw new BackstepError(
      "usage",
      `Cannot load work items from ${path}: it is no .csv, .json or .yaml file`,
    );
  }
  let bytes: Uint8Array;
  try {
    ({ bytes } = readWithin(path, ["/"], (found) => {
      if (!found.isFile()) throw new Error("it is no ordinary file");
      if (found.size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES >> 20} MiB`);
    }));
  } catch (cause) {
    throw new BackstepError(
      "usage",
      `Cannot load work items from ${path}: ${toBackstepError(cause).message}`,
      {
        cause,
      },
    );
  }
  return itemsIn(bytes, path);
}

/** The same of a text or bytes; the end of `file`'s name says what they are. */
export function itemsIn(bytes: Uint8Array | string, file: string): LoadedItem[] {
  const faults = new Faults();
  const rows = rowsOfFile({ file, key: file, folder: ".", bytes }, WORDS, faults, MOST_BYTES);
  const start = { file, line: 1, column: 1 };
  if (faults.count === 0 && rows.length === 0) faults.add(start, "there is no work item", HINT);
  if (rows.length > MOST_ITEMS) {
    faults.add(start, `there are ${rows.length} work items; at most ${MOST_ITEMS} are loaded at once`);
  }
  const items = rows.map((cells) => {
    for (const { key, place } of cells) {
      if (key.trim() === "") faults.add(place, "a field of a work item has no name", HINT);
      else if (key === "__proto__") faults.add(place, `${shown(key)} is no name for a field`);
    }
    return {
      fields: Object.fromEntries(cells.map(({ key, value }) => [key, value] as const)),
      line: cells[0]?.place.line ?? 1,
    };
  });
  faults.throwIfAny(file);
  return items;
}
