import type { Snapshot } from "../snapshot.ts";
import { axOf } from "../vocabulary.ts";
import { quote } from "./print.ts";
import { UI_SCHEME } from "./xpath.ts";

const MAX_TITLE = 100;

/**
 * The `macos://ui/` path of a row of a whole application's snapshot: a step a level, with the title (or else the
 * identifier) where there is one, and `#N` where that leaves several under one parent. `parseUiPath` finds the row again.
 */
export function writeUiPath(snapshot: Snapshot, row: number): string {
  const steps: string[] = [];
  for (let at = row; at >= 0; at = snapshot.parent(at)) steps.unshift(writeStep(snapshot, at));
  return UI_SCHEME + steps.join("/");
}

/** What a step says of a row: rows that say the same are told apart by their place. */
function label(snapshot: Snapshot, row: number): { readonly role: string; readonly predicate: string } {
  const { role } = axOf(snapshot, row);
  if (snapshot.parent(row) < 0) {
    const { id, name } = snapshot.origin.application;
    return { role, predicate: `[@bundleIdentifier=${quote(id ?? name)}]` };
  }
  const name = snapshot.name(row);
  if (name !== "" && name.length <= MAX_TITLE) return { role, predicate: `[@AXTitle=${quote(name)}]` };
  const id = snapshot.id(row);
  return { role, predicate: id === "" ? "" : `[@AXIdentifier=${quote(id)}]` };
}

function writeStep(snapshot: Snapshot, row: number): string {
  const { role, predicate } = label(snapshot, row);
  const step = role + predicate;
  const parent = snapshot.parent(row);
  if (parent < 0) return step;
  const end = snapshot.end(parent);
  let before = 0, all = 0;
  for (let child = parent + 1; child < end; child = snapshot.end(child)) {
    if (child === row) before = all;
    if (fits(snapshot, child, row, role, predicate)) all++;
  }
  return all > 1 ? `${step}#${before}` : step;
}

/** Would the step without its number also find this sibling? */
function fits(snapshot: Snapshot, child: number, row: number, role: string, predicate: string): boolean {
  if (axOf(snapshot, child).role !== role) return false;
  if (predicate.startsWith("[@AXTitle")) return snapshot.name(child) === snapshot.name(row);
  return predicate === "" || snapshot.id(child) === snapshot.id(row);
}
