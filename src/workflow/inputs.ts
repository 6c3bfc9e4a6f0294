import { closest } from "../base/closest.ts";
import { BackstepError, type Json, type Place } from "../base/error.ts";
import type { Schema } from "../contract/schema.ts";
import type { PlaceOf } from "../engine/model/template.ts";
import type { Template } from "../engine/model/step.ts";
import { at, type Finding, findings } from "./findings.ts";
import { asList } from "../base/json.ts";
import { jsonSchemaOf, keysAt, schemasAt } from "./json-schema.ts";
import type { Names } from "./names.ts";
import { describe, entryOf, follow, type Node, placeIn, toJson } from "./node.ts";
import type { Reading } from "./reading.ts";
import { didYouMean, shown } from "./suggest.ts";
import { ACTING, CHECKING, COMMON } from "./verbs.ts";

/** An input as a file writes it: its value, and where the parts of it stand. */
export interface Written {
  readonly json: Json;
  readonly placeOf: PlaceOf;
  /** Where the key that is last in `path` stands. */
  readonly placeOfKey: (path: readonly PropertyKey[]) => Place;
}

/** The input that stands in the file as it is. `verb` is where the step's verb stands: what is missing is missing there. */
export function writtenAs(node: Node, verb: Place): Written {
  return {
    json: toJson(node),
    placeOf: (path, offset) =>
      path.length === 0 ? placeIn(node, offset) : placeIn(follow(node, path).node, offset),
    placeOfKey: (path) => {
      const parent = follow(node, path.slice(0, -1));
      const entry = parent.found && parent.node.kind === "map"
        ? entryOf(parent.node, String(path.at(-1)))
        : undefined;
      return entry?.keyPlace ?? (path.length <= 1 ? verb : parent.entry?.keyPlace ?? parent.node.place);
    },
  };
}

/** An input made from `json`, all of which stands at one node. */
export function writtenFrom(json: Json, node: Node, verb: Place): Written {
  return {
    json,
    // Only where a part is the very text of the file do characters in it have places of their own.
    placeOf: (path, offset) =>
      node.kind === "scalar" && at(json, path) === node.value ? placeIn(node, offset) : node.place,
    placeOfKey: () => verb,
  };
}

/**
 * Parses an input to a template and checks it against its schema, as far as it is known before the run: what
 * placeholders will fill in is checked when it is. Faults are noted; undefined when there is no template at all.
 */
export function readInput(
  written: Written,
  schema: Schema<unknown>,
  what: string,
  names: Names | undefined,
  reading: Reading,
): Template | undefined {
  const template = readTemplate(written, names, reading);
  if (template === undefined) return undefined;
  const holes: PropertyKey[][] = [];
  const specimen = withHoles(template, [], holes);
  try {
    const found = findings(schema, specimen, holes);
    report(found, { written, schema, what, specimen, step: true }, reading);
    if (found.length === 0) checkSelectors(specimen, holes, written, reading);
  } catch (thrown) {
    reading.faults.addThrown(thrown, written.placeOf([]));
  }
  return template;
}

/** A value that is known before the run, checked against its schema; undefined: faults were noted. */
export function readValue<T>(
  written: Written,
  schema: Schema<T>,
  what: string,
  reading: Pick<Reading, "faults">,
): T | undefined {
  const { json } = written;
  report(findings(schema, json, []), { written, schema, what, specimen: json }, reading);
  const parsed = schema.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}

/**
 * Parses a value to a template; undefined for a malformed one. With `names`, a placeholder that names nothing is a fault.
 */
export function readTemplate(
  written: Written,
  names: Names | undefined,
  reading: Reading,
): Template | undefined {
  try {
    const template = reading.template(written.json, written.placeOf);
    names?.check(template, reading.faults);
    return template;
  } catch (thrown) {
    reading.faults.addThrown(thrown, written.placeOf([]));
    return undefined;
  }
}

/** The value with some text where placeholders stand; `holes` tells where. */
function withHoles(template: Template, path: PropertyKey[], holes: PropertyKey[][]): Json {
  if (template === null || typeof template !== "object") return template;
  switch (template.kind) {
    case "placeholder":
    case "interpolated":
      holes.push(path);
      return "placeholder";
    case "list":
      return template.items.map((item, index) => withHoles(item, [...path, index], holes));
    case "map":
      return Object.fromEntries(
        template.entries.map(([key, value]) => [key, withHoles(value, [...path, key], holes)] as const),
      );
  }
}

const STEP_KEYS: readonly string[] = [...COMMON, ...ACTING, ...CHECKING];

interface Subject {
  readonly written: Written;
  readonly schema: Schema<unknown>;
  readonly what: string;
  readonly specimen: Json;
  /** It is the input of a step, beside which keys of the step stand. */
  readonly step?: boolean;
}

