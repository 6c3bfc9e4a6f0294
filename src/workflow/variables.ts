import type { Variable } from "../engine/model/step.ts";
import type { Faults } from "./diagnostics.ts";
import { describe, type Entry, entryOf, type MapNode, type Node, toJson } from "./node.ts";
import { NAME, property, readChoice, readMap, readText, refuseUnknown } from "./shape.ts";
import { shown } from "./suggest.ts";
import { typeOf } from "./values.ts";

const TYPES = ["string", "number", "boolean", "list", "map"] as const;
const LONG = ["type", "default", "description"];

/** `vars:`: `x: 3` declares a number with a default, `x: { type: number }` one that must be given. */
export function readVariables(node: Node, faults: Faults): Record<string, Variable> {
  const map = readMap(node, "vars", faults, "Write `vars: { title: Draft }`.");
  const variables: [string, Variable][] = [];
  for (const entry of map?.entries ?? []) {
    if (!NAME.test(entry.key)) {
      faults.add(
        entry.keyPlace,
        `${shown(entry.key)} is no name for a variable`,
        "Use letters, digits, _ and -.",
      );
      continue;
    }
    const variable = readVariable(entry, faults);
    if (variable) variables.push([entry.key, variable]);
  }
  return Object.fromEntries(variables);
}

function readVariable({ key, keyPlace, value }: Entry, faults: Faults): Variable | undefined {
  if (value.kind === "map") return readLong(key, keyPlace, value, faults);
  const type = typeOf(toJson(value));
  if (type === "null") {
    faults.add(
      value.place,
      `the variable "${key}" has no value`,
      `Write \`${key}: { type: string }\` to require one.`,
    );
    // Declared all the same, so that its uses are no faults of their own.
    return { type: "string", place: keyPlace };
  }
  refusePlaceholders(value, faults);
  return { type, default: toJson(value), place: keyPlace };
}

function readLong(key: string, place: Variable["place"], map: MapNode, faults: Faults): Variable {
  refuseUnknown(map, LONG, `the variable "${key}"`, faults);
  const fallback = entryOf(map, "default");
  const given = entryOf(map, "type");
  const read = given && readChoice(given.value, `the type of "${key}"`, TYPES, faults);
  const found = fallback ? typeOf(toJson(fallback.value)) : undefined;
  if (!given && !fallback) {
    const hint = "Write { type: string }, or { type: map, default: { … } } for a map.";
    faults.add(place, `the variable "${key}" has neither a type nor a default`, hint);
  }
  const type = read ?? (found === undefined || found === "null" ? "string" : found);
  if (fallback) refusePlaceholders(fallback.value, faults);
  if (fallback && read && found !== read) {
    faults.add(fallback.value.place, `the default of "${key}" is ${describe(fallback.value)}, not a ${read}`);
  } else if (fallback && found === "null") {
    faults.add(
      fallback.value.place,
      `the default of "${key}" is nothing`,
      "Leave `default:` out to require a value.",
    );
  }
  return {
    type,
    ...(fallback && found === type ? { default: toJson(fallback.value) } : {}),
    ...property(
      "description",
      entryOf(map, "description"),
      (n) => readText(n, `the description of "${key}"`, faults),
    ),
    place,
  };
}

/** Defaults are values, and values are never parsed for placeholders. */
function refusePlaceholders(node: Node, faults: Faults): void {
  if (node.kind === "list") node.items.forEach((item) => refusePlaceholders(item, faults));
  if (node.kind === "map") node.entries.forEach(({ value }) => refusePlaceholders(value, faults));
  if (node.kind === "scalar" && typeof node.value === "string" && node.value.includes("{{")) {
    faults.add(node.place, "a default cannot hold a placeholder", "Use the placeholder in the steps.");
  }
}
