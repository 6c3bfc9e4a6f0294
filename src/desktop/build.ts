import { defined } from "../base/defined.ts";
import type { Application, NumericValue, Rect } from "./element.ts";
import { Interface } from "./interfaces.ts";
import { Role, type RoleName } from "./roles.ts";
import { type Columns, NO_STRING, Snapshot, type SnapshotOrigin } from "./snapshot.ts";
import { type StateName, stateWords } from "./states.ts";

/** One element of a tree written by hand. */
export interface NodeDescription {
  /** A constant of `Role`, or its number. */
  readonly role: RoleName | number;
  readonly name?: string;
  readonly description?: string;
  /** The accessible id. */
  readonly id?: string;
  /** Default: enabled, sensitive, visible, showing. */
  readonly states?: readonly StateName[];
  /** States beside the default ones. */
  readonly also?: readonly StateName[];
  /** States that are missing from the default ones. */
  readonly without?: readonly StateName[];
  readonly rect?: Rect;
  /** Where its text lies. */
  readonly textRect?: Rect;
  /** Of the default action: "<Alt>s". */
  readonly keys?: string;
  /** How its text is set: `{ size: "10pt", weight: "400", language: "en" }`. */
  readonly textStyle?: Readonly<Record<string, string>>;
  /** Paths by AtspiRelationType: `{ 2: ["/node/3"] }` is labelled by that node. */
  readonly relations?: Readonly<Record<number, readonly string[]>>;
  readonly text?: string;
  /** Characters; -1 is the default. */
  readonly caret?: number;
  readonly textSelection?: readonly [start: number, end: number];
  readonly value?: NumericValue;
  readonly actions?: readonly string[];
  readonly attributes?: Readonly<Record<string, string>>;
  /** Indices of the selected children. */
  readonly selected?: readonly number[];
  /** Bits of `Interface`; default: what the other fields need. */
  readonly interfaces?: number;
  /** Default: the application's. */
  readonly bus?: string;
  /** Default: "/node/" and the row. */
  readonly path?: string;
  /** What the application says; default: as many as there are. */
  readonly childCount?: number;
  readonly children?: readonly NodeDescription[];
}

/** What an element has unless it is said otherwise. */
const DEFAULT_STATES: readonly StateName[] = ["enabled", "sensitive", "visible", "showing"];

/** How a snapshot that was built by hand came about; the defaults are a simulated one of generation 1. */
export type BuildOptions = Partial<Omit<SnapshotOrigin, "application">>;

/**
 * A snapshot from a nested description, in preorder and with every column, as the native core would answer it.
 *
 * @example
 * ```ts
 * import { buildSnapshot } from "./build.ts";
 * const snapshot = buildSnapshot(
 *   { role: "frame", name: "Editor", children: [{ role: "pushButton", name: "Save", also: ["focused"] }] },
 *   { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" },
 * );
 * if (snapshot.name(1) !== "Save" || !snapshot.has(1, "focused")) throw new Error();
 * ```
 */
