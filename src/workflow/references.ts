import type { Json } from "../base/error.ts";
import { isList } from "../base/json.ts";
import { parseTemplate, type PlaceOf } from "../engine/model/template.ts";
import type { Placeholder, Template } from "../engine/model/step.ts";

/** What follows two braces of a reference to the output of an earlier step: `{{step_2.value}}`. */
const REFERENCE = String.raw`\s*step_[1-9]\d*(?:\.[\p{L}\p{N}_-]+)*\s*\}\}`;
/** Four braces make even a reference a text of two; other braces are text. */
const BRACES = new RegExp(
  String.raw`(?<escaped>\{\{\{\{(?=${REFERENCE}))|(?<reference>\{\{${REFERENCE})|\{\{`,
  "gu",
);

/**
 * JSON from a client as a template, in which nothing is a placeholder but what names the output of an earlier step. Throws
 * `workflow` for a reference that no step can have.
 */
export function readReferences(value: Json, placeOf: PlaceOf): Template {
  return readAt(value, [], placeOf);
}

function readAt(value: Json, path: readonly (string | number)[], placeOf: PlaceOf): Template {
  if (typeof value === "string") return readText(value, path, placeOf);
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) {
    return { kind: "list", items: value.map((item, index) => readAt(item, [...path, index], placeOf)) };
  }
  const entries = Object.entries(value).map(([key, item]) =>
    [key, readAt(item, [...path, key], placeOf)] as const
  );
  return { kind: "map", entries };
}

function readText(text: string, path: readonly (string | number)[], placeOf: PlaceOf): Template {
  const parts: (string | Placeholder)[] = [];
  let plain = "";
  let at = 0;
  for (const { index, 0: braces, groups = {} } of text.matchAll(BRACES)) {
    plain += text.slice(at, index);
    at = index + braces.length;
    if (groups["reference"] === undefined) {
      plain += "{{";
      continue;
    }
    const reference = parseTemplate(braces, () => placeOf(path, index));
    if (typeof reference !== "object" || reference?.kind !== "placeholder") continue;
    if (plain !== "") parts.push(plain);
    parts.push(reference);
    plain = "";
  }
  plain += text.slice(at);
  if (parts.length === 0) return plain;
  const [only] = parts;
  if (plain !== "") parts.push(plain);
  return parts.length === 1 && only !== undefined ? only : { kind: "interpolated", parts };
}
