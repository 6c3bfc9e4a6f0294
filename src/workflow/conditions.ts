import type { Json } from "../base/error.ts";
import type { Condition } from "../engine/model/step.ts";
import { readInput, readTemplate, writtenAs } from "./inputs.ts";
import type { Names } from "./names.ts";
import { type Entry, entryOf, type MapNode, type Node, placeIn, toJson } from "./node.ts";
import type { Reading } from "./reading.ts";
import { readDuration, readMap, refuseUnknown } from "./shape.ts";

const HINT =
  "Write { exists: selector }, { gone: selector }, { target: selector, value: … }, { equals: [a, b] } or { not: … }.";
const FORMS = ["target", "file", "exists", "gone", "equals", "not"];

/**
 * A condition: `{ exists: sel, within: 500ms }`, `{ gone: sel }`, an assertion `{ target: sel, value: … }`,
 * or `{ file: path, text: … }`, `{ equals: [a, b] }` or `{ not: … }`. Without `within` it is looked at once. Faults are noted.
 */
export function readCondition(
  node: Node,
  what: string,
  names: Names,
  reading: Reading,
  negate = false,
  depth = 0,
): Condition | undefined {
  const { faults } = reading;
  const map = readMap(node, what, faults, HINT);
  if (!map) return undefined;
  // An assertion may say `exists: true` beside its target, so the order of the forms counts, not that of the keys.
  const form = FORMS.map((key) => entryOf(map, key)).find((entry) => entry !== undefined);
  if (!form) {
    const first = map.entries[0];
    faults.add(first?.keyPlace ?? map.place, `${what} is no condition`, HINT);
    return undefined;
  }
  switch (form.key) {
    case "not":
      refuseUnknown(map, ["not"], what, faults);
      if (depth > 8) return void faults.add(form.keyPlace, `${what} nests "not" too deeply`);
      return readCondition(form.value, `${what}.not`, names, reading, !negate, depth + 1);
    case "equals":
      refuseUnknown(map, ["equals"], what, faults);
      return readEquals(form, what, names, reading, negate);
    case "exists":
    case "gone":
      refuseUnknown(map, [form.key, "within"], what, faults);
      return readPresence(map, form, what, names, reading, negate);
    default:
      return readAssertion(map, form, what, names, reading, negate);
  }
}

function readEquals(
  form: Entry,
  what: string,
  names: Names,
  reading: Reading,
  negate: boolean,
): Condition | undefined {
  const items = form.value.kind === "list" ? form.value.items : [];
  const [a, b] = items;
  if (!a || !b || items.length !== 2) {
    reading.faults.add(
      form.value.place,
      `${what}.equals takes a list of two values`,
      "Write equals: [a, b].",
    );
    return undefined;
  }
  const left = readTemplate(writtenAs(a, form.keyPlace), names, reading);
  const right = readTemplate(writtenAs(b, form.keyPlace), names, reading);
  if (left === undefined || right === undefined) return undefined;
  return { kind: "equals", left, right, negate, place: form.keyPlace };
}

function readPresence(
  map: MapNode,
  form: Entry,
  what: string,
  names: Names,
  reading: Reading,
  negate: boolean,
): Condition | undefined {
  const json: Json = {
    target: toJson(form.value),
    exists: form.key === "exists",
    timeout: within(map, what, reading),
  };
  const nodes = new Map<unknown, Node>([["target", form.value]]);
  return assertion(json, map, form, nodes, what, names, reading, negate);
}

function readAssertion(
  map: MapNode,
  form: Entry,
  what: string,
  names: Names,
  reading: Reading,
  negate: boolean,
): Condition | undefined {
  const rest = map.entries.filter(({ key }) => key !== "within");
  const timed = entryOf(map, "timeout") === undefined || entryOf(map, "within") !== undefined;
  const json: Json = {
    ...Object.fromEntries(rest.map(({ key, value }) => [key, toJson(value)] as const)),
    ...(timed ? { timeout: within(map, what, reading) } : {}),
  };
  const nodes = new Map<unknown, Node>(rest.map(({ key, value }) => [key, value]));
  return assertion(json, map, form, nodes, what, names, reading, negate);
}

/** Milliseconds; 0, which is one look, where nothing is said. */
function within(map: MapNode, what: string, { faults }: Reading): number {
  const entry = entryOf(map, "within");
  return entry ? readDuration(entry.value, `${what}.within`, faults) ?? 0 : 0;
}

function assertion(
  json: Json,
  map: MapNode,
  form: Entry,
  nodes: ReadonlyMap<unknown, Node>,
  what: string,
  names: Names,
  reading: Reading,
  negate: boolean,
): Condition | undefined {
  const whole = writtenAs(map, form.keyPlace);
  const written = {
    json,
    placeOf(path: readonly (string | number)[], offset?: number) {
      const [key, ...deeper] = path;
      const node = nodes.get(key);
      if (!node) return map.place;
      return deeper.length === 0
        ? placeIn(node, offset)
        : writtenAs(node, form.keyPlace).placeOf(deeper, offset);
    },
    placeOfKey: whole.placeOfKey,
  };
  const operation = reading.verbs.with("condition");
  const input = operation
    ? readInput(written, operation.inputSchema, what, names, reading)
    : readTemplate(written, names, reading);
  return input === undefined ? undefined : { kind: "assert", input, negate, place: form.keyPlace };
}
