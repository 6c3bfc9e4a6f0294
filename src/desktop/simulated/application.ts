import { BackstepError, type Json } from "../../base/error.ts";
import type { Application } from "../element.ts";
import { choose, replaceText, setChecked, setName, setSensitive, setValue, setVisible } from "./changes.ts";
import { lengthOf } from "./characters.ts";
import type { ApplicationDescription, Behaviour, WidgetDescription } from "./describe.ts";
import { layOut } from "./layout.ts";
import { truthOf } from "./truth.ts";
import type { RunningApplication, SimulatedWindow, Widget } from "./widget.ts";
import { WidgetTree } from "./widget-tree.ts";
import type { World } from "./world.ts";

/** A description whose behaviour may use all of its application: those that come with Backstep do. */
export interface OwnDescription extends Omit<ApplicationDescription, "behave"> {
  readonly behave?: (application: SimulatedApplication) => Behaviour;
}

/**
 * One run of a simulated application: its widgets and windows. Behaviours change the world through its methods, which
 * speak of widgets by their keys.
 */
export class SimulatedApplication implements RunningApplication {
  readonly description: OwnDescription;
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
  readonly #tree: WidgetTree;
  #dirty = true;

  constructor(description: OwnDescription, world: World, onBuilt?: (widget: Widget) => void) {
    const serial = world.nextSerial();
    this.description = description;
    this.id = description.id;
    this.shared = world;
    this.bus = `:1.${serial}`;
    this.pid = 1_000 + serial;
    this.#tree = new WidgetTree(this, onBuilt);
    this.root = this.#tree.root;
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
    return this.#tree.find(key);
  }
  get(key: string): Widget | undefined {
    return this.#tree.keys.get(key);
  }
  at(path: string): Widget | undefined {
    return this.#tree.paths.get(path);
  }
  all(): Iterable<Widget> {
    return this.#tree.keys.values();
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
      modal: from.modal ?? kind === "dialog",
      x: from.x ?? 40 + offset,
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
    this.layOutAll(window);
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
    const widget = this.#tree.build(into, from);
    this.dirty();
    this.tell(into, "object:children-changed:add", widget.index);
    return widget;
  }

  /** Takes a widget with all that is in it away; its paths are never used again. */
  remove(widget: Widget): void {
    const { parent } = widget;
    if (!parent) return;
    this.#tree.remove(widget, parent);
    for (const window of this.windows) {
      if (window.focus && this.get(window.focus.key) !== window.focus) window.focus = undefined;
    }
    this.nextGeneration();
    this.dirty();
    this.tell(parent, "object:children-changed:remove", widget.index);
  }

  /** Gives one widget the path of another, as toolkits do that reissue ids: the other one is gone. */
  takePath(from: Widget, to: Widget): void {
    this.remove(from);
    this.#tree.move(to, from.path);
    this.touch();
  }

  /** Makes a widget anew so many times, in its place: paths are never used again. */
  replace(widget: Widget, by: number, as: Partial<WidgetDescription> = {}): void {
    const { parent, index, key } = widget;
    if (!parent) return;
    this.remove(widget);
    for (let n = 0; n < by; n++) {
      const made = this.add(parent, { ...widget.from, ...as, key: n === 0 ? key : `${key} ${n + 1}` });
      this.#tree.place(made, parent, index + n);
    }
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
  layOutAll(also?: SimulatedWindow): void {
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
    const state = this.behaviour.world?.() ?? null;
    return { windows: this.windows.map((one) => one.key), widgets: truthOf(this.all()), state };
  }
}
