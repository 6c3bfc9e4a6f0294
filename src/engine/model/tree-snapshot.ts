import type { Deadline } from "../../base/call.ts";
import type { Json } from "../../base/error.ts";
import { type Difference, equalJson } from "../../contract/participant.ts";
import type { Application, Desktop } from "../../desktop/desktop.ts";
import { EMBEDDED } from "../../desktop/content.ts";
import { isItem } from "../../desktop/actions/items.ts";
import { Interface } from "../../desktop/interfaces.ts";
import { Role } from "../../desktop/roles.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { rowHas } from "../../desktop/state-words.ts";
import { webFactsOf } from "../../desktop/toolkits.ts";
import { labelOf } from "../../participants/element.ts";

/** What one element shows. */
interface Shown {
  readonly label: string;
  readonly row: number;
  readonly state: { readonly [property: string]: Json };
}

/** What every element of an application shows at one moment, without places on the screen and without the focus. */
export interface TreeSnapshot {
  readonly snapshot: Snapshot;
  /** By where an element stands in the tree: what a title says does not matter, how many of its kind are before it does. */
  readonly elements: ReadonlyMap<string, Shown>;
  /** The same by rows: the keys. */
  readonly keys: readonly string[];
}

/** One property of one element that is not as it was. */
export interface Change extends Difference {
  /** Where the element stands in the tree. */
  readonly key: string;
}

const STATES = ["checked", "selected", "expanded", "enabled"] as const;

/**
 * Looks at a whole application once. Where the elements of a box are those of another look in another order, as with panels of Qt that
 * come to the front, they stand where they stood there: the order is what changed.
 */
export async function takeTreeSnapshot(
  desktop: Pick<Desktop, "snapshot">,
  application: Application,
  deadline: Deadline,
  like?: TreeSnapshot,
): Promise<TreeSnapshot> {
  const fields = ["text", "value", "selection", "id"] as const;
  return treeSnapshotOf(await desktop.snapshot(application, { ...deadline.call(), fields }), like);
}

function treeSnapshotOf(snapshot: Snapshot, like: TreeSnapshot | undefined): TreeSnapshot {
  const moved = new Map<number, string>();
  const elements = new Map<string, Shown>();
  const keys: string[] = [];
  const counts: Map<string, number>[] = [];
  for (let row = 0; row < snapshot.size; row++) {
    const up = snapshot.parent(row);
    const kind = kindOf(snapshot, row);
    const before = up < 0 ? 0 : (counts[up] ??= new Map()).get(kind) ?? 0;
    if (up >= 0) counts[up]?.set(kind, before + 1);
    const key = moved.get(row) ?? (up < 0 ? "" : `${keys[up] ?? ""}/${kind}[${before}]`);
    keys.push(key);
    for (const [child, was] of keysOfMoved(snapshot, row, key, like)) moved.set(child, was);
    elements.set(key, {
      get label() {
        return labelOf({
          application: snapshot.origin.application,
          snapshot,
          row,
          element: snapshot.element(row),
        });
      },
      row,
      state: stateOf(snapshot, row),
    });
  }
  return { snapshot, elements, keys };
}

function kindOf(snapshot: Snapshot, row: number): string {
  return `${snapshot.role(row)}${snapshot.id(row) === "" ? "" : `#${snapshot.id(row)}`}`;
}

/** The keys of the children of a row that are those of another look in another order. Items of lists are told by their places. */
function keysOfMoved(
  snapshot: Snapshot,
  row: number,
  key: string,
  like: TreeSnapshot | undefined,
): [number, string][] {
  const then = like?.elements.get(key)?.row;
  if (like === undefined || then === undefined) return [];
  const children = snapshot.children(row);
  if (children.length < 2 || children.some((one) => isItem(snapshot.role(one)))) return [];
  const before = new Map(like.snapshot.children(then).map((one) => [like.snapshot.path(one), one]));
  if (before.size !== children.length) return [];
  const rows = children.map((one) => {
    const was = before.get(snapshot.path(one)) ?? -1;
    return was >= 0 && kindOf(like.snapshot, was) === kindOf(snapshot, one) ? was : -1;
  });
  const asBefore = rows.every((was, at) => at === 0 || was > (rows[at - 1] ?? -1));
  if (asBefore || rows.includes(-1)) return [];
  return children.map((one, at) => [one, like.keys[rows[at] ?? -1] ?? ""]);
}

