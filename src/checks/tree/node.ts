import { EMBEDDED } from "../../desktop/content.ts";
import { isBox } from "../../desktop/describe.ts";
import { isItem, itemName, markedRows, shownName } from "../../desktop/actions/items.ts";
import { MADE_UP } from "../../desktop/item.ts";
import { Role, type RoleInfo, roleOf } from "../../desktop/roles.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { bearer, notableStates, rowHas, type StateWord } from "../../desktop/state-words.ts";
import { isQuickCombo } from "../../desktop/quick.ts";
import { isGtk4 } from "../../desktop/toolkits.ts";
import { shownRows } from "../../desktop/shown-rows.ts";
import { collapsed } from "./pattern.ts";

/** An element as the notation sees it: without place, without boxes that only hold others, never with a password. */
export interface TreeNode {
  /** Position in `Tree.all`. */
  readonly index: number;
  readonly info: RoleInfo;
  /** Spaces collapsed. */
  readonly name: string;
  /** What it holds, spaces collapsed: a field's text, a slider's number, a combo box's choice. */
  readonly text: string | undefined;
  /** A password field: what it holds is never read. */
  readonly secure: boolean;
  readonly level: number | undefined;
  /** States that are worth a word and last. */
  readonly states: readonly StateWord[];
  readonly has: (state: StateWord) => boolean;
  readonly parent: TreeNode | undefined;
  readonly children: readonly TreeNode[];
}

/** What a person sees of a snapshot, or below one of its elements. */
export interface Tree {
  /** The element itself; undefined: all of an application, whose windows stand at the top. */
  readonly root: TreeNode | undefined;
  readonly top: readonly TreeNode[];
  /** Every node, parents before their children. */
  readonly all: readonly TreeNode[];
}

/** What lasts while nobody does anything: neither the focus nor the window in front. */
const LASTING: ReadonlySet<StateWord> = new Set([
  "checked",
  "indeterminate",
  "pressed",
  "selected",
  "expanded",
  "collapsed",
  "disabled",
  "required",
  "invalid",
  "modal",
]);
const NUMBERS: ReadonlySet<number> = new Set([
  Role.spinButton,
  Role.slider,
  Role.dial,
  Role.progressBar,
  Role.levelBar,
  Role.scrollBar,
]);
const FIELDS: ReadonlySet<number> = new Set([Role.text, Role.entry, Role.editbar, Role.passwordText]);
const CAPTIONS: ReadonlySet<string> = new Set(["label", "statictext"]);
/** Characters of a text that is compared. */
const MOST_TEXT = 1_000;

/** What `treeOf` leaves out or not. */
export interface TreeOptions {
  /** Scroll bars as well; default false: whether one is there depends on the size of a window. */
  readonly scrollBars?: boolean;
}

/**
 * The tree that the notation is about: what is visible, or holds something visible; boxes without a name are left out
 * and what they hold stands in their place; a caption that repeats the name of what it stands in is left out.
 */
export function treeOf(snapshot: Snapshot, options: TreeOptions = {}): Tree {
  const shown = shownRows(snapshot);
  // The root stands for the whole, also where nothing of it shows.
  shown[0] = 1;
  const all: Draft[] = [];
  const top: Draft[] = [];
  const whole = snapshot.size > 0 && snapshot.role(0) === Role.application;
  /** Of each row: the node that what is in it belongs to. */
  const owner: (Draft | undefined)[] = [];
  for (let row = 0; row < snapshot.size; row++) {
    const around = owner[snapshot.parent(row)];
    owner[row] = around;
    if (shown[row] !== 1) {
      row = snapshot.end(row) - 1;
      continue;
    }
    if (row === 0 ? whole : isBox(snapshot, row) && nameOf(snapshot, row) === "") continue;
    if (snapshot.role(row) === Role.scrollBar && options.scrollBars !== true && row > 0) {
      row = snapshot.end(row) - 1;
      continue;
    }
    const node = nodeOf(snapshot, row, around);
    owner[row] = node;
    if (isLeaf(snapshot, row, node)) row = snapshot.end(row) - 1;
    (around?.children ?? top).push(node);
    if (around && CAPTIONS.has(node.info.word)) around.captions++;
    all.push(node);
  }
  const kept = all.filter((node) => !repeats(node));
  for (const [index, node] of kept.entries()) {
    node.index = index;
    if (node.children.some(repeats)) {
      node.children.splice(
        0,
        Infinity,
        ...node.children.filter((c) => !repeats(c)),
      );
    }
  }
  return { root: whole ? undefined : kept[0], top, all: kept };
}

