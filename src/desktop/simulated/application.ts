import { closest } from "../../base/closest.ts";
import { BackstepError, type Json } from "../../base/error.ts";
import type { Application } from "../desktop.ts";
import { choose, replaceText, setChecked, setName, setSensitive, setValue, setVisible } from "./changes.ts";
import { lengthOf } from "./characters.ts";
import type { ApplicationDescription, Behaviour, WidgetDescription } from "./describe.ts";
import { ROW_HEIGHT } from "./kinds.ts";
import { layOut } from "./layout.ts";
import { Widget } from "./widget.ts";
import type { SimulatedWindow, World } from "./world.ts";

/** Kinds whose state is told by what they belong to. */
const IMPLIED: ReadonlySet<string> = new Set(["window", "dialog", "popup", "option", "row"]);

const PATH = "/org/a11y/atspi/accessible/";

/**
 * One run of a simulated application: its widgets and windows. Behaviours change the world through its methods, which
 * speak of widgets by their keys.
 */
export class SimulatedApplication {
  readonly description: ApplicationDescription;
  readonly id: string;
  readonly bus: string;
  readonly pid: number;
  readonly shared: World;
  readonly root: Widget;
  readonly windows: SimulatedWindow[] = [];
  /** Raised when a path of the tree goes, or comes to mean something else. */
  generation = 1;
  /** Raised by any change that a snapshot could show. */
  revision = 0;
  /** The menu or combo box whose popup is open. */
  popup: Widget | undefined;
  behaviour: Behaviour = {};
  /** The widgets of which reads do not tell the truth. */
  readonly masked = new Set<Widget>();
  /** Asked for each widget that comes into being, so that faults reach what is built later. */
  onBuilt: ((widget: Widget) => void) | undefined;
  readonly #keys = new Map<string, Widget>();
  readonly #paths = new Map<string, Widget>();
  #serial = 0;
  #dirty = true;

  constructor(description: ApplicationDescription, world: World, onBuilt?: (widget: Widget) => void) {
    const serial = world.nextSerial();
    this.description = description;
    this.id = description.id;
    this.shared = world;
    this.bus = `:1.${serial}`;
    this.pid = 1_000 + serial;
    this.onBuilt = onBuilt;
    this.root = new Widget(this, { kind: "application", name: description.name }, "", `${PATH}root`);
    this.#paths.set(this.root.path, this.root);
    description.windows.forEach((window, i) => {
      if (window.open ?? i === 0) this.open(window.key);
    });
    this.behaviour = description.behave?.(this) ?? {};
  }

  get application(): Application {
    const { id, name, toolkit = "gtk", toolkitVersion = "3.24" } = this.description;
    return { bus: this.bus, name, pid: this.pid, toolkit, toolkitVersion, id };
  }

  // What behaviours ask and do, by key.

  text(key: string): string {
    return this.find(key).content() ?? "";
  }
  name(key: string): string {
    return this.find(key).name;
  }
  value(key: string): number {
    return this.find(key).value?.current ?? 0;
  }
  checked(key: string): boolean {
    return this.find(key).checked;
  }
  chosen(key: string): number[] {
    return [...this.find(key).chosen ?? []];
  }
  setText(key: string, text: string): boolean {
    const widget = this.find(key);
    return replaceText(widget, 0, lengthOf(widget.text ?? ""), text);
  }
  setName(key: string, name: string): boolean {
    return setName(this.find(key), name);
  }
  setValue(key: string, value: number): boolean {
    return setValue(this.find(key), value);
  }
  setChecked(key: string, checked: boolean): boolean {
    return setChecked(this.find(key), checked);
  }
  choose(key: string, indices: readonly number[]): boolean {
    return choose(this.find(key), indices);
  }
  setSensitive(key: string, sensitive: boolean): boolean {
    return setSensitive(this.find(key), sensitive);
  }
  setVisible(key: string, visible: boolean): boolean {
    return setVisible(this.find(key), visible);
  }

