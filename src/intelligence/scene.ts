import { plainText } from "../desktop/describe.ts";
import { MADE_UP } from "../desktop/item.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { visibilityMask } from "../desktop/state-words.ts";
import { State } from "../desktop/states.ts";
import { isGtk4, isWeb } from "../desktop/toolkits.ts";
import { frontOf, windowsOf } from "./front.ts";
import { type Kind, kindOf } from "./kinds.ts";

/** What of a snapshot is to be read. */
export interface ReadOptions {
  /** The window or dialog to judge, by its row; default: the one in front. */
  readonly front?: number;
}

/** Of the window in front that a document must cover to be what it is about. */
const MOST = 0.6;

/**
 * A snapshot as detectors ask it: the window in front, and what can be seen in it, by kind. One pass over the rows; no
 * string is decoded until somebody asks for it.
 */
export class Scene {
  readonly snapshot: Snapshot;
  /** Windows and dialogs that can be seen: rows below the application. */
  readonly windows: readonly number[];
  /** The window or dialog that a person would use now; -1 where there is none. */
  readonly front: number;
  /** Is that a dialog, or does it keep everything else from being used? */
  readonly isDialog: boolean;
  /** The web page that the window in front is about; -1 where it is not about one. */
  readonly page: number;
  /** What the patterns are looked for in: the page, else the window in front. */
  readonly root: number;
  /** How many rows of it can be seen. */
  readonly size: number;
  readonly #inside = new Map<Kind, number[]>();
  readonly #around = new Map<Kind, number[]>();
  readonly #visible: Uint8Array;
  readonly #names: (string | undefined)[] = [];

  constructor(snapshot: Snapshot, options: ReadOptions = {}) {
    this.snapshot = snapshot;
    this.#visible = visibleRows(snapshot);
    const visible = (row: number) => this.#visible[row] === 1;
    this.windows = windowsOf(snapshot, visible);
    const { front, dialog } = frontOf(snapshot, this.windows, visible, options.front);
    this.front = front;
    this.isDialog = dialog;
    this.page = front < 0 ? -1 : this.#pageIn(front);
    this.root = this.page >= 0 ? this.page : front;
    this.size = front < 0 ? 0 : this.#sort(front);
  }

  /** One pass over the window in front: what is in the page, or in the window, and what is around the page. */
  #sort(front: number): number {
    const { role, states } = this.snapshot.columns;
    const from = this.root, to = this.snapshot.end(this.root);
    let size = 0;
    for (let row = front, end = this.snapshot.end(front); row < end; row++) {
      if (this.#visible[row] === 0) continue;
      const inside = row >= from && row < to;
      if (inside) size++;
      const kind = kindOf(role[row] ?? 0, states[2 * row] ?? 0, states[2 * row + 1] ?? 0);
      if (kind === undefined) continue;
      const into = inside ? this.#inside : this.#around;
      const same = into.get(kind);
      if (same === undefined) into.set(kind, [row]);
      else same.push(row);
    }
    return size;
  }

  #pageIn(front: number): number {
    const { snapshot } = this;
    if (snapshot.role(front) === Role.documentWeb) return front;
    const end = snapshot.end(front);
    const whole = this.area(front);
    const sized = snapshot.columns.rect.length > 0;
    let best = -1, most = -1;
    for (let row = front; row < end; row++) {
      if (snapshot.role(row) !== Role.documentWeb || this.#visible[row] === 0) continue;
      // Browsers keep empty pages without room for what they may show later.
      const size = sized ? this.area(row) : snapshot.end(row) - row - 1;
      if (size > most && size > 0) [best, most] = [row, size];
      row = snapshot.end(row) - 1;
    }
    return isWeb(snapshot.origin.application) || (sized && whole > 0 && most >= MOST * whole) ? best : -1;
  }

