import { isScaffolding, plainText } from "../../desktop/describe.ts";
import type { Application } from "../../desktop/desktop.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { bearer, hasWord, rowHas, type StateWord } from "../../desktop/state-words.ts";
import { roleOf } from "../../desktop/roles.ts";
import { isGtk4 } from "../../desktop/toolkits.ts";
import { wordOf } from "../../desktop/vocabulary.ts";
import { sameElements, sameText } from "./same-elements.ts";

/** The states that a page is told of; each is a bit, by its place in this list. */
export const STATES: readonly StateWord[] = [
  "visible",
  "enabled",
  "focused",
  "checked",
  "pressed",
  "selected",
  "expanded",
  "collapsed",
  "editable",
  "readonly",
  "required",
  "busy",
  "modal",
  "active",
  "focusable",
  "indeterminate",
  "invalid",
  "secure",
];
/** The bit beside these: a box without a name, of no interest by itself. */
export const SCAFFOLDING = 1 << STATES.length;

const VISIBLE = 1 << STATES.indexOf("visible");

/** Characters of a name and of a text that a page is told. */
const MOST = { name: 200, text: 300 };

/** A row of a tree as a page has it: depth, role, name, states, x, y, width (-1: not known), height, text. */
export type PageRow = readonly [
  depth: number,
  role: string,
  name: string,
  states: number,
  x: number,
  y: number,
  width: number,
  height: number,
  text: string,
];

/** What a page was told of a tree. */
export interface PageTree {
  readonly rows: readonly PageRow[];
  /** The address of each row in its application. */
  readonly paths: readonly string[];
  /** What it was made of; a next one with the same elements reuses the rows. */
  readonly snapshot?: Snapshot;
}

/** A tree that nothing is known of yet. */
export const NO_TREE: PageTree = { rows: [], paths: [] };

/**
 * The rows of a snapshot for a page. `before`: what the page was told last; where the snapshot was read without places and
 * texts, those of the same elements stay.
 */
export function rowsOf(snapshot: Snapshot, before: PageTree, whole: boolean): PageTree {
  if (!whole && before.snapshot && sameElements(before.snapshot, snapshot)) {
    return { rows: changedRows(snapshot, before.snapshot, before.rows), paths: before.paths, snapshot };
  }
  const { size } = snapshot;
  const earlier = whole ? undefined : new Map(before.paths.map((path, row) => [path, row] as const));
  const depths = new Uint16Array(size);
  const bits = new StateBits(snapshot.origin.application);
  const rows: PageRow[] = new Array(size);
  const paths: string[] = new Array(size);
  for (let row = 0; row < size; row++) {
    const up = snapshot.parent(row);
    const depth = depths[row] = up < 0 ? 0 : (depths[up] ?? 0) + 1;
    const path = paths[row] = snapshot.path(row);
    const kept = earlier === undefined ? undefined : before.rows[earlier.get(path) ?? -1];
    const rect = whole ? snapshot.rect(row) : undefined;
    const text = whole ? shortened(plainText(snapshot.text(row) ?? ""), MOST.text) : kept?.[8] ?? "";
    rows[row] = [
      depth,
      wordOf(snapshot, row),
      shortened(snapshot.name(row), MOST.name),
      bits.of(snapshot, row),
      rect?.x ?? kept?.[4] ?? 0,
      rect?.y ?? kept?.[5] ?? 0,
      rect?.width ?? kept?.[6] ?? -1,
      rect?.height ?? kept?.[7] ?? 0,
      text,
    ];
  }
  return { rows, paths, snapshot };
}

/** The rows of the same elements: those of which nothing that a page is told has changed are what they were. */
function changedRows(snapshot: Snapshot, before: Snapshot, rows: readonly PageRow[]): readonly PageRow[] {
  const bits = new StateBits(snapshot.origin.application);
  return rows.map((was, row) => {
    const same = snapshot.role(row) === before.role(row) &&
      snapshot.statesLow(row) === before.statesLow(row) &&
      snapshot.statesHigh(row) === before.statesHigh(row) && sameText("name", before, snapshot, row);
    if (same) return was;
    const [depth, , , , x, y, width, height, text] = was;
    const name = shortened(snapshot.name(row), MOST.name);
    return [depth, wordOf(snapshot, row), name, bits.of(snapshot, row), x, y, width, height, text];
  });
}

/** The states of elements by their role and state words: a tree has few kinds of them. */
class StateBits {
  readonly #bits = new Map<string, number>();
  readonly #application: Application;
  readonly #byPlace: boolean;

  constructor(application: Application) {
    this.#application = application;
    this.#byPlace = isGtk4(application);
  }

  of(snapshot: Snapshot, row: number): number {
    const [low, high] = [snapshot.statesLow(row), snapshot.statesHigh(row)];
    const key = `${snapshot.role(row)} ${low} ${high}`;
    let bits = this.#bits.get(key);
    if (bits === undefined) {
      const of = bearer(snapshot, row);
      bits = STATES.reduce((all, word, k) => hasWord(word, of, this.#application) ? all | 1 << k : all, 0);
      this.#bits.set(key, bits);
    }
    // There the place tells whether it shows.
    if (this.#byPlace && (bits & VISIBLE) !== 0 && !rowHas(snapshot, row, "visible")) bits &= ~VISIBLE;
    return isScaffolding(snapshot, row) ? bits | SCAFFOLDING : bits;
  }
}

/** The word of macOS' accessibility for the role of a row, as tools name it. */
export function axRoleOf(snapshot: Snapshot, row: number): string {
  return roleOf(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row)).ax;
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
