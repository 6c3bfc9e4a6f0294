import type { Json, Place } from "../base/error.ts";
import type { Case, Variable } from "../engine/model/step.ts";
import type { Faults } from "./diagnostics.ts";
import type { Node } from "./node.ts";
import type { Source } from "./reading.ts";
import { type Cell, ROW_FILES, rowsOfFile, rowsOfList } from "./rows.ts";
import { readText } from "./shape.ts";
import { didYouMean, shown } from "./suggest.ts";
import { convert, typeOf } from "./values.ts";

/** A file may have this many. */
const MOST_CASES = 10_000;
/** Characters of a name that is made from values. */
const NAME_LENGTH = 60;
/** The key that names a case, where no variable is called so. */
const NAME_KEY = "case";
const HINT = "Write a list of maps, such as [{ customer: Ada }], or a file: orders.csv.";
const WORDS = { one: "a case", many: "cases", hint: HINT };

/** What cases are read with. */
interface Reading {
  readonly vars: Readonly<Record<string, Variable>>;
  readonly faults: Faults;
  /** Fetches a file of values; undefined: it cannot be had, and the fault is noted. */
  data(reference: string, place: Place): Source | undefined;
}

/** `cases:`: a list of maps from variables to values, or the CSV, JSON or YAML file that holds one. */
export function readCases(node: Node, reading: Reading): Case[] {
  const { faults } = reading;
  const before = faults.count;
  const rows = rowsOf(node, reading);
  if (faults.count > before) return [];
  if (rows.length === 0) faults.add(node.place, "there is no case", HINT);
  if (rows.length > MOST_CASES) {
    faults.add(node.place, `there are ${rows.length} cases; at most ${MOST_CASES} are possible`);
    return [];
  }
  const names = new Map<string, number>();
  return rows.map((cells) => {
    const one = caseOf(cells, reading);
    const seen = (names.get(one.name) ?? 0) + 1;
    names.set(one.name, seen);
    return seen === 1 ? one : { ...one, name: `${one.name} (${seen})` };
  });
}

function rowsOf(node: Node, reading: Reading): Cell[][] {
  const { faults } = reading;
  if (node.kind === "list") return rowsOfList(node.items, WORDS, faults);
  const reference = readText(node, "cases", faults, HINT);
  const source = reference === undefined ? undefined : reading.data(reference, node.place);
  if (reference === undefined || source === undefined) return [];
  if (!ROW_FILES.test(reference)) {
    faults.add(
      node.place,
      `${shown(reference)} is no file of cases`,
      "Use a .csv, .json, .yaml or .yml file.",
    );
    return [];
  }
  return rowsOfFile(source, WORDS, faults);
}

/** An empty cell of a CSV file says nothing, unless its variable is a text. */
function caseOf(cells: readonly Cell[], { vars, faults }: Reading): Case {
  const values: Record<string, Json> = {};
  let name: string | undefined;
  for (const { key, place, value, isText } of cells) {
    const variable = Object.hasOwn(vars, key) ? vars[key] : undefined;
    if (isText && value === "" && variable?.type !== "string") continue;
    if (variable === undefined && key === NAME_KEY) {
      if (typeof value === "string" && value.trim() !== "") name = value.trim();
      else faults.add(place, "the name of a case is a text", "Write { case: a name, … }.");
      continue;
    }
    if (variable === undefined) {
      const hint = didYouMean(key, Object.keys(vars), "The file declares");
      faults.add(
        place,
        `a case has a value for ${shown(key)}, which is no variable`,
        hint ?? "Declare it in `vars:`.",
      );
      continue;
    }
    const read = isText && typeof value === "string" ? convert(value, variable.type) : value;
    if (read === undefined || typeOf(read) !== variable.type) {
      const found = typeof value === "string" ? shown(value) : JSON.stringify(value);
      faults.add(place, `the variable "${key}" is a ${variable.type}, and ${found} is none`);
      continue;
    }
    values[key] = read;
  }
  return { name: name ?? nameOf(values), values };
}

/** "Ada, 3": the values, on one line. */
function nameOf(values: Readonly<Record<string, Json>>): string {
  const text = Object.values(values).map((one) => typeof one === "string" ? one : JSON.stringify(one)).join(
    ", ",
  )
    .replaceAll(/\s+/g, " ").trim();
  const short = [...text].slice(0, NAME_LENGTH).join("");
  return short === "" ? "no values" : short.length < text.length ? `${short}…` : short;
}
