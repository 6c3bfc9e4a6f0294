import type { Deadline } from "../../base/call.ts";
import type { Json } from "../../base/error.ts";
import { type Difference, equalJson } from "../../contract/participant.ts";
import type { Application, Desktop } from "../../desktop/desktop.ts";
import { EMBEDDED } from "../../desktop/content.ts";
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
}

/** One property of one element that is not as it was. */
export interface Change extends Difference {
  /** Where the element stands in the tree. */
  readonly key: string;
}

const STATES = ["checked", "selected", "expanded", "enabled"] as const;

/** Looks at a whole application once. */
export async function takeTreeSnapshot(
  desktop: Pick<Desktop, "snapshot">,
  application: Application,
  deadline: Deadline,
): Promise<TreeSnapshot> {
  const fields = ["text", "value", "selection", "id"] as const;
  return treeSnapshotOf(await desktop.snapshot(application, { ...deadline.call(), fields }));
}

function treeSnapshotOf(snapshot: Snapshot): TreeSnapshot {
  const elements = new Map<string, Shown>();
  const keys: string[] = [];
  const counts: Map<string, number>[] = [];
  for (let row = 0; row < snapshot.size; row++) {
    const up = snapshot.parent(row);
    const kind = `${snapshot.role(row)}${snapshot.id(row) === "" ? "" : `#${snapshot.id(row)}`}`;
    const before = up < 0 ? 0 : (counts[up] ??= new Map()).get(kind) ?? 0;
    if (up >= 0) counts[up]?.set(kind, before + 1);
    const key = up < 0 ? "" : `${keys[up] ?? ""}/${kind}[${before}]`;
    keys.push(key);
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
  return { snapshot, elements };
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
  for (const [key, { label, state }] of after.elements) {
    const was = before.elements.get(key);
    if (!was) {
      if (!inside(key, found)) {
        found.push({ key, participant: label, property: "exists", expected: false, actual: true });
      }
      continue;
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
