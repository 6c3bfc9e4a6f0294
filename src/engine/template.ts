import { closest } from "../base/closest.ts";
import { BackstepError, type Json, type Place } from "../base/error.ts";
import type { Interpolated, Placeholder, Template } from "./step.ts";

/** Where the value at `path` stands; `offset` counts characters into a text, where that is known. */
export type PlaceOf = (path: readonly (string | number)[], offset?: number) => Place;

/** What placeholders are filled from. Records may inherit from an outer scope's; `Object.prototype` is never looked at. */
export interface Values {
  readonly vars: Readonly<Record<string, Json>>;
  /** By id. */
  readonly steps: Readonly<Record<string, Json>>;
  /** By number of the top-level step, from 1. */
  readonly numbered: Readonly<Record<number, Json>>;
  readonly env: (name: string) => string | undefined;
  readonly secret: (name: string) => string | undefined;
}

/** A filled template, and the secret values that went into it: they must be masked wherever it is shown. */
export interface Filled {
  readonly value: Json;
  readonly secrets: readonly string[];
}

/** The roots a placeholder may start with; `step_N` is one more. */
export const ROOTS: readonly string[] = ["vars", "steps", "env", "secrets"];

const SEGMENT = /^(?:[\p{L}_][\p{L}\p{N}_-]*|\d+)$/u;

/** The number in `step_2`, or undefined when it is no such name. */
export function stepNumber(name: string): number | undefined {
  const match = /^step_([1-9]\d{0,5})$/.exec(name);
  return match ? Number(match[1]) : undefined;
}

/**
 * Turns parsed YAML or JSON into a template. `{{ vars.x }}` is a placeholder; a literal `{{` is written `{{{{`, and in
 * a run of three braces the first is literal: `{{{vars.x}}}` is the value in braces.
 *
 * Throws `workflow` with the place of a malformed placeholder.
 *
 * @example
 * ```ts
 * import { parseTemplate } from "./template.ts";
 * const template = parseTemplate("Hello {{ vars.name }}", () => ({ file: "a.yaml", line: 1, column: 1 }));
 * if (typeof template !== "object" || template?.kind !== "interpolated") throw new Error();
 * ```
 */
export function parseTemplate(value: Json, placeOf: PlaceOf): Template {
  return parseAt(value, [], placeOf);
}

function parseAt(value: Json, path: readonly (string | number)[], placeOf: PlaceOf): Template {
  if (typeof value === "string") return parseText(value, (offset) => placeOf(path, offset));
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) {
    return { kind: "list", items: value.map((item, index) => parseAt(item, [...path, index], placeOf)) };
  }
  const entries = Object.entries(value).map(([key, item]) =>
    [key, parseAt(item, [...path, key], placeOf)] as const
  );
  return { kind: "map", entries };
}

function parseText(text: string, placeAt: (offset: number) => Place): string | Placeholder | Interpolated {
  const parts: (string | Placeholder)[] = [];
  let literal = "";
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("{{", at);
    if (open < 0) break;
    literal += text.slice(at, open);
    if (text.startsWith("{{{{", open)) {
      literal += "{{";
      at = open + 4;
    } else if (text.startsWith("{{{", open)) {
      literal += "{";
      at = open + 1;
    } else {
      if (literal !== "") parts.push(literal);
      literal = "";
      const close = text.indexOf("}}", open + 2);
      const source = text.slice(open, close < 0 ? text.length : close + 2);
      parts.push(parsePlaceholder(source, close >= 0, placeAt(open)));
      at = close < 0 ? text.length : close + 2;
    }
  }
  literal += text.slice(at);
  if (literal !== "") parts.push(literal);
  const only = parts[0];
  if (parts.length === 0) return "";
  if (parts.length === 1 && only !== undefined) return only;
  return { kind: "interpolated", parts };
}

