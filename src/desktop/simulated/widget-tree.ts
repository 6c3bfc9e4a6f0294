import { type RunningApplication, Widget } from "./widget.ts";
import { closest } from "../../base/closest.ts";
import { BackstepError } from "../../base/error.ts";
import type { WidgetDescription } from "./describe.ts";
import { ROW_HEIGHT } from "./kinds.ts";

const PATH = "/org/a11y/atspi/accessible/";

/** The widgets of one run of an application, by key and by path. It tells nobody: its application does. */
export class WidgetTree {
  readonly root: Widget;
  readonly keys = new Map<string, Widget>();
  readonly paths = new Map<string, Widget>();
  readonly #app: RunningApplication;
  /** Asked for each widget that comes into being, so that faults reach what is built later. */
  readonly #built: ((widget: Widget) => void) | undefined;
  #serial = 0;

  constructor(app: RunningApplication, built: ((widget: Widget) => void) | undefined) {
    this.#app = app;
    this.#built = built;
    this.root = new Widget(app, { kind: "application", name: app.description.name }, "", `${PATH}root`);
    this.paths.set(this.root.path, this.root);
  }

  find(key: string): Widget {
    const widget = this.keys.get(key);
    if (widget) return widget;
    throw new BackstepError("internal", `Cannot find "${key}" in the simulated application ${this.#app.id}`, {
      hint: `Near: ${closest(key, this.keys.keys()).join(", ") || "nothing"}. A window has to be open.`,
    });
  }

  build(parent: Widget, from: WidgetDescription): Widget {
    const serial = ++this.#serial;
    const key = from.key ?? from.id ?? `${from.kind}-${serial}`;
    if (this.keys.has(key)) {
      throw new BackstepError("usage", `Cannot build ${this.#app.id}: two widgets have the key "${key}"`);
    }
    const widget = new Widget(this.#app, from, key, `${PATH}${serial}`);
    widget.parent = parent;
    widget.index = parent.children.push(widget) - 1;
    if (parent.kind === "list" || parent.kind === "tabs") widget.chooser = parent;
    if (parent.kind === "popup") widget.chooser = parent.parent;
    this.keys.set(key, widget);
    this.paths.set(widget.path, widget);
    for (const child of from.children ?? []) this.build(widget, child);
    for (const child of implied(widget)) this.build(widget, child);
    this.#built?.(widget);
    return widget;
  }

  remove(widget: Widget, parent: Widget): void {
    for (const gone of widget.all()) {
      if (this.keys.get(gone.key) === gone) this.keys.delete(gone.key);
      if (this.paths.get(gone.path) === gone) this.paths.delete(gone.path);
    }
    parent.children.splice(widget.index, 1);
    for (let i = widget.index; i < parent.children.length; i++) {
      const next = parent.children[i];
      if (next) next.index = i;
    }
  }

  /** Puts a child that was added last where it is to stand. */
  place(widget: Widget, parent: Widget, index: number): void {
    parent.children.splice(widget.index, 1);
    parent.children.splice(index, 0, widget);
    parent.children.forEach((child, at) => child.index = at);
  }

  move(widget: Widget, path: string): void {
    this.paths.delete(widget.path);
    widget.path = path;
    this.paths.set(path, widget);
  }
}

/** The widgets that a toolkit makes by itself: a combo box's menu, a list's rows. */
function implied(widget: Widget): WidgetDescription[] {
  const { kind, from, key } = widget;
  const options = from.options ?? [];
  if (kind === "combo") return [{ kind: "popup", key: `${key}-popup`, options }];
  if (kind === "popup") {
    return options.map((name, i) => ({ kind: "option" as const, key: `${key}[${i}]`, name }));
  }
  if (kind !== "list") return [];
  const shown = from.recycling ? options.slice(0, Math.ceil((from.height ?? 240) / ROW_HEIGHT) + 1) : options;
  return shown.map((name, i) => ({ kind: "row" as const, key: `${key}[${i}]`, name }));
}
