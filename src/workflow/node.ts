import { defined } from "../base/defined.ts";
import type { Json, Place } from "../base/error.ts";
import { isList, isMap } from "../base/json.ts";

/** A text, number, boolean or null, and where it stands. */
export interface ScalarNode {
  readonly kind: "scalar";
  readonly value: null | boolean | number | string;
  readonly place: Place;
  /** Columns from the scalar's place to its first character, when it stands unescaped on one line. */
  readonly inset?: number;
}

export interface Entry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: Node;
}

export interface MapNode {
  readonly kind: "map";
  readonly place: Place;
  readonly entries: readonly Entry[];
}

export interface ListNode {
  readonly kind: "list";
  readonly place: Place;
  readonly items: readonly Node[];
}

/** What a file says, with the place of every key and value. Free of YAML: aliases and tags are resolved. */
export type Node = ScalarNode | MapNode | ListNode;

/** The entry of this key, or undefined. */
export function entryOf(map: MapNode, key: string): Entry | undefined {
  return map.entries.find((entry) => entry.key === key);
}

/** A node as plain JSON. */
export function toJson(node: Node): Json {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(toJson);
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toJson(value)] as const));
  }
}

/** JSON as a node, for steps that come from elsewhere than a file; `next` names the place of each part, in order. */
export function fromJson(value: Json, next: () => Place): Node {
  const place = next();
  if (isList(value)) return { kind: "list", place, items: value.map((item) => fromJson(item, next)) };
  // What lies in a text comes after what is said of all of it.
  if (!isMap(value)) return { kind: "scalar", value, place, inset: 1 };
  const entries = Object.entries(value).map(([key, item]) => {
    const keyPlace = next();
    return { key, keyPlace, value: fromJson(item, next) };
  });
  return { kind: "map", place, entries };
}

/** The deepest node along `path`, and whether the path was followed to its end. */
export function follow(
  node: Node,
  path: readonly PropertyKey[],
): { node: Node; found: boolean; entry?: Entry } {
  let at = node;
  let entry: Entry | undefined;
  for (const segment of path) {
    let next: Node | undefined;
    let through: Entry | undefined;
    if (at.kind === "map") {
      through = entryOf(at, String(segment));
      next = through?.value;
    } else if (at.kind === "list") {
      next = at.items[Number(segment)];
    }
    if (!next) return { node: at, found: false, ...defined({ entry }) };
    at = next;
    entry = through;
  }
  return { node: at, found: true, ...defined({ entry }) };
}

/** The place `offset` characters into a text, as far as that is known: else where the node begins. */
export function placeIn(node: Node, offset?: number): Place {
  if (node.kind !== "scalar" || node.inset === undefined || offset === undefined) return node.place;
  return { ...node.place, column: node.place.column + node.inset + offset };
}

/** "a map", "a list", `the text "x"`: for messages. */
export function describe(node: Node): string {
  if (node.kind === "map") return "a map";
  if (node.kind === "list") return "a list";
  if (node.value === null) return "nothing";
  if (typeof node.value === "string") {
    const text = node.value.length > 40 ? `${node.value.slice(0, 39)}…` : node.value;
    return `the text ${JSON.stringify(text)}`;
  }
  return `the ${typeof node.value} ${node.value}`;
}
