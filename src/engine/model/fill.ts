import { closest } from "../../base/closest.ts";
import { BackstepError, type Json } from "../../base/error.ts";
import { isList } from "../../base/json.ts";
import type { Placeholder, Template } from "./step.ts";
import { ROOTS, stepNumber } from "./template.ts";

/** What placeholders are filled from. Records may inherit from an outer scope's; `Object.prototype` is never looked at. */
export interface Values {
  readonly vars: Readonly<Record<string, Json>>;
  /** By id. */
  readonly steps: Readonly<Record<string, Json>>;
  /** By number of the top-level step, from 1. */
  readonly numbered: Readonly<Record<number, Json>>;
  /** The work item that the run is for; absent: it is for none. */
  readonly item?: Readonly<Record<string, Json>> | undefined;
  readonly env: (name: string) => string | undefined;
  readonly secret: (name: string) => string | undefined;
}

/**
 * Fills a template in. What is filled in is a value: it is never parsed for placeholders again. A value that is one whole
 * placeholder keeps its type; inside a longer text only strings, numbers and booleans can stand.
 *
 * Throws `workflow` with the placeholder's place for a name that has no value, and lists the nearest that have one.
 *
 * @example
 * ```ts
 * import { fill } from "./fill.ts";
 * import { parseTemplate } from "./template.ts";
 * const template = parseTemplate("Bearer {{secrets.TOKEN}}", () => ({ file: "a.yaml", line: 1, column: 1 }));
 * const value = fill(template, {
 *   vars: {}, steps: {}, numbered: {}, env: () => undefined, secret: () => "s3cret",
 * });
 * if (value !== "Bearer s3cret") throw new Error();
 * ```
 */
export function fill(template: Template, values: Values): Json {
  if (template === null || typeof template !== "object") return template;
  switch (template.kind) {
    case "placeholder":
      return lookUp(template, values);
    case "interpolated":
      return template.parts.map((part) =>
        typeof part === "string" ? part : asText(part, lookUp(part, values))
      ).join("");
    case "list":
      return template.items.map((item) => fill(item, values));
    case "map":
      // fromEntries defines, it does not assign: a key "__proto__" stays a key.
      return Object.fromEntries(
        template.entries.map(([key, value]) => [key, fill(value, values)] as const),
      );
  }
}

function asText(placeholder: Placeholder, value: Json): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const what = value === null ? "null" : isList(value) ? "a list" : "a map";
  throw unfilled(placeholder, `it is ${what}, which cannot stand inside a text`, {
    hint: "Use one of its fields, or make the placeholder the whole value.",
  });
}

function lookUp(placeholder: Placeholder, values: Values): Json {
  const [root = "", name] = placeholder.path;
  const number = stepNumber(root);
  if (number !== undefined) {
    const found = get(values.numbered, String(number));
    if (found === undefined) throw absent(placeholder, root, names(values.numbered).map((n) => `step_${n}`));
    return descend(placeholder, found, 1);
  }
  if (!ROOTS.includes(root)) throw absent(placeholder, root, [...ROOTS, "step_1"]);
  if (name === undefined) {
    throw unfilled(placeholder, "it names no value", { hint: `Write {{${root}.NAME}}.` });
  }
  if (root === "env" || root === "secrets") {
    const found = root === "env" ? values.env(name) : values.secret(name);
    if (found === undefined) {
      const what = root === "env" ? "environment variable" : "secret";
      throw unfilled(placeholder, `the ${what} ${name} is not set`, {
        hint: `Set ${name} in the environment of the run.`,
      });
    }
    return descend(placeholder, found, 2);
  }
  if (root === "item" && !values.item) {
    throw unfilled(placeholder, "the run is for no work item", {
      hint: `Give it one: --item ${name}=…, or load items: backstep fleet items load.`,
    });
  }
  const record = root === "vars" ? values.vars : root === "item" ? values.item ?? {} : values.steps;
  const found = get(record, name);
  if (found === undefined) throw absent(placeholder, name, names(record));
  return descend(placeholder, found, 2);
}

function descend(placeholder: Placeholder, start: Json, from: number): Json {
  let value = start;
  for (const segment of placeholder.path.slice(from)) {
    if (value === null || typeof value !== "object") {
      throw unfilled(
        placeholder,
        `there is no "${segment}" in ${value === null ? "null" : `a ${typeof value}`}`,
      );
    }
    const next: Json | undefined = isList(value)
      ? (/^\d+$/.test(segment) ? value[Number(segment)] : undefined)
      : get(value, segment);
    if (next === undefined) {
      if (isList(value)) {
        throw unfilled(placeholder, `there is no "${segment}" in a list of ${value.length}`, {
          hint: "Items count from 0.",
        });
      }
      throw absent(placeholder, segment, names(value));
    }
    value = next;
  }
  return value;
}

/** Also finds what a record inherits from an outer scope's record, and nothing of `Object.prototype`. */
function get(record: { readonly [key: string]: Json }, name: string): Json | undefined {
  if (Object.hasOwn(record, name)) return record[name];
  return names(record).includes(name) ? record[name] : undefined;
}

function names(record: { readonly [key: string]: Json }): string[] {
  const found: string[] = [];
  for (const key in record) found.push(key);
  return found;
}

function absent(placeholder: Placeholder, name: string, existing: readonly string[]): BackstepError {
  const near = closest(name, existing);
  const some = existing.slice(0, 10).join(", ") + (existing.length > 10 ? ", …" : "");
  const hint = near.length > 0
    ? `Did you mean ${near.map((n) => `"${n}"`).join(" or ")}?`
    : existing.length > 0
    ? `There is: ${some}.`
    : "There is nothing to name here.";
  return unfilled(placeholder, `there is no "${name}"`, { hint });
}

function unfilled(placeholder: Placeholder, why: string, options: { hint?: string } = {}): BackstepError {
  return new BackstepError("workflow", `Cannot fill in ${placeholder.source}: ${why}`, {
    place: placeholder.place,
    ...options,
  });
}
