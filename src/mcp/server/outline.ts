import { cut as shorten, isBox, plainText } from "../../desktop/describe.ts";
import { MADE_UP } from "../../desktop/item.ts";
import { quote } from "../../desktop/quote.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { bearer, notableStates, rowHas, type StateWord } from "../../desktop/state-words.ts";
import { isInteractive, wordOf } from "../../desktop/vocabulary.ts";
import { isPlaceholder } from "../../operations/explore-element.ts";
import { kindOf } from "../../operations/kind.ts";
import { valueOf } from "../../operations/value-of.ts";

/** What of a tree a model is shown. */
export interface OutlineOptions {
  /** Row to start at; default: the root of the snapshot. */
  readonly root?: number;
  /** Levels of the tree below the start, folded ones too; default: all that was read. */
  readonly maxDepth?: number;
  /** Elements that do not show too, marked "hidden"; default false. */
  readonly includeInvisible?: boolean;
  /** Lines; default 400. */
  readonly limit?: number;
  /** A reference for a row that somebody can act on; default: none. */
  readonly reference?: (row: number) => string | undefined;
}

/** An outline, and what it leaves out. */
export interface Outline {
  readonly text: string;
  /** "depth", "nodes", "hidden", "text", and what the reading left out; empty: nothing. */
  readonly cut: readonly string[];
}

/** Lines unless more are asked for: some 4,000 tokens. */
const LIMIT = 400;
/** Characters of one name or value. */
const MOST = 80;
/** What a reading left out, as a model can ask for it. */
const UNREAD: ReadonlyMap<string, string> = new Map([
  ["depth", "what is deeper than max_depth"],
  ["nodes", "what is beyond the most that is read at once"],
  ["text", "the rest of long texts"],
]);
/** Without a name, a value or anything inside these say nothing. */
const SILENT = new Set([
  "separator",
  "image",
  "icon",
  "unknown",
  "drawingarea",
  "scrollbar",
  "label",
  "arrow",
]);

/**
 * A tree for models, a line an element: `role "title" [states] =value #reference`, one space a level. Boxes without a name
 * that hold one thing are folded into it, empty ones and labels that repeat the name above them are left out. What is
 * missing is counted: `…12` after a line, the rest in the last one.
 *
 * @example
 * ```ts
 * import { buildSnapshot } from "../../desktop/build.ts";
 * import { outlineOf } from "./outline.ts";
 * const snapshot = buildSnapshot(
 *   { role: "frame", name: "Editor", children: [{ role: "filler", children: [{ role: "pushButton", name: "Save" }] }] },
 *   { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" },
 * );
 * const { text } = outlineOf(snapshot);
 * if (text !== 'window "Editor"\n button "Save"') throw new Error(text);
 * ```
 */
export function outlineOf(snapshot: Snapshot, options: OutlineOptions = {}): Outline {
  return snapshot.size === 0
    ? { text: "", cut: [...snapshot.origin.cut] }
    : new Writer(snapshot, options).whole(options.root ?? 0);
}

class Writer {
  readonly #snapshot: Snapshot;
  readonly #options: OutlineOptions;
  readonly #speaks: Uint8Array;
  readonly #lines: string[] = [];
  readonly #left = { lines: 0, hidden: 0, deeper: 0 };
  #shortened = false;

  constructor(snapshot: Snapshot, options: OutlineOptions) {
    this.#snapshot = snapshot;
    this.#options = options;
    this.#speaks = speakingRows(snapshot, options.includeInvisible === true);
  }

