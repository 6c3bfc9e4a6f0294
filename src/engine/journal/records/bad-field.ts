import type { z } from "zod";
import { BackstepError, type Json } from "../../../base/error.ts";
import { isList, isMap } from "../../../base/json.ts";
import { otherField } from "./names.ts";

/** A line of a journal. */
export interface Where {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
}

/** Characters of a value that a message shows. */
const MOST = 80;

/** The error of a field that is not as its kind of record has it; "encrypted": it stands in the encrypted part. */
export function badField(
  issue: z.core.$ZodIssue | undefined,
  fields: Json,
  where: Where,
  record: string | "encrypted",
): BackstepError {
  const within = record === "encrypted" ? `${otherField("encrypted")}.` : "";
  const what = record === "encrypted" ? "encrypted part" : record;
  const path = issue?.path ?? [];
  if (issue?.code === "unrecognized_keys") {
    const field = `${within}${named([...path, issue.keys[0] ?? ""])}`;
    return unreadable(where, `its ${what} has the field ${field}, which is not known`, { field });
  }
  const field = `${within}${named(path)}`;
  const found = valueAt(fields, path);
  // What a desktop showed stands in no message.
  const is = found === undefined ? "missing" : record === "encrypted" ? kindOf(found) : shown(found);
  return unreadable(where, `${field} of its ${what} is ${is}${wanted(issue)}`, { field });
}

/** The error of a line that says no record. */
export function unreadable(
  { file, line }: Where,
  why: string,
  { field, hint }: { readonly field?: string; readonly hint?: string } = {},
): BackstepError {
  return new BackstepError("io", `Cannot read ${file}: line ${line}: ${why}`, {
    place: { file, line, column: 1 },
    hint: hint ?? "It was written by another version of backstep, or changed since.",
    details: { line, ...(field === undefined ? {} : { field }) },
  });
}

function wanted(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "invalid_type") return `, not ${WORDS.get(issue.expected) ?? issue.expected}`;
  if (issue?.code !== "invalid_value") return "";
  return `, not ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["string", "a string"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["tuple", "a list"],
  ["object", "a map"],
  ["record", "a map"],
]);

/** As it is called on the disk: "desktop.kind", "before[0].key". */
function named(path: readonly PropertyKey[]): string {
  return path.map((key, at) => {
    if (typeof key === "number") return `[${key}]`;
    return at === 0 ? otherField(String(key)) : `.${String(key)}`;
  }).join("");
}

function valueAt(value: Json, path: readonly PropertyKey[]): Json | undefined {
  let found: Json | undefined = value;
  for (const key of path) {
    if (isList(found)) found = found[Number(key)];
    else found = isMap(found) ? found[String(key)] : undefined;
  }
  return found;
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text;
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (isList(value)) return "a list";
  return WORDS.get(typeof value) ?? "a map";
}
