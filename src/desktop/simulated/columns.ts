import { BackstepError } from "../../base/error.ts";
import type { SnapshotField, SnapshotOptions } from "../desktop.ts";
import { type Columns, NO_STRING, Snapshot, type StringTable } from "../snapshot.ts";
import type { RunningApplication, Widget } from "./widget.ts";
import { cut, lengthOf } from "./characters.ts";
import { childrenOf, interfacesOf, selectedOf, statesHigh, statesLow, textOf, valueOf } from "./view.ts";

const DEFAULT_FIELDS: readonly SnapshotField[] = ["extents", "text", "value", "id"];
const NO_U32 = new Uint32Array(0);
const NO_I32 = new Int32Array(0);
const NO_F64 = new Float64Array(0);

/** The last snapshot of each application: asked again while nothing changed, it is the same one. */
const last = new WeakMap<RunningApplication, { readonly key: string; readonly snapshot: Snapshot }>();

/** The accessibility tree of a running application (or of one of its widgets) as columns. */
export function snapshotOf(app: RunningApplication, options: SnapshotOptions): Snapshot {
  const { root, fields = DEFAULT_FIELDS, maxDepth, maxNodes, maxText } = options;
  const key = [app.revision, root?.path, fields.join(), maxDepth, maxNodes, maxText].join(" ");
  const existing = last.get(app);
  if (existing?.key === key) return existing.snapshot;
  const snapshot = build(app, options);
  last.set(app, { key, snapshot });
  return snapshot;
}

function build(app: RunningApplication, options: SnapshotOptions): Snapshot {
  app.layOutAll();
  const { fields = DEFAULT_FIELDS, maxDepth = 255, maxNodes = 100_000, maxText = 1_000 } = options;
  const root = options.root ? app.at(options.root.path) : app.root;
  if (root === undefined) {
    throw new BackstepError("stale", `Cannot read the tree of ${app.id}: its root is gone`, {
      details: { path: options.root?.path ?? "" },
    });
  }
  const left = new Set<string>();
  const { widgets, parents } = collect(root, maxDepth, maxNodes, left);
  const columns = fill(widgets, parents, new Set(fields), maxText, left);
  return new Snapshot(columns, {
    application: app.application,
    generation: app.generation,
    strategy: "simulated",
    calls: 1,
    cut: [...left],
    source: "application",
  });
}

function collect(root: Widget, maxDepth: number, maxNodes: number, left: Set<string>) {
  const widgets: Widget[] = [];
  const parents: number[] = [];
  const visit = (widget: Widget, parent: number, depth: number) => {
    if (widgets.length >= maxNodes) {
      left.add("nodes");
      return;
    }
    const row = widgets.push(widget) - 1;
    parents.push(parent);
    const children = childrenOf(widget);
    if (children.length === 0) return;
    if (depth >= maxDepth) left.add("depth");
    else for (const child of children) visit(child, row, depth + 1);
  };
  visit(root, -1, 0);
  return { widgets, parents };
}

