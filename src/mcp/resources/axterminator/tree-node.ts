import type { Json } from "../../../base/error.ts";
import { defined } from "../../../base/defined.ts";
import { Role } from "../../../desktop/roles.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";
import { bearer, notableStates, rowHas } from "../../../desktop/state-words.ts";
import { axOf } from "../../../desktop/vocabulary.ts";
import { shownRows } from "../../../desktop/shown-rows.ts";
import { kindOf } from "../../../operations/kind.ts";
import { brief } from "./brief.ts";
import { valueOf } from "../../../operations/value-of.ts";

/** The visible elements of a tree, nested, from a row on. */
export function treeNode(snapshot: Snapshot, root = 0): { readonly [key: string]: Json } {
  const shown = shownRows(snapshot);
  const visit = (row: number): { readonly [key: string]: Json } => {
    const children = snapshot.children(row).filter((child) => shown[child] === 1).map(visit);
    return { ...elementOf(snapshot, row), ...(children.length === 0 ? {} : { children }) };
  };
  return visit(root);
}

/** One element in the words of the AX vocabulary: bounded, and without what a password field holds. */
function elementOf(snapshot: Snapshot, row: number): { readonly [key: string]: Json } {
  const ax = axOf(snapshot, row);
  const title = snapshot.name(row), id = snapshot.id(row), description = snapshot.description(row);
  const value = kindOf(snapshot, row) === "secure" ? null : valueOf(snapshot, row);
  const rect = snapshot.rect(row);
  const states = snapshot.role(row) === Role.application
    ? []
    : notableStates(bearer(snapshot, row), snapshot.origin.application);
  return {
    role: ax.role,
    ...defined({ subrole: ax.subrole }),
    title: brief(title),
    ...(id === "" ? {} : { identifier: brief(id) }),
    ...(description === "" ? {} : { description: brief(description) }),
    ...(value === null || value === title ? {} : { value: typeof value === "string" ? brief(value) : value }),
    ...(rect === undefined ? {} : { position: [rect.x, rect.y], size: [rect.width, rect.height] }),
    enabled: rowHas(snapshot, row, "enabled"),
    ...(states.length === 0 ? {} : { states }),
  };
}