interface Draft extends TreeNode {
  index: number;
  /** Children that are captions. */
  captions: number;
  readonly parent: Draft | undefined;
  readonly children: Draft[];
}

function nodeOf(snapshot: Snapshot, row: number, parent: Draft | undefined): Draft {
  const role = snapshot.role(row);
  const secure = role === Role.passwordText;
  const name = nameOf(snapshot, row);
  const text = secure ? undefined : textOf(snapshot, row, name);
  return {
    index: -1,
    captions: 0,
    info: roleOf(role, snapshot.statesLow(row), snapshot.statesHigh(row)),
    name,
    text: text === undefined || text === "" ? undefined : text,
    secure,
    level: levelOf(snapshot, row),
    states: lastingStates(snapshot, row),
    has: (state) => rowHas(snapshot, row, state),
    parent,
    children: [],
  };
}

function lastingStates(snapshot: Snapshot, row: number): StateWord[] {
  const states = notableStates(bearer(snapshot, row), snapshot.origin.application);
  // A toggle button that is on says both in some toolkits.
  return states.filter((word) => LASTING.has(word) && !(word === "pressed" && states.includes("checked")));
}

/** What has parts that only serve it: the arrow and the label of a closed combo box, the scale of a slider, the icons of a field. */
function isLeaf(snapshot: Snapshot, row: number, { info, text }: TreeNode): boolean {
  if (NUMBERS.has(info.role)) return text !== undefined;
  // The icons of a field say less than what is written in it.
  if (FIELDS.has(info.role)) return snapshot.text(row)?.includes(EMBEDDED) !== true;
  if (info.role !== Role.comboBox) return false;
  if (isQuickCombo(snapshot, row)) return !snapshot.has(row, "editable");
  const closed = rowHas(snapshot, row, "collapsed");
  for (let r = row + 1; r < snapshot.end(row); r++) {
    const shows = snapshot.has(r, "editable") || (!closed && isItem(snapshot.role(r)));
    if (shows && rowHas(snapshot, r, "visible")) return false;
  }
  return true;
}

/** GTK 4 names what has no name after its type: "GtkBox", and of other libraries "AdwLeaflet". */
const TYPE = /^[A-Z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/;

function nameOf(snapshot: Snapshot, row: number): string {
  const name = collapsed(snapshot.name(row));
  if (MADE_UP.test(name)) return "";
  return TYPE.test(name) && isGtk4(snapshot.origin.application) && isBox(snapshot, row) ? "" : name;
}

/** What it holds beside its name. */
function textOf(snapshot: Snapshot, row: number, name: string): string | undefined {
  const role = snapshot.role(row);
  const number = snapshot.value(row);
  if (NUMBERS.has(role) && number !== undefined) return String(Number(number.current.toPrecision(10)));
  const raw = role === Role.comboBox ? chosen(snapshot, row) : snapshot.text(row);
  // What is embedded in it has nodes of its own.
  if (raw === undefined || raw.includes(EMBEDDED)) return undefined;
  const text = collapsed(raw.slice(0, MOST_TEXT));
  // A label of Qt Quick is called after its text, and tells none.
  return text === name || (text === "" && role === Role.label) ? undefined : text;
}

/** What a combo box stands on: its chosen item, or what it shows by itself. */
function chosen(snapshot: Snapshot, row: number): string | undefined {
  const [item] = markedRows(snapshot, row);
  return (item === undefined ? "" : itemName(snapshot, item)) || shownName(snapshot, row);
}

/** Of headings: an object attribute in every toolkit that has them. */
function levelOf(snapshot: Snapshot, row: number): number | undefined {
  const level = Number(snapshot.attributes(row)["level"]);
  return Number.isInteger(level) && level > 0 ? level : undefined;
}

/** A label that only says the name of what it stands in. */
function repeats(node: Draft): boolean {
  const { parent } = node;
  return parent !== undefined && CAPTIONS.has(node.info.word) && node.children.length === 0 &&
    node.text === undefined && (node.name === parent.name || node.name === parent.text) && node.name !== "" &&
    parent.captions === 1;
}
