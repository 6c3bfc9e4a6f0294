import type { Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";

/** A text as a literal of a program, in the quotes that need fewer escapes. */
export function quoted(text: string): string {
  const json = JSON.stringify(text);
  if (!text.includes('"') || text.includes("'")) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}

/** The name of a property as a program writes it. */
export function property(name: string): string {
  // As a name of its own it would be the prototype.
  return name === "__proto__" ? '["__proto__"]' : isName(name) ? name : quoted(name);
}

/** `.name`, or `["a name"]`. */
export function member(name: string): string {
  return isName(name) ? `.${name}` : `[${quoted(name)}]`;
}

function isName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** JSON as an expression; `text` says what its texts become. */
export function code(value: Json, text: (text: string) => string): string {
  if (typeof value === "string") return text(value);
  if (isList(value)) return value.length === 0 ? "[]" : `[${value.map((one) => code(one, text)).join(", ")}]`;
  if (!isMap(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${property(key)}: ${code(one, text)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** A comment of one line. */
export function comment(text: string): string {
  return `// ${text.replaceAll(/[\r\n\u2028\u2029]+/g, " ")}`;
}

/** Texts and expressions as one text; an expression that stands alone keeps its type. */
export function textWith(parts: readonly ({ readonly text: string } | { readonly code: string })[]): string {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && "code" in only) return only.code;
  const written = parts.map((part) =>
    "code" in part
      ? `\${${part.code}}`
      : JSON.stringify(part.text).slice(1, -1).replaceAll('\\"', '"').replaceAll(/`|\$\{/g, "\\$&")
  );
  return `\`${written.join("")}\``;
}
