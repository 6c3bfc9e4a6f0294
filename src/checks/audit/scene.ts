import { plainText } from "../../desktop/describe.ts";
import { Role } from "../../desktop/roles.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { rowHas } from "../../desktop/state-words.ts";
import { isGtk4, isQt } from "../../desktop/toolkits.ts";
import { CONTROLS } from "./kinds.ts";
import type { Picture } from "./picture.ts";
import type { Walk } from "./walk.ts";

/** Whose habits a rule must know. */
export type Toolkit = "gtk3" | "gtk4" | "qt" | "chromium" | "gecko" | "other";

/** What is judged, beside the tree. */
export interface SceneOptions {
  /** Rows to judge: this one and what it holds; default: all. */
  readonly root?: number;
  /** Of the windows that the tree has. */
  readonly pictures?: readonly Picture[];
  /** Where the focus went. */
  readonly walk?: Walk;
}

/** AtspiRelationType. */
const LABEL_FOR = 1, LABELLED_BY = 2;
/** What GTK 4 calls elements that nobody named: after their class. */
const CLASS_NAME = /^(Gtk|Adw|GtkSource|Vte|WebKit|Panel|Shumate)[A-Z]\w*$/;

/**
 * A snapshot as rules ask it: what can be seen, by role, with names as a person would hear them. Everything is worked out
 * once, since forty rules ask the same.
 */
export class Scene {
  readonly snapshot: Snapshot;
  readonly toolkit: Toolkit;
  readonly pictures: readonly Picture[];
  readonly walk: Walk | undefined;
  /** What is judged: rows in preorder that can be seen. */
  readonly rows: readonly number[];
  readonly #byRole = new Map<number, number[]>();
  readonly #visible: Uint8Array;
  readonly #names: (string | undefined)[] = [];
  readonly #attributes: (Readonly<Record<string, string>> | undefined)[] = [];
  #labels: Map<number, number[]> | undefined;

  constructor(snapshot: Snapshot, options: SceneOptions = {}) {
    this.snapshot = snapshot;
    this.pictures = options.pictures ?? [];
    this.walk = options.walk;
    this.toolkit = toolkitOf(snapshot);
    this.#visible = new Uint8Array(snapshot.size);
    const from = options.root ?? 0, to = snapshot.end(from);
    const rows: number[] = [];
    for (let row = 0; row < snapshot.size; row++) {
      // A document tells what is scrolled out of sight from what is hidden; other toolkits do not.
      const seen = this.web ? snapshot.has(row, "visible") : rowHas(snapshot, row, "visible");
      if (!seen || this.#isNowhere(row)) continue;
      this.#visible[row] = 1;
      if (row < from || row >= to) continue;
      rows.push(row);
      const role = snapshot.role(row);
      const same = this.#byRole.get(role);
      if (same === undefined) this.#byRole.set(role, [row]);
      else same.push(row);
    }
    this.rows = rows;
  }

  /** Rows to judge that have one of these roles, in preorder. */
  ofRole(...roles: readonly number[]): number[] {
    const found = roles.flatMap((role) => this.#byRole.get(role) ?? []);
    return roles.length === 1 ? found : found.sort((a, b) => a - b);
  }

  /** Can it be seen? Of any row, judged or not. */
  visible(row: number): boolean {
    return this.#visible[row] === 1;
  }

  /** The tabs of a notebook that shows none are visible to GTK 3, and nowhere. */
  #isNowhere(row: number): boolean {
    const { snapshot } = this;
    return this.toolkit === "gtk3" && snapshot.role(row) === Role.pageTab &&
      snapshot.columns.rect.length > 0 && snapshot.rect(row) === undefined;
  }

  /** Can it be used? GTK 4 says of what is in a disabled element that it is enabled. */
  enabled(row: number): boolean {
    const { snapshot } = this;
    for (let at = row; at > 0; at = snapshot.parent(at)) {
      const counts = at === row || this.toolkit === "gtk4" || CONTROLS.has(snapshot.role(at));
      if (counts && !rowHas(snapshot, at, "enabled")) return false;
    }
    return true;
  }

  /** One of its attributes, as the toolkit tells it; "" when it has none. */
  attribute(row: number, name: string): string {
    const existing = this.#attributes[row] ??= this.snapshot.attributes(row);
    return existing[name] ?? "";
  }

  /** Its own name, without what toolkits make up where nobody named it. */
  name(row: number): string {
    return this.#names[row] ??= this.#nameOf(row);
  }

  #nameOf(row: number): string {
    const name = this.snapshot.name(row).trim();
    if (name === "") return "";
    if (this.toolkit === "gtk4" && CLASS_NAME.test(name)) return "";
    // Firefox calls an area of an image that nobody named after its address.
    if (this.toolkit === "gecko" && this.attribute(row, "tag") === "area" && URL.canParse(name)) return "";
    return this.#isMadeUp(row) ? "" : name;
  }