  /** Rows of these kinds that can be seen in what is judged, in preorder. */
  of(...wanted: readonly Kind[]): readonly number[] {
    return collect(this.#inside, wanted);
  }

  /** The same in the window around a page: the browser's own. */
  around(...wanted: readonly Kind[]): readonly number[] {
    return collect(this.#around, wanted);
  }

  /** Can it be seen? Of any row. */
  visible(row: number): boolean {
    return this.#visible[row] === 1;
  }

  /** Its name as a person reads it: without mnemonics, dots, and what toolkits make up. "" where it has none. */
  name(row: number): string {
    return this.#names[row] ??= this.#nameOf(row);
  }

  #nameOf(row: number): string {
    const name = plain(this.snapshot.name(row));
    if (!MADE_UP.test(name)) return name;
    // GTK 4.8 names a button after its class where a label in it says what it is.
    for (let at = row + 1, end = this.snapshot.end(row); at < end; at++) {
      if (this.snapshot.role(at) === Role.label && this.visible(at)) return plain(this.snapshot.name(at));
    }
    return "";
  }

  /** Its name, else the label that stands before it, to its left or above it. */
  label(row: number): string {
    const own = this.name(row);
    const role = this.snapshot.role(row);
    // What a combo box of GTK 3 is called is what it shows.
    if (own !== "" && role !== Role.comboBox) return own;
    const beside = this.labelBeside(row);
    return beside === -1 ? own : this.name(beside);
  }

  /** The label that stands before an element, to its left or above it; -1 where there is none. */
  labelBeside(row: number): number {
    const { snapshot } = this;
    const parent = snapshot.parent(row);
    if (parent < 0) return -1;
    const place = snapshot.rect(row);
    let best = -1, nearest = Infinity, before = -1, looked = 0;
    for (let at = parent + 1; at < snapshot.end(parent); at = snapshot.end(at)) {
      // A box with hundreds of children is a list, and not a row of a form.
      if (++looked > 100) break;
      if (snapshot.role(at) !== Role.label || !this.visible(at)) continue;
      if (at < row) before = at;
      const other = snapshot.rect(at);
      if (place === undefined || other === undefined) continue;
      const left = place.x - (other.x + other.width), above = place.y - (other.y + other.height);
      const middle = other.y + other.height / 2;
      const beside = left >= -2 && middle >= place.y - 2 && middle <= place.y + place.height + 2;
      const over = above >= -2 && Math.abs(other.x - place.x) < 40;
      const far = beside ? left : over ? 20 + above : Infinity;
      if (far < nearest) [best, nearest] = [at, far];
    }
    return best >= 0 ? best : place === undefined ? before : -1;
  }

  /** The text that it shows, else its name. */
  text(row: number): string {
    const text = plainText(this.snapshot.text(row) ?? "").trim();
    return text === "" ? this.name(row) : text;
  }

  /** Its size in pixels, 0 where nobody tells. */
  area(row: number): number {
    const rect = this.snapshot.rect(row);
    return rect === undefined ? 0 : rect.width * rect.height;
  }

  /** How much of what is judged it takes, from 0 to 1; undefined where nobody tells. */
  share(row: number): number | undefined {
    const whole = this.area(this.root), own = this.area(row);
    return whole === 0 || own === 0 ? undefined : Math.min(1, own / whole);
  }
}

function collect(map: ReadonlyMap<Kind, readonly number[]>, wanted: readonly Kind[]): readonly number[] {
  const [only] = wanted;
  if (wanted.length === 1 && only !== undefined) return map.get(only) ?? [];
  const found: number[] = [];
  for (const kind of wanted) found.push(...map.get(kind) ?? []);
  return found.sort((a, b) => a - b);
}

/** What can be seen, by states, and for GTK 4 by room too: what is in a page without room has none either. */
function visibleRows(snapshot: Snapshot): Uint8Array {
  const { columns, size, origin } = snapshot;
  const { states, rect, parent } = columns;
  // A document tells what is scrolled out of sight from what is hidden; other toolkits do not.
  const mask = isWeb(origin.application) ? (1 << State.visible) >>> 0 : visibilityMask(origin.application);
  const byRoom = isGtk4(origin.application) && rect.length > 0;
  const visible = new Uint8Array(size);
  for (let row = 0; row < size; row++) {
    const up = parent[row] ?? -1;
    // The application itself is no widget and has no such states.
    if (up >= 0 && (((states[2 * row] ?? 0) & mask) >>> 0) !== mask) continue;
    if (up > 0 && visible[up] === 0) continue;
    if (byRoom && up >= 0 && (rect[4 * row + 2] === 0 || rect[4 * row + 3] === 0)) continue;
    visible[row] = 1;
  }
  return visible;
}

/** "_Close Close" is how GTK 4.8 names a button with a mnemonic: twice, else "_Close"; dots say that more will be asked. */
function plain(name: string): string {
  let text = name.trim();
  const half = /^(.*_.*) (.+)$/su.exec(text);
  if (text.includes("_") && half?.[1] !== undefined) {
    const raw = text.slice(0, (text.length + 1) >> 1).trim(), said = text.slice(raw.length).trim();
    if (raw.replace("_", "") === said) text = said;
  }
  return text.replace(/(^|\s)_(?=[\p{L}\p{N}])/u, "$1").replace(/\s*(?:…|\.\.\.)$/u, "").trim();
}

/** Reads a snapshot once, for `detect`, `stateOf` and `suggestionsFor`. */
export function read(snapshot: Snapshot, options: ReadOptions = {}): Scene {
  return new Scene(snapshot, options);
}
