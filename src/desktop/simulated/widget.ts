import type { Rect } from "../desktop.ts";
import type { SimulatedApplication } from "./application.ts";
import type { WidgetDescription } from "./describe.ts";
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
  readonly app: SimulatedApplication;
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

  constructor(app: SimulatedApplication, from: WidgetDescription, key: string, path: string) {
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