function stateOf(snapshot: Snapshot, row: number): Record<string, Json> {
  const state: Record<string, Json> = { name: snapshot.name(row) };
  // The content of a password field is never read; that it differs is not known either.
  if (snapshot.role(row) !== Role.passwordText) {
    const text = snapshot.text(row);
    if (text !== undefined && text !== state["name"] && !inNames(snapshot, row, text)) state["text"] = text;
  }
  const value = snapshot.implements(row, Interface.value) ? snapshot.value(row) : undefined;
  if (value !== undefined) state["value"] = value.current;
  if (snapshot.implements(row, Interface.selection)) state["chosen"] = [...snapshot.selected(row) ?? []];
  for (const word of STATES) state[word] = rowHas(snapshot, row, word);
  return state;
}

/** Does a text say nothing that names do not say, of the element or of those in it? */
function inNames(snapshot: Snapshot, row: number, text: string): boolean {
  return webFactsOf(snapshot.origin.application)?.namesTellTexts === true && !snapshot.has(row, "editable") &&
    (text === "" || text.includes(EMBEDDED));
}

/** Every property in which two pictures differ, in the order of the later tree; what came or went is one difference. */
export function changesBetween(before: TreeSnapshot, after: TreeSnapshot): Change[] {
  const found: Change[] = [];
  for (const [key, { label, row, state }] of after.elements) {
    const was = before.elements.get(key);
    if (!was) {
      if (!inside(key, found)) {
        found.push({ key, participant: label, property: "exists", expected: false, actual: true });
      }
      continue;
    }
    const [order, now] = [childKeys(before, was.row), childKeys(after, row)];
    if (!equalJson(order, now) && equalJson([...order].sort(), [...now].sort())) {
      const [expected, actual] = [short(labelsOf(before, was.row)), short(labelsOf(after, row))];
      found.push({ key, participant: label, property: "order", expected, actual });
    }
    for (const property of new Set([...Object.keys(was.state), ...Object.keys(state)])) {
      const [a, b] = [was.state[property] ?? null, state[property] ?? null];
      if (!equalJson(a, b)) {
        found.push({ key, participant: label, property, expected: short(a), actual: short(b) });
      }
    }
  }
  for (const [key, { label }] of before.elements) {
    if (after.elements.has(key) || inside(key, found)) continue;
    found.push({ key, participant: label, property: "exists", expected: true, actual: false });
  }
  return found;
}

function childKeys({ snapshot, keys }: TreeSnapshot, row: number): string[] {
  return snapshot.children(row).map((child) => keys[child] ?? "");
}

function labelsOf({ elements, keys, snapshot }: TreeSnapshot, row: number): string {
  return snapshot.children(row).map((child) => elements.get(keys[child] ?? "")?.label ?? "").join(", ");
}

/** What stands in an element that came or went is not named apart. */
function inside(key: string, found: readonly Change[]): boolean {
  return found.some((one) => one.property === "exists" && key.startsWith(`${one.key}/`));
}

function short(value: Json): Json {
  return typeof value === "string" && value.length > 200 ? `${value.slice(0, 199)}…` : value;
}

/** Is an element one of these, or inside of one? */
export function isWithin(key: string, keys: Iterable<string>): boolean {
  for (const one of keys) if (key === one || key.startsWith(`${one}/`)) return true;
  return false;
}

/** A difference as results name it. */
export function plain({ participant, property, expected, actual }: Change): Difference {
  return { participant, property, expected, actual };
}
