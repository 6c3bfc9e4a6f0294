import type { Application, Rect } from "../element.ts";
import type { Json } from "../../base/error.ts";
import type {
  ApplicationControls,
  ApplicationDescription,
  Behaviour,
  WidgetDescription,
} from "./describe.ts";
import { type Kind, kinds, type KindSpec } from "./kinds.ts";

/** What a read answers instead of the truth. */
export interface Mask {
  readonly text?: string;
  readonly value?: number;
  readonly checked?: boolean;
  readonly chosen?: readonly number[];
  /** Reads until the truth comes out again. */
  reads: number;
}

/** A number with its range. */
export interface Range {
  current: number;
  minimum: number;
  maximum: number;
  step: number;
}

/** What Ctrl+Z of a text area goes back through. */
export interface History {
  undo: string[];
  redo: string[];
  /** Length of `undo` when the text was last saved: there it is unmodified. */
  saved: number;
}

/**
 * One widget of a running application: the truth, of which the accessibility tree is a view. Plain fields; whoever
 * changes one goes through the application, which logs it and tells the world.
 */
export class Widget {
  readonly app: RunningApplication;
  readonly kind: Kind;
  readonly spec: KindSpec;
  readonly from: WidgetDescription;
  key: string;
  path: string;
  /** Generation of the application in which this path got its present meaning. */
  since: number;
  name: string;
  id: string;
  parent: Widget | undefined;
  /** Place among the siblings. */
  index = 0;
  readonly children: Widget[] = [];

  visible: boolean;
  sensitive: boolean;
  checked: boolean;
  /** Its popup is open. */
  open = false;
  text: string | undefined;
  caret = 0;
  /** Selected characters; equal ends: none. */
  selection: [number, number] = [0, 0];
  history: History | undefined;
  value: Range | undefined;
  /** Of what chooses: the indices that are chosen. */
  chosen: Set<number> | undefined;
  /** Of what is chosen: who chooses it. */
  chooser: Widget | undefined;
  /** Of a recycling list: the item that its first row shows. */
  first = 0;

  /** Not in the tree yet, though on the screen. */
  absent = false;
  mask: Mask | undefined;

  x = 0;
  y = 0;
  width = -1;
  height = -1;
  showing = false;

  constructor(app: RunningApplication, from: WidgetDescription, key: string, path: string) {
    const kind = from.kind;
    this.app = app;
    this.kind = kind;
    this.spec = kinds[kind];
    this.from = from;
    this.key = key;
    this.path = path;
    this.since = app.generation;
    this.name = from.name ?? "";
    this.id = from.id ?? "";
    this.visible = from.visible ?? true;
    this.sensitive = from.sensitive ?? true;
    this.checked = from.checked ?? false;
    if (this.spec.manner === "edit") this.text = from.text ?? "";
    if (kind === "textarea") this.history = { undo: [], redo: [], saved: 0 };
    if (this.spec.manner === "slide" || kind === "progress") {
      const minimum = from.minimum ?? 0;
      this.value = {
        current: from.value ?? minimum,
        minimum,
        maximum: from.maximum ?? 100,
        step: from.step ?? 1,
      };
    }
    if (kind === "combo" || kind === "list") this.chosen = new Set(from.chosen ?? []);
    if (kind === "tabs") this.chosen = new Set(from.chosen ?? [0]);
  }

  get secret(): boolean {
    return this.kind === "password";
  }

  /** The text that the widget really holds, also where it follows from something else. */
  content(): string | undefined {
    if (this.text !== undefined) return this.text;
    if (this.kind === "label" || this.kind === "heading") return this.name;
    return this.kind === "spin" ? String(this.value?.current ?? "") : undefined;
  }

  /** The index by which its chooser knows it. */
  choice(): number {
    return (this.chooser?.first ?? 0) + this.index;
  }

  isChosen(): boolean {
    return this.chooser?.chosen?.has(this.choice()) ?? false;
  }

  /** On the screen; undefined while it does not show. */
  rect(): Rect | undefined {
    if (!this.showing || this.width < 0) return undefined;
    return { x: this.x, y: this.y, width: this.width, height: this.height };
  }

  /** Can it be used: itself and everything around it is sensitive? */
  usable(): boolean {
    for (let up: Widget | undefined = this.sensitive ? this : undefined; up; up = up.parent) {
      if (!up.sensitive) return false;
      if (up.parent === undefined) return true;
    }
    return false;
  }

  /** Itself and everything below it, in preorder. */
  *all(): Generator<Widget> {
    yield this;
    for (const child of this.children) yield* child.all();
  }
}

/** A top-level window on the simulated screen. */
export interface SimulatedWindow {
  readonly id: number;
  readonly key: string;
  readonly app: RunningApplication;
  readonly widget: Widget;
  /** Keeps the other windows of its application from being used. */
  readonly modal: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
  minimised: boolean;
  /** The widget that gets the keys while this window is active. */
  focus: Widget | undefined;
}

/** What the applications share, as their widgets know it. */
export interface SharedScreen {
  /** Whether anybody listens. */
  readonly events: { readonly wanted: boolean };
  /** The window that gets the keys. */
  active(): SimulatedWindow | undefined;
  /** The widget that gets the keys. */
  focused(): Widget | undefined;
  /** Does something that may change which window is active and which widget focused, and tells of the change. */
  restack(change: () => void): void;
}

/** One run of a simulated application, as its widgets, the screen and the faults know it. */
export interface RunningApplication extends ApplicationControls {
  readonly description: Omit<ApplicationDescription, "behave">;
  readonly id: string;
  readonly bus: string;
  readonly pid: number;
  /** As a desktop tells of it. */
  readonly application: Application;
  readonly shared: SharedScreen;
  readonly root: Widget;
  readonly windows: readonly SimulatedWindow[];
  /** Raised when a path of the tree goes, or comes to mean something else. */
  readonly generation: number;
  /** Raised by any change that a snapshot could show. */
  readonly revision: number;
  /** The menu or combo box whose popup is open. */
  popup: Widget | undefined;
  readonly behaviour: Behaviour;
  /** The widgets of which reads do not tell the truth. */
  readonly masked: Set<Widget>;
  /** The widget of this key; a mistake in a description is an `internal` error. */
  find(key: string): Widget;
  get(key: string): Widget | undefined;
  at(path: string): Widget | undefined;
  all(): Iterable<Widget>;
  /** What Tab goes through, in order. */
  order(window: SimulatedWindow): Widget[];
  windowOf(widget: Widget): SimulatedWindow | undefined;
  /** Gives one widget the path of another, as toolkits do that reissue ids: the other one is gone. */
  takePath(from: Widget, to: Widget): void;
  /** Makes a widget anew so many times, in its place: paths are never used again. */
  replace(widget: Widget, by: number, as?: Partial<WidgetDescription>): void;
  nextGeneration(): void;
  /** Something changed that a snapshot could show. */
  touch(): void;
  /** Something changed its place. */
  dirty(): void;
  /** Brings the places of all widgets up to date. */
  layOutAll(also?: SimulatedWindow): void;
  changed(widget: Widget, what: string, before: Json, after: Json): void;
  tell(widget: Widget, kind: string, detail1?: number, text?: string, detail2?: number): void;
  /** The real state of this run as plain JSON. */
  world(): Json;
}