  /** Chromium calls an image that nobody named "To get missing image descriptions, …", and what holds nothing else after it. */
  #isMadeUp(row: number): boolean {
    if (this.toolkit !== "chromium" || this.attribute(row, "tag") === "") return false;
    const role = this.snapshot.role(row);
    return (role === Role.image || role === Role.link || role === Role.pushButton) &&
      this.attribute(row, "name-from") === "";
  }

  /** Is it a browser, which tells of its pages by tags and ARIA? */
  get web(): boolean {
    return this.toolkit === "chromium" || this.toolkit === "gecko";
  }

  /** Where its name is from, in Chromium's words: "contents", "attribute", "tooltip"; "" where it has none. */
  nameFrom(row: number): string {
    if (this.toolkit !== "gecko") return this.attribute(row, "name-from");
    // Firefox only tells a name that does not come from what the element holds.
    if (this.name(row) === "") return "";
    return this.attribute(row, "explicit-name") === "true" ? "attribute" : "contents";
  }

  /** The role that the author of a page gave it (the first of its ARIA roles); "" where it has that of its tag. */
  declaredRole(row: number): string {
    return this.attribute(row, "xml-roles").split(" ")[0] ?? "";
  }

  /** What labels it, by either end of the relation. */
  labels(row: number): readonly number[] {
    this.#labels ??= this.#readLabels();
    return this.#labels.get(row) ?? [];
  }

  /** Its name, or that of what labels it. */
  label(row: number): string {
    const own = this.name(row);
    // Firefox tells a relation also where it makes no name: its own word is the last.
    if (own !== "" || this.toolkit === "gecko") return own;
    return this.labels(row).map((label) => this.text(label)).find((text) => text !== "") ?? "";
  }

  /** What it shows: its text, or else its name, without embedded objects. */
  text(row: number): string {
    const text = plainText(this.snapshot.text(row) ?? "").trim();
    return text === "" ? this.name(row) : text;
  }

  /** The texts and names of what it holds, as far as `into` lets the search go. */
  content(row: number, into: (row: number) => boolean = () => true): string {
    const found: string[] = [];
    const visit = (at: number) => {
      const end = this.snapshot.end(at);
      for (let child = at + 1; child < end; child = this.snapshot.end(child)) {
        if (!this.visible(child) || !into(child)) continue;
        const text = this.text(child);
        if (text === "") visit(child);
        else found.push(text);
      }
    };
    visit(row);
    const own = plainText(this.snapshot.text(row) ?? "").trim();
    return found.length > 0 ? found.join(" ") : own;
  }

  /** Its nearest ancestor of one of these roles, -1 when there is none. */
  ancestor(row: number, roles: ReadonlySet<number>): number {
    for (let up = this.snapshot.parent(row); up >= 0; up = this.snapshot.parent(up)) {
      if (roles.has(this.snapshot.role(up))) return up;
    }
    return -1;
  }

  /** The row of the window it is in: the child of the application. */
  window(row: number): number {
    let at = row;
    for (let up = this.snapshot.parent(at); up > 0; up = this.snapshot.parent(up)) at = up;
    return at;
  }

  #readLabels(): Map<number, number[]> {
    const labels = new Map<number, number[]>();
    const { snapshot } = this;
    const { relations } = snapshot.columns;
    if (relations === undefined) return labels;
    const rowOf = new Map<string, number>();
    for (let row = 0; row < snapshot.size; row++) rowOf.set(snapshot.path(row), row);
    const learn = (row: number | undefined, label: number | undefined) => {
      if (row === undefined || label === undefined) return;
      const existing = labels.get(row);
      if (existing === undefined) labels.set(row, [label]);
      else if (!existing.includes(label)) existing.push(label);
    };
    for (let row = 0; row < snapshot.size; row++) {
      if ((relations[row] ?? 0) === 0) continue;
      for (const path of snapshot.relation(row, LABELLED_BY) ?? []) learn(row, rowOf.get(path));
      for (const path of snapshot.relation(row, LABEL_FOR) ?? []) learn(rowOf.get(path), row);
    }
    return labels;
  }
}

function toolkitOf(snapshot: Snapshot): Toolkit {
  const { application } = snapshot.origin;
  const name = application.toolkit.toLowerCase();
  if (name === "chromium" || name === "gecko") return name;
  if (isGtk4(application)) return "gtk4";
  if (isQt(application)) return "qt";
  return name === "gtk" || name === "gail" ? "gtk3" : "other";
}