function parsePlaceholder(source: string, closed: boolean, place: Place): Placeholder {
  const shown = source.length > 60 ? `${source.slice(0, 59)}…` : source;
  const fail = (why: string, hint: string) => {
    throw new BackstepError("workflow", `malformed placeholder ${shown}: ${why}`, { place, hint });
  };
  const escape = "A literal {{ is written {{{{.";
  if (!closed) fail("it has no closing }}", `Close it with }}. ${escape}`);
  const inner = source.slice(2, -2).trim();
  if (inner === "") fail("it is empty", `Name a value, such as {{vars.name}}. ${escape}`);
  const path = inner.split(".");
  const wrong = path.find((segment) => !SEGMENT.test(segment));
  if (wrong !== undefined) {
    fail(
      wrong === "" ? "a name between dots is missing" : `"${wrong}" is not a name`,
      `Only field access is possible, such as {{vars.user.name}} or {{steps.save.value}}. ${escape}`,
    );
  }
  return { kind: "placeholder", path, source, place };
}

/** Every placeholder in a template, in the order they are written. */
export function* placeholders(template: Template): Generator<Placeholder> {
  if (template === null || typeof template !== "object") return;
  switch (template.kind) {
    case "placeholder":
      yield template;
      break;
    case "interpolated":
      for (const part of template.parts) if (typeof part !== "string") yield part;
      break;
    case "list":
      for (const item of template.items) yield* placeholders(item);
      break;
    case "map":
      for (const [, value] of template.entries) yield* placeholders(value);
  }
}

/** Fills a template in. What is filled in is a value: it is never parsed for placeholders again. */
export function fill(template: Template, values: Values): Json {
  return fillTracked(template, values).value;
}

/**
 * Fills a template in and says which secret values went into it. A value that is one whole placeholder keeps its type;
 * inside a longer text only strings, numbers and booleans can stand.
 *
 * Throws `workflow` with the placeholder's place for a name that has no value, and lists the nearest that have one.
 *
 * @example
 * ```ts
 * import { fillTracked, parseTemplate } from "./template.ts";
 * const template = parseTemplate("Bearer {{secrets.TOKEN}}", () => ({ file: "a.yaml", line: 1, column: 1 }));
 * const { value, secrets } = fillTracked(template, {
 *   vars: {}, steps: {}, numbered: {}, env: () => undefined, secret: () => "s3cret",
 * });
 * if (value !== "Bearer s3cret" || secrets[0] !== "s3cret") throw new Error();
 * ```
 */
export function fillTracked(template: Template, values: Values): Filled {
  const secrets = new Set<string>();
  return { value: fillAt(template, values, secrets), secrets: [...secrets] };
}

function fillAt(template: Template, values: Values, secrets: Set<string>): Json {
  if (template === null || typeof template !== "object") return template;
  switch (template.kind) {
    case "placeholder":
      return lookUp(template, values, secrets);
    case "interpolated":
      return template.parts.map((part) =>
        typeof part === "string" ? part : asText(part, lookUp(part, values, secrets))
      ).join("");
    case "list":
      return template.items.map((item) => fillAt(item, values, secrets));
    case "map":
      // fromEntries defines, it does not assign: a key "__proto__" stays a key.
      return Object.fromEntries(
        template.entries.map(([key, value]) => [key, fillAt(value, values, secrets)] as const),
      );
  }
}

function asText(placeholder: Placeholder, value: Json): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const what = value === null ? "null" : isList(value) ? "a list" : "a map";
  throw unfilled(placeholder, `it is ${what}, which cannot stand inside a text`, {
    hint: "Name one of its fields, or make the placeholder the whole value.",
  });
}

function lookUp(placeholder: Placeholder, values: Values, secrets: Set<string>): Json {
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
      throw unfilled(placeholder, `the environment variable ${name} is not set`, {
        hint: `Set ${name} in the environment of the run.`,
      });
    }
    if (root === "secrets" && found !== "") secrets.add(found);
    return descend(placeholder, found, 2);
  }
  const record = root === "vars" ? values.vars : values.steps;
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

function absent(placeholder: Placeholder, name: string, known: readonly string[]): BackstepError {
  const near = closest(name, known);
  const some = known.slice(0, 10).join(", ") + (known.length > 10 ? ", …" : "");
  const hint = near.length > 0
    ? `Did you mean ${near.map((n) => `"${n}"`).join(" or ")}?`
    : known.length > 0
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

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