export function buildSnapshot(
  description: NodeDescription,
  application: Application,
  options: BuildOptions = {},
): Snapshot {
  const nodes: { readonly node: NodeDescription; readonly parent: number }[] = [];
  collect(description, -1, nodes);
  const strings = new Strings();
  const count = nodes.length;
  const relations = new Uint32Array(count);
  const keys = new Uint32Array(count);
  const textStyle = new Uint32Array(count);
  const textRect = new Int32Array(4 * count).fill(-1);
  const columns: Columns = {
    count,
    role: new Uint16Array(count),
    states: new Uint32Array(2 * count),
    parent: new Int32Array(count),
    rect: new Int32Array(4 * count),
    interfaces: new Uint32Array(count),
    bus: new Uint32Array(count),
    path: new Uint32Array(count),
    name: new Uint32Array(count),
    description: new Uint32Array(count),
    id: new Uint32Array(count),
    text: new Uint32Array(count),
    caret: new Int32Array(3 * count),
    actions: new Uint32Array(count),
    attributes: new Uint32Array(count),
    selected: new Uint32Array(count),
    relations,
    keys,
    textStyle,
    textRect,
    children: new Int32Array(count),
    value: new Float64Array(4 * count),
    strings: { offsets: new Uint32Array(0), arena: new Uint8Array(0) },
  };
  nodes.forEach(({ node, parent }, row) => {
    columns.role[row] = typeof node.role === "number" ? node.role : Role[node.role];
    columns.states.set(stateWords(statesOf(node)), 2 * row);
    columns.parent[row] = parent;
    const { rect } = node;
    columns.rect.set(rect ? [rect.x, rect.y, rect.width, rect.height] : [0, 0, -1, -1], 4 * row);
    columns.interfaces[row] = node.interfaces ?? interfacesOf(node);
    columns.bus[row] = strings.number(node.bus ?? application.bus);
    columns.path[row] = strings.number(node.path ?? `/node/${row}`);
    columns.name[row] = strings.number(node.name ?? "");
    columns.description[row] = strings.number(node.description ?? "");
    columns.id[row] = strings.number(node.id ?? "");
    columns.text[row] = node.text === undefined ? NO_STRING : strings.number(node.text);
    columns.caret.set([node.caret ?? -1, ...(node.textSelection ?? [-1, -1])], 3 * row);
    columns.actions[row] = strings.number((node.actions ?? []).join("\n"));
    const attributes = Object.entries(node.attributes ?? {}).map(([key, value]) => `${key}:${value}`);
    columns.attributes[row] = strings.number(attributes.join("\n"));
    columns.selected[row] = node.selected === undefined ? NO_STRING : strings.number(node.selected.join(","));
    columns.children[row] = node.childCount ?? node.children?.length ?? 0;
    const related = Object.entries(node.relations ?? {}).map(([type, paths]) => `${type}:${paths.join(" ")}`);
    relations[row] = strings.number(related.join("\n"));
    keys[row] = strings.number(node.keys ?? "");
    textStyle[row] = strings.number(
      Object.entries(node.textStyle ?? {}).map(([key, value]) => `${key}:${value}`).join("\n"),
    );
    const { textRect: lies } = node;
    if (lies) textRect.set([lies.x, lies.y, lies.width, lies.height], 4 * row);
    const { value } = node;
    columns.value.set(
      value ? [value.current, value.minimum, value.maximum, value.step] : [NaN, NaN, NaN, NaN],
      4 * row,
    );
  });
  return new Snapshot({ ...columns, strings: strings.table() }, {
    application,
    generation: options.generation ?? 1,
    strategy: options.strategy ?? "simulated",
    calls: options.calls ?? 0,
    cut: options.cut ?? [],
    source: options.mirror === undefined ? "application" : "mirror",
    ...defined({ mirror: options.mirror }),
  });
}

/** The states of a described node: the given ones, or the default ones with `also` and without `without`. */
export function statesOf(node: NodeDescription): readonly StateName[] {
  const { states = DEFAULT_STATES, also = [], without = [] } = node;
  return [...states, ...also].filter((state) => !without.includes(state));
}

function interfacesOf(node: NodeDescription): number {
  let bits: number = Interface.accessible | Interface.component;
  if (node.text !== undefined) bits |= Interface.text;
  if (node.text !== undefined && statesOf(node).includes("editable")) bits |= Interface.editableText;
  if (node.value !== undefined) bits |= Interface.value;
  if (node.actions !== undefined) bits |= Interface.action;
  if (node.selected !== undefined) bits |= Interface.selection;
  return bits;
}

function collect(
  node: NodeDescription,
  parent: number,
  into: { node: NodeDescription; parent: number }[],
): void {
  const row = into.push({ node, parent }) - 1;
  for (const child of node.children ?? []) collect(child, row, into);
}

/** A string table under construction: equal strings share a number, number 0 is "". */
class Strings {
  readonly #numbers = new Map<string, number>([["", 0]]);
  readonly #bytes: Uint8Array[] = [new Uint8Array(0)];
  readonly #encoder = new TextEncoder();

  number(text: string): number {
    const existing = this.#numbers.get(text);
    if (existing !== undefined) return existing;
    const k = this.#bytes.push(this.#encoder.encode(text)) - 1;
    this.#numbers.set(text, k);
    return k;
  }

  table(): Columns["strings"] {
    const offsets = new Uint32Array(this.#bytes.length + 1);
    this.#bytes.forEach((bytes, k) => offsets[k + 1] = (offsets[k] ?? 0) + bytes.length);
    const arena = new Uint8Array(offsets[this.#bytes.length] ?? 0);
    this.#bytes.forEach((bytes, k) => arena.set(bytes, offsets[k] ?? 0));
    return { offsets, arena };
  }
}