  /** The widget of this key; a mistake in a description is an `internal` error. */
  find(key: string): Widget {
    const widget = this.#keys.get(key);
    if (widget) return widget;
    throw new BackstepError("internal", `Cannot find "${key}" in the simulated application ${this.id}`, {
      hint: `Near: ${closest(key, this.#keys.keys()).join(", ") || "nothing"}. A window has to be open.`,
    });
  }
  get(key: string): Widget | undefined {
    return this.#keys.get(key);
  }
  at(path: string): Widget | undefined {
    return this.#paths.get(path);
  }
  all(): Iterable<Widget> {
    return this.#keys.values();
  }

  // Windows.

  isOpen(key: string): boolean {
    return this.windows.some((window) => window.key === key);
  }

  /** Opens a window of the description with new widgets, or raises the one that is open. */
  open(key: string): void {
    const standing = this.windows.find((window) => window.key === key);
    if (standing) return this.shared.raise(standing);
    const from = this.description.windows.find((window) => window.key === key);
    if (!from) {
      throw new BackstepError("internal", `Cannot open window "${key}" of ${this.id}: no such window`);
    }
    const { kind = "window", title, width = kind === "dialog" ? 420 : 720, height = 480, children } = from;
    const widget = this.add(this.root, { kind, key, name: title, children });
    const n = this.shared.nextWindow();
    const offset = 32 * ((n - 1) % 8);
    const window: SimulatedWindow = {
      id: n,
      key,
      app: this,
      widget,
      x: 40 + offset,
      y: 40 + offset,
      width,
      height: kind === "dialog" && from.height === undefined ? 200 : height,
      minimised: false,
      focus: undefined,
    };
    window.focus = this.order(window)[0];
    this.windows.push(window);
    this.shared.log.changed(this.id, key, "window", null, title);
    this.tell(widget, "window:create", 0, title);
    this.shared.restack(() => this.shared.stack.push(window));
  }

  /** Takes a window away; without windows the application ends. */
  closeWindow(key: string): void {
    const window = this.windows.find((one) => one.key === key);
    if (!window) return;
    const title = window.widget.name;
    if (this.popup) this.popup = undefined;
    this.shared.log.changed(this.id, key, "window", title, null);
    this.shared.restack(() => {
      this.shared.stack.splice(this.shared.stack.indexOf(window), 1);
      this.windows.splice(this.windows.indexOf(window), 1);
    });
    this.tell(window.widget, "window:destroy", 0, title);
    this.remove(window.widget);
    if (!this.windows.some((one) => one.widget.kind === "window")) this.exit();
  }

  /** Closes a window as a person would: the application may have something to say. */
  requestClose(key: string): void {
    if (this.behaviour.close?.(key)) return;
    this.closeWindow(key);
  }

  /** Ends at once. */
  exit(): void {
    const { running, stack, log } = this.shared;
    const at = running.indexOf(this);
    if (at < 0) return;
    running.splice(at, 1);
    log.changed(this.id, "", "running", true, false);
    this.shared.restack(() => {
      for (const window of this.windows.splice(0)) stack.splice(stack.indexOf(window), 1);
    });
    this.tell(this.root, "object:state-changed:defunct", 1);
  }

  /** What Tab goes through, in order. */
  order(window: SimulatedWindow): Widget[] {
    this.settle(window);
    return [...window.widget.all()].filter((widget) =>
      widget.spec.focusable && widget.showing && widget.usable()
    );
  }

  focus(key: string): void {
    const widget = this.find(key);
    const window = this.windowOf(widget);
    if (window) this.shared.restack(() => window.focus = widget);
  }

  windowOf(widget: Widget): SimulatedWindow | undefined {
    for (let up: Widget | undefined = widget; up; up = up.parent) {
      const top = up;
      const window = this.windows.find((one) => one.widget === top);
      if (window) return window;
    }
    return undefined;
  }

  // The tree.

  /** Builds a widget with all that is in it. */
  add(parent: Widget | string, from: WidgetDescription): Widget {
    const into = typeof parent === "string" ? this.find(parent) : parent;
    const widget = this.#build(into, from);
    this.dirty();
    this.tell(into, "object:children-changed:add", widget.index);
    return widget;
  }

