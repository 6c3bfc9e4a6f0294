import { stringify } from "csv-stringify/sync";
import type { Json } from "../../base/error.ts";
import { asMap, isMap, toJson } from "../../base/json.ts";
import type { ItemRow } from "../schema/tables.ts";

/** An item with what came of it, as an export has it. */
export interface ExportedItem {
  readonly number: number;
  readonly key: string | null;
  readonly state: ItemRow["state"];
  /** Tries; a worker that died and was replaced counts once. */
  readonly attempts: number;
  /** Why it is not done. */
  readonly reason: string | null;
  /** Of the last try's rollback; null: it was never tried. */
  readonly rollback: string | null;
  /** What is not as it was, each as one text. */
  readonly drift: readonly string[];
  /** ISO 8601. */
  readonly started: string | null;
  readonly finished: string | null;
  /** The run that its last try was part of. */
  readonly run: string | null;
  /** Its fields, as they were loaded. */
  readonly fields: { readonly [name: string]: Json };
  /** What its steps with an `id:` returned. */
  readonly results: { readonly [id: string]: Json };
}

/** A row as an export has it. */
export function exported(row: ItemRow): ExportedItem {
  const verdict = mapOf(row.verdict);
  const rollback = verdict["rollback"];
  const drift = Array.isArray(verdict["drift"]) ? verdict["drift"] : [];
  return {
    number: row.number,
    key: row.key,
    state: row.state,
    attempts: row.attempts,
    reason: row.reason,
    rollback: typeof rollback === "string" ? rollback : null,
    drift: drift.filter(isMap).map(differenceText),
    started: row.started_at?.toISOString() ?? null,
    finished: row.finished_at?.toISOString() ?? null,
    run: row.run,
    fields: mapOf(row.data),
    results: mapOf(row.result),
  };
}

/** Columns that stand before the fields. */
const HEAD = [
  "number",
  "key",
  "state",
  "attempts",
  "reason",
  "rollback",
  "drift",
  "started",
  "finished",
  "run",
] as const;

/**
 * Items as CSV: what became of each, its fields under their own names, and what its steps returned as
 * `results.ID.field`. A field with the name of another column stands as `fields.NAME`. A text of an application that a
 * spreadsheet would take for a formula has a ' before it; fields are as they were loaded.
 */
export function asCsv(items: readonly ExportedItem[]): string {
  const fields = namesOf(items.map((one) => one.fields));
  const results = items.map((one) => flattened(one.results));
  const outputs = namesOf(results);
  const shown = (name: string) => HEAD.some((own) => own === name) ? `fields.${name}` : name;
  const rows = items.map((item, index) => [
    ...HEAD.map((column) => column === "drift" ? harmless(item.drift.join("; ")) : cell(item[column])),
    ...fields.map((name) => plain(item.fields[name])),
    ...outputs.map((name) => cell(results[index]?.[name])),
  ]);
  return stringify([[...HEAD, ...fields.map(shown), ...outputs.map((name) => `results.${name}`)], ...rows]);
}

/** Every name of some maps, in the order in which they come. */
function namesOf(maps: readonly { readonly [name: string]: Json }[]): string[] {
  return [...new Set(maps.flatMap((one) => Object.keys(one)))];
}

/** `{ total: { value: 3 } }` as `{ "total.value": 3 }`; a list stands as JSON. */
function flattened(map: { readonly [name: string]: Json }, before = ""): { [name: string]: Json } {
  const flat: [string, Json][] = [];
  for (const [name, value] of Object.entries(map)) {
    if (isMap(value)) flat.push(...Object.entries(flattened(value, `${before}${name}.`)));
    else flat.push([`${before}${name}`, value]);
  }
  return Object.fromEntries(flat);
}

function cell(value: Json | undefined): string {
  return typeof value === "string" ? harmless(value) : plain(value);
}

function plain(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What spreadsheets would calculate is a text. */
function harmless(text: string): string {
  return /^[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/.test(text) ? `'${text}` : text;
}

function differenceText(one: { readonly [key: string]: Json }): string {
  const { participant, property, expected, actual } = one;
  return `${plain(participant)}: ${plain(property)} should be ${JSON.stringify(expected)}, is ${
    JSON.stringify(actual)
  }`;
}

function mapOf(value: unknown): { readonly [name: string]: Json } {
  return asMap(toJson(value));
}
