import { BackstepError, type Json, type Place } from "../../base/error.ts";
import { isList } from "../../base/json.ts";
import type { Interpolated, Placeholder, Template } from "./step.ts";

/** Where the value at `path` stands; `offset` counts characters into a text, where that is known. */
export type PlaceOf = (path: readonly (string | number)[], offset?: number) => Place;

/** The roots a placeholder may start with; `step_N` is one more. */
export const ROOTS: readonly string[] = ["vars", "item", "steps", "env", "secrets"];

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

/** A value as a template: nothing in it is a placeholder. */
export function literal(value: Json): Template {
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return { kind: "list", items: value.map(literal) };
  return { kind: "map", entries: Object.entries(value).map(([key, one]) => [key, literal(one)] as const) };
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