  #build(parent: Widget, from: WidgetDescription): Widget {
    const serial = ++this.#serial;
    const widget = new Widget(
      this,
      from,
      from.key ?? from.id ?? `${from.kind}-${serial}`,
      `${PATH}${serial}`,
    );
    if (this.#keys.has(widget.key)) {
      throw new BackstepError("usage", `Cannot build ${this.id}: two widgets have the key "${widget.key}"`);
    }
    widget.parent = parent;
    widget.index = parent.children.push(widget) - 1;
    if (parent.kind === "list" || parent.kind === "tabs") widget.chooser = parent;
    if (parent.kind === "popup") widget.chooser = parent.parent;
    this.#keys.set(widget.key, widget);
    this.#paths.set(widget.path, widget);
    for (const child of from.children ?? []) this.#build(widget, child);
    for (const child of implied(widget)) this.#build(widget, child);
    this.onBuilt?.(widget);
    return widget;
  }

  /** Takes a widget with all that is in it away; its paths are never used again. */
  remove(widget: Widget): void {
    const { parent } = widget;
    if (!parent) return;
    for (const gone of widget.all()) {
      if (this.#keys.get(gone.key) === gone) this.#keys.delete(gone.key);
      if (this.#paths.get(gone.path) === gone) this.#paths.delete(gone.path);
    }
    parent.children.splice(widget.index, 1);
    for (let i = widget.index; i < parent.children.length; i++) {
      const next = parent.children[i];
      if (next) next.index = i;
    }
    for (const window of this.windows) {
      if (window.focus && this.#keys.get(window.focus.key) !== window.focus) window.focus = undefined;
    }
    this.nextGeneration();
    this.dirty();
    this.tell(parent, "object:children-changed:remove", widget.index);
  }

  /** Gives one widget the path of another, as toolkits do that reissue ids: the other one is gone. */
  takePath(from: Widget, to: Widget): void {
    const { path } = from;
    this.remove(from);
    this.#paths.delete(to.path);
    to.path = path;
    this.#paths.set(path, to);
    this.touch();
  }

  nextGeneration(): void {
    this.generation++;
    this.touch();
  }

  /** Something changed that a snapshot could show. */
  touch(): void {
    this.revision++;
  }
  /** Something changed its place. */
  dirty(): void {
    this.#dirty = true;
    this.revision++;
  }
  /** Brings the places of all widgets up to date. */
  settle(also?: SimulatedWindow): void {
    if (also && !this.windows.includes(also)) layOut(also);
    if (!this.#dirty) return;
    this.#dirty = false;
    this.root.showing = true;
    for (const window of this.windows) layOut(window);
  }

  changed(widget: Widget, what: string, before: Json, after: Json): void {
    this.revision++;
    this.shared.log.changed(this.id, widget.key, what, before, after);
  }
  tell(widget: Widget, kind: string, detail1 = 0, text = "", detail2 = 0): void {
    this.shared.tell(widget, kind, detail1, text, detail2);
  }

  /** The real state of this run as plain JSON. */
  world(): Json {
    const widgets: Record<string, Json> = {};
    for (const widget of this.#keys.values()) {
      const named = widget.from.key !== undefined || widget.from.id !== undefined;
      if (named && !IMPLIED.has(widget.kind)) widgets[widget.key] = truth(widget);
    }
    return { windows: this.windows.map((one) => one.key), widgets, state: this.behaviour.world?.() ?? null };
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

function truth(widget: Widget): Json {
  const { text, value, chosen, checked, name, visible, sensitive, open } = widget;
  return {
    name,
    ...(text === undefined ? {} : { text }),
    ...(value === undefined ? {} : { value: value.current }),
    ...(chosen === undefined ? {} : { chosen: [...chosen] }),
    ...(widget.spec.manner === "toggle" ? { checked } : {}),
    ...(visible ? {} : { visible }),
    ...(sensitive ? {} : { sensitive }),
    ...(open ? { open } : {}),
  };
}