function fill(
  widgets: readonly Widget[],
  parents: readonly number[],
  fields: ReadonlySet<SnapshotField>,
  maxText: number,
  left: Set<string>,
): Columns {
  const n = widgets.length;
  const strings = new Strings();
  const u32 = (field: SnapshotField) => fields.has(field) ? new Uint32Array(n) : NO_U32;
  const columns = {
    count: n,
    role: new Uint16Array(n),
    states: new Uint32Array(2 * n),
    parent: Int32Array.from(parents),
    rect: fields.has("extents") ? new Int32Array(4 * n) : NO_I32,
    interfaces: new Uint32Array(n),
    bus: new Uint32Array(n),
    path: new Uint32Array(n),
    name: new Uint32Array(n),
    description: new Uint32Array(n),
    id: u32("id"),
    text: u32("text"),
    caret: fields.has("caret") ? new Int32Array(3 * n).fill(-1) : NO_I32,
    actions: u32("actions"),
    attributes: u32("attributes"),
    selected: u32("selection"),
    children: new Int32Array(n),
    value: fields.has("value") ? new Float64Array(4 * n).fill(NaN) : NO_F64,
  };
  const usable: boolean[] = [];
  const bus = strings.number(widgets[0]?.app.bus ?? "");
  for (let row = 0; row < n; row++) {
    const widget = widgets[row];
    if (widget === undefined) continue;
    const up = usable[parents[row] ?? -1];
    const use = up === undefined ? widget.usable() : up && widget.sensitive;
    usable.push(use);
    columns.role[row] = widget.spec.role;
    columns.states[2 * row] = statesLow(widget, use);
    columns.states[2 * row + 1] = statesHigh(widget);
    columns.interfaces[row] = interfacesOf(widget);
    columns.bus[row] = bus;
    columns.path[row] = strings.fresh(widget.path);
    columns.name[row] = strings.number(widget.name);
    columns.description[row] = strings.number(widget.from.description ?? "");
    columns.children[row] = childrenOf(widget).length;
    if (fields.has("id")) columns.id[row] = strings.number(widget.id);
    if (fields.has("extents")) fillRect(columns.rect, row, widget);
    if (fields.has("text")) {
      columns.text[row] = fillText(columns.caret, row, widget, strings, maxText, left);
    }
    if (fields.has("value")) {
      const value = valueOf(widget);
      if (value) {
        columns.value[4 * row] = value.current;
        columns.value[4 * row + 1] = value.minimum;
        columns.value[4 * row + 2] = value.maximum;
        columns.value[4 * row + 3] = value.step;
      }
    }
    if (fields.has("actions")) columns.actions[row] = strings.number(widget.spec.actions.join("\n"));
    if (fields.has("attributes")) columns.attributes[row] = strings.number(attributesOf(widget));
    if (fields.has("selection")) {
      const selected = selectedOf(widget);
      columns.selected[row] = selected === undefined ? NO_STRING : strings.number(selected.join(","));
    }
  }
  return { ...columns, strings: strings.table() };
}

function fillRect(rect: Int32Array, row: number, widget: Widget): void {
  if (!widget.showing) {
    rect[4 * row + 2] = -1;
    rect[4 * row + 3] = -1;
    return;
  }
  rect[4 * row] = widget.x;
  rect[4 * row + 1] = widget.y;
  rect[4 * row + 2] = widget.width;
  rect[4 * row + 3] = widget.height;
}

function fillText(
  caret: Int32Array,
  row: number,
  widget: Widget,
  strings: Strings,
  maxText: number,
  left: Set<string>,
): number {
  const text = textOf(widget);
  if (text === undefined) return NO_STRING;
  if (widget.text !== undefined) {
    const [start, end] = widget.selection;
    caret[3 * row] = widget.caret;
    if (start !== end) {
      caret[3 * row + 1] = start;
      caret[3 * row + 2] = end;
    }
  }
  if (text.length <= maxText || lengthOf(text) <= maxText) return strings.number(text);
  left.add("text");
  return strings.number(cut(text, 0, maxText));
}

function attributesOf(widget: Widget): string {
  const { attributes } = widget.from;
  return attributes === undefined ? "" : Object.entries(attributes).map(([k, v]) => `${k}:${v}`).join("\n");
}

/** The strings of a snapshot: encoded in one go, since ten thousand small encodings cost more than the tree. */
class Strings {
  readonly #last = new Map<string, number>([["", 0]]);
  readonly #all: string[] = [""];

  number(text: string): number {
    const existing = this.#last.get(text);
    if (existing !== undefined) return existing;
    const k = this.fresh(text);
    this.#last.set(text, k);
    return k;
  }

  /** For what is never said twice. */
  fresh(text: string): number {
    return this.#all.push(text) - 1;
  }

  table(): StringTable {
    const joined = this.#all.join("");
    const arena = encoder.encode(joined);
    const ascii = arena.length === joined.length;
    const offsets = new Uint32Array(this.#all.length + 1);
    let at = 0;
    for (let k = 0; k < this.#all.length; k++) {
      const text = this.#all[k] ?? "";
      offsets[k + 1] = at += ascii ? text.length : bytesOf(text);
    }
    if (at === arena.length) return { offsets, arena };
    // Halves of a surrogate pair met at the seam of two strings: both are U+FFFD by themselves.
    return { offsets, arena: encoder.encode(this.#all.map((text) => text.toWellFormed()).join("")) };
  }
}

const encoder = new TextEncoder();

/** The length of a text in UTF-8. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    const pair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (pair) i++;
    bytes += unit < 0x800 ? 1 : 2;
  }
  return bytes;
}