  whole(root: number): Outline {
    this.#visit(root, 0, 0);
    const { lines, hidden, deeper } = this.#left;
    const { cut } = this.#snapshot.origin;
    const more = [
      lines > 0 ? `${lines} after ${this.#limit} lines` : "",
      deeper > 0 ? `${deeper} deeper` : "",
      hidden > 0 ? `${hidden} hidden` : "",
      ...cut.map((one) => UNREAD.get(one) ?? `unread: ${one}`),
    ].filter((part) => part !== "");
    if (more.length > 0) this.#lines.push(`(left out: ${more.join(", ")})`);
    const what = [
      ...cut,
      ...(deeper > 0 ? ["depth"] : []),
      ...(lines > 0 ? ["nodes"] : []),
      ...(hidden > 0 ? ["hidden"] : []),
      ...(this.#shortened ? ["text"] : []),
    ];
    return { text: this.#lines.join("\n"), cut: [...new Set(what)] };
  }

  get #limit(): number {
    return this.#options.limit ?? LIMIT;
  }

  /** `level` counts all rows, `indent` those that have a line. */
  #visit(row: number, level: number, indent: number): void {
    const snapshot = this.#snapshot;
    const below: number[] = [];
    for (const child of snapshot.children(row)) {
      if (this.#speaks[child] === SPEAKS) below.push(child);
      else if (this.#speaks[child] === HIDDEN) this.#left.hidden += snapshot.end(child) - child;
    }
    const deep = level >= (this.#options.maxDepth ?? Infinity);
    const [only] = below;
    if (!deep && only !== undefined && below.length === 1 && isNamelessBox(snapshot, row)) {
      return this.#visit(only, level + 1, indent);
    }
    if (this.#lines.length >= this.#limit) {
      this.#left.lines += snapshot.end(row) - row;
      return;
    }
    const missing = deep && below.length > 0 ? snapshot.end(row) - row - 1 : 0;
    this.#left.deeper += missing;
    this.#lines.push(" ".repeat(indent) + this.#line(row) + (missing > 0 ? ` …${missing}` : ""));
    if (!deep) { for (const child of below) this.#visit(child, level + 1, indent + 1); }
  }

  #line(row: number): string {
    const snapshot = this.#snapshot;
    const word = wordOf(snapshot, row);
    const name = titleOf(snapshot, row);
    const states = statesOf(snapshot, row);
    const value = valueText(snapshot, row);
    const reference = isInteractive(word) ? this.#options.reference?.(row) : undefined;
    return [
      word,
      name === "" ? "" : this.#quoted(name),
      states.length === 0 ? "" : `[${states.join(" ")}]`,
      value === undefined ? "" : `=${typeof value === "number" ? value : this.#quoted(value)}`,
      reference === undefined ? "" : `#${reference}`,
    ].filter((part) => part !== "").join(" ");
  }

  #quoted(text: string): string {
    const short = shorten(text, MOST);
    if (short !== text) this.#shortened = true;
    return quote(short.replace(/[\u0085\u2028\u2029]/g, " "));
  }
}

const SAYS_NOTHING = 0, SPEAKS = 1, HIDDEN = 2;

/** Of each row: has it a line, or has anything below it one? */
function speakingRows(snapshot: Snapshot, all: boolean): Uint8Array {
  const speaks = new Uint8Array(snapshot.size);
  for (let row = snapshot.size - 1; row >= 0; row--) {
    const up = snapshot.parent(row);
    const shows = all || rowHas(snapshot, row, "visible");
    if (speaks[row] === SPEAKS || (shows && saysSomething(snapshot, row))) {
      speaks[row] = SPEAKS;
      if (up >= 0) speaks[up] = SPEAKS;
    } else if (!shows) speaks[row] = HIDDEN;
    else speaks[row] = SAYS_NOTHING;
  }
  speaks[0] = SPEAKS;
  return speaks;
}

function saysSomething(snapshot: Snapshot, row: number): boolean {
  const name = titleOf(snapshot, row);
  const word = wordOf(snapshot, row);
  if (word === "label" && name !== "" && repeatsAbove(snapshot, row, name)) return false;
  if (!SILENT.has(word) && !isBox(snapshot, row)) return true;
  return name !== "" || valueText(snapshot, row) !== undefined || hasNews(snapshot, row);
}

/** Has it a state that those inside of it do not say as well? */
function hasNews(snapshot: Snapshot, row: number): boolean {
  return statesOf(snapshot, row).some((state) => state !== "disabled" && state !== "hidden");
}

/** Its name, unless the toolkit made it up from the type of the widget: "GtkBox". */
function titleOf(snapshot: Snapshot, row: number): string {
  const name = snapshot.name(row);
  return MADE_UP.test(name) ? "" : name;
}

function isNamelessBox(snapshot: Snapshot, row: number): boolean {
  return isBox(snapshot, row) && titleOf(snapshot, row) === "" && !hasNews(snapshot, row);
}

/** Does the element that the label is part of say the same? GTK 4 names a button after label and tooltip: "Open Open". */
function repeatsAbove(snapshot: Snapshot, row: number, name: string): boolean {
  let up = snapshot.parent(row);
  while (up > 0 && isNamelessBox(snapshot, up)) up = snapshot.parent(up);
  return up >= 0 && isInteractive(wordOf(snapshot, up)) && snapshot.name(up).includes(name);
}

/** Applications and their boxes set few states: none of them is news. */
function statesOf(snapshot: Snapshot, row: number): StateWord[] {
  if (row === 0 && snapshot.parent(row) < 0 && wordOf(snapshot, row) === "application") return [];
  return notableStates(bearer(snapshot, row), snapshot.origin.application)
    .filter((state) => state !== "hidden" || rowHas(snapshot, row, "hidden"));
}

/** What it holds beside its name; states say the rest. Never the content of a password field. */
function valueText(snapshot: Snapshot, row: number): string | number | undefined {
  const kind = kindOf(snapshot, row);
  if (kind === "secure" || kind === "toggle" || kind === "radio") return undefined;
  if (kind === "container" && wordOf(snapshot, row) !== "combobox") return undefined;
  const whole = valueOf(snapshot, row);
  const value = typeof whole === "string" ? plainText(whole).trim() : whole;
  if (typeof value === "number") return Number(value.toPrecision(6));
  const said = typeof value === "string" && value !== "" && value !== snapshot.name(row) &&
    !isPlaceholder(value);
  return said ? value : undefined;
}