function report(found: readonly Finding[], subject: Subject, { faults }: Pick<Reading, "faults">): void {
  const { written, what, specimen, step = false } = subject;
  for (const finding of found) {
    const inside = [what, ...finding.path.map(String)].join(".");
    switch (finding.kind) {
      case "unknown": {
        const existing = keysAt(jsonSchemaOf(subject.schema), finding.path);
        const ofStep = step && finding.path.length === 0 && STEP_KEYS.includes(finding.key);
        faults.add(
          written.placeOfKey([...finding.path, finding.key]),
          `unknown key ${shown(finding.key)} in ${inside}`,
          ofStep
            ? `\`${finding.key}:\` is a key of the step: write it beside \`${what}:\`.`
            : valueOf(subject, finding, existing) ?? didYouMean(finding.key, existing),
        );
        break;
      }
      case "missing":
        faults.add(
          finding.path.length === 0
            ? written.placeOfKey([finding.key])
            : written.placeOf(textual(finding.path)),
          `${inside} needs "${finding.key}"`,
          `Add \`${finding.key}:\`${describedAs(subject, [...finding.path, finding.key])}.`,
        );
        break;
      case "type": {
        const value = at(specimen, finding.path);
        const quotable = finding.expected.includes("string") &&
          (typeof value === "number" || typeof value === "boolean");
        faults.add(
          written.placeOf(textual(finding.path)),
          `${inside} takes ${finding.expected.map(inWords).join(" or ")}, not ${describeJson(value)}`,
          quotable ? `Quote it: "${value}".` : undefined,
        );
        break;
      }
      case "choice": {
        const value = at(specimen, finding.path);
        const near = typeof value === "string"
          ? closest(JSON.stringify(value), finding.values, 1)[0]
          : undefined;
        faults.add(
          written.placeOf(textual(finding.path)),
          `${inside} cannot be ${describeJson(value)}`,
          near ? `Did you mean ${near}?` : `Possible: ${finding.values.slice(0, 20).join(", ")}.`,
        );
        break;
      }
      case "other":
        faults.add(written.placeOf(textual(finding.path)), `${inside}: ${finding.message}`);
    }
  }
}

/** A key that is a choice of another key, or has one as its value: `gone: true` and `state: gone` mean `for: gone`. */
function valueOf(
  { schema, specimen }: Subject,
  { path, key }: { readonly path: readonly PropertyKey[]; readonly key: string },
  existing: readonly string[],
): string | undefined {
  const given = at(specimen, [...path, key]);
  for (const property of existing) {
    const choices = schemasAt(jsonSchemaOf(schema), [...path, property]).flatMap((one) =>
      asList(one["enum"])
    );
    const choice = [key, given].find((one) => typeof one === "string" && choices.includes(one));
    if (typeof choice === "string") return `Write \`${property}: ${choice}\`.`;
  }
  return undefined;
}

function describedAs({ schema }: Subject, path: readonly PropertyKey[]): string {
  const described = schemasAt(jsonSchemaOf(schema), path).map((s) => s["description"]).find((d) =>
    typeof d === "string"
  );
  return typeof described === "string" ? ` (${described.replace(/\.$/, "").slice(0, 120)})` : "";
}

function textual(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((segment) => typeof segment === "number" ? segment : String(segment));
}

function inWords(type: string): string {
  switch (type) {
    case "string":
      return "a text";
    case "object":
    case "record":
      return "a map";
    case "array":
    case "tuple":
      return "a list";
    case "boolean":
      return "true or false";
    case "int":
      return "a whole number";
    case "null":
      return "nothing";
    default:
      return `a ${type}`;
  }
}

function describeJson(value: Json | undefined): string {
  const place: Place = { file: "", line: 1, column: 1 };
  if (Array.isArray(value)) return "a list";
  if (value !== null && typeof value === "object") return "a map";
  return describe({ kind: "scalar", place, value: value ?? null });
}

/** Properties of an input that name an element: a selector, or a map with `selector` and `within`. */
const TARGETS = ["target", "into"];

/** Parses a selector that is a whole value, where the catalogue of selectors is at hand; a fault is noted. */
export function checkSelector(text: string, written: Written, { checkSelector, faults }: Reading): void {
  try {
    checkSelector?.(text);
  } catch (thrown) {
    if (!(thrown instanceof BackstepError)) throw thrown;
    const position = thrown.details?.["position"];
    const place = written.placeOf([], typeof position === "number" ? position - 1 : 0);
    faults.add(place, thrown.message.split("\n")[0] ?? "", thrown.hint);
  }
}

function checkSelectors(
  specimen: Json,
  holes: readonly PropertyKey[][],
  written: Written,
  { checkSelector, faults }: Reading,
): void {
  if (!checkSelector) return;
  for (const path of TARGETS.flatMap((key) => [[key], [key, "selector"], [key, "within"]])) {
    const text = at(specimen, path);
    if (typeof text !== "string" || holes.some((hole) => hole.join() === path.join())) continue;
    const strategy = path.at(-1) === "selector"
      ? at(specimen, [...path.slice(0, -1), "strategy"])
      : undefined;
    try {
      checkSelector(text, typeof strategy === "string" ? strategy : undefined);
    } catch (thrown) {
      if (!(thrown instanceof BackstepError)) throw thrown;
      const position = thrown.details?.["position"];
      const place = written.placeOf(path, typeof position === "number" ? position - 1 : 0);
      // Its further lines point into the text, which the place does already.
      faults.add(place, thrown.message.split("\n")[0] ?? "", thrown.hint);
    }
  }
}
