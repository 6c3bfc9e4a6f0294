import { closest } from "../../../base/closest.ts";
import type { Json } from "../../../base/error.ts";
import { isMap, type JsonSchema } from "../../../base/json.ts";
import { decoded, invalidQuery } from "./address.ts";
import { fieldAt, pathsOf, typesOf } from "./schemas.ts";

/** What a field must be for an item to stay. */
export interface Condition {
  readonly path: readonly string[];
  /** Any of these. */
  readonly wanted: readonly Json[];
}

/** What is asked of a resource beside its address. */
export interface WmQuery {
  readonly expand: boolean;
  /** Undefined: all of them. */
  readonly fields: readonly (readonly string[])[] | undefined;
  readonly filter: readonly Condition[];
  /** As this server writes it, in one order: "" or "?expand=true&…". */
  readonly text: string;
}

/** What a query may say of a resource. */
export interface Queried {
  readonly schema: JsonSchema;
  readonly collection: boolean;
  /** Its items have no address of their own: they are there in full, expanded or not. */
  readonly inFull: boolean;
}

const NAMES = ["expand", "fields", "filter"];
/** A comma begins another condition where a field and a colon follow. */
const NEXT = /,(?=[A-Za-z_][\w.]*:)/;

/** Reads a query by the fields of what it is about. Throws -32602, with what is wrong. */
export function parseQuery(text: string | undefined, about: Queried, uri: string): WmQuery {
  let expand: boolean | undefined;
  let fields: readonly (readonly string[])[] | undefined;
  const conditions: string[] = [];
  for (const part of text === undefined ? [] : text.split("&").filter((one) => one !== "")) {
    const at = part.indexOf("=");
    const name = plain(at < 0 ? part : part.slice(0, at), uri);
    const value = at < 0 ? undefined : part.slice(at + 1);
    if (name === "filter") conditions.push(...conditionsOf(value ?? "", uri));
    else if (name === "expand") {
      if (expand !== undefined) throw twice(name, uri);
      expand = value === undefined ? true : flagOf(plain(value, uri), uri);
    } else if (name === "fields") {
      if (fields !== undefined) throw twice(name, uri);
      fields = pathsIn(plain(value ?? "", uri), about.schema, uri);
    } else throw unknownName(name, uri);
  }
  const expanded = expand ?? false;
  if (conditions.length > 0 && !about.collection) {
    throw invalidQuery(uri, "filter is for collections, and this is a single resource");
  }
  if (fields !== undefined && about.collection && !expanded && !about.inFull) {
    throw invalidQuery(uri, "fields are those of expanded items: add expand=true");
  }
  const filter = conditions.map((condition) => conditionOf(condition, about.schema, uri));
  const canonical = [
    ...(expanded && about.collection && !about.inFull ? ["expand=true"] : []),
    ...(fields ? [`fields=${fields.map((path) => path.join(".")).join(",")}`] : []),
    ...conditions.map((one) => `filter=${encodeURIComponent(one)}`),
  ];
  return {
    expand: expanded,
    fields,
    filter,
    text: canonical.length === 0 ? "" : `?${canonical.join("&")}`,
  };
}

/** A plus stands for a space, as forms write it. */
function plain(text: string, uri: string): string {
  return decoded(text.replaceAll("+", "%20"), uri);
}

function flagOf(value: string, uri: string): boolean {
  if (value === "true" || value === "1") return true;
  if (value === "false" || value === "0") return false;
  throw invalidQuery(uri, `expand is true, false, 1 or 0, not "${value.slice(0, 60)}"`);
}

function pathsIn(value: string, schema: JsonSchema, uri: string): readonly (readonly string[])[] {
  const paths = value.split(",").map((path) => path.trim());
  return [...new Set(paths)].map((path) => {
    if (path === "") {
      throw invalidQuery(uri, "fields is a list of names with commas between them, and one is empty");
    }
    fieldNamed(path, schema, uri);
    return path.split(".");
  });
}

/** `field:value` pairs. A comma separates them; one that is percent-encoded may also belong to a value. */
function conditionsOf(value: string, uri: string): readonly string[] {
  return value.split(",").flatMap((piece) => plain(piece, uri).split(NEXT)).map((piece) => {
    if (/^[^:]+:/s.test(piece)) return piece;
    throw invalidQuery(
      uri,
      `filter is field:value, and "${piece.slice(0, 60)}" is not; a comma in a value is %2C`,
    );
  });
}

function conditionOf(condition: string, schema: JsonSchema, uri: string): Condition {
  const colon = condition.indexOf(":");
  const name = condition.slice(0, colon).trim(), value = condition.slice(colon + 1);
  const field = fieldNamed(name, schema, uri);
  return { path: name.split("."), wanted: wantedOf(name, value, field, uri) };
}

/** The value as the field's type has it. A list holds it where any of its elements does. */
function wantedOf(name: string, value: string, field: JsonSchema, uri: string): readonly Json[] {
  const { items } = field;
  if (isMap(items) && !typesOf(items).includes("object")) return wantedOf(name, value, items, uri);
  const types = typesOf(field);
  const found: Json[] = [];
  if (types.includes("null") && value === "null") found.push(null);
  if (types.includes("string")) found.push(value);
  if (types.includes("boolean") && (value === "true" || value === "false")) found.push(value === "true");
  const numeric = types.includes("number") || types.includes("integer");
  if (numeric && /^-?\d{1,20}(\.\d{1,20})?$/.test(value)) found.push(Number(value));
  if (found.length > 0) return found;
  if (types.includes("object") || types.includes("array")) {
    const near = pathsOf(field).map((path) => `${name}.${path}`).slice(0, 8).join(", ");
    throw invalidQuery(uri, `${name} is no single value: filter by one of ${near}`);
  }
  throw invalidQuery(uri, `${name} is ${types.join(" or ")}, not "${value.slice(0, 60)}"`);
}

function fieldNamed(path: string, schema: JsonSchema, uri: string): JsonSchema {
  const field = fieldAt(schema, path.split("."));
  if (field !== undefined && path !== "") return field;
  const paths = pathsOf(schema);
  const [near] = closest(path, paths);
  const there = paths.length === 0
    ? "this resource has none"
    : near === undefined
    ? `there are ${paths.filter((one) => !one.includes(".")).join(", ")}`
    : `did you mean ${near}?`;
  throw invalidQuery(uri, `there is no field "${path.slice(0, 60)}": ${there}`);
}

function twice(name: string, uri: string) {
  return invalidQuery(uri, `the parameter "${name}" stands there twice`);
}

function unknownName(name: string, uri: string) {
  const [near] = closest(name, NAMES);
  const why = near === undefined ? `there are ${NAMES.join(", ")}` : `did you mean ${near}?`;
  return invalidQuery(uri, `there is no parameter "${name.slice(0, 60)}": ${why}`);
}
