import { Role } from "./roles.ts";
import type { Snapshot } from "./snapshot.ts";
import { isQt } from "./toolkits.ts";

/** What has items, which lie side by side, or opens a window of its own. */
const ITEMS: ReadonlySet<number> = new Set([
  Role.table,
  Role.treeTable,
  Role.tree,
  Role.list,
  Role.comboBox,
  Role.menuBar,
  Role.menu,
  Role.popupMenu,
]);

/**
 * What would be drawn above a row, if it lay there: what comes later, beside it or beside what it is in, since Qt Widgets and GTK 3
 * draw in the order of their trees. What is outermost comes first, and of the children of one the last. Of items, and of a box of
 * GTK 3, it is known that they lie side by side. `within`: only what is inside of this row.
 */
export function drawnLater(snapshot: Snapshot, row: number, within = 0): number[] {
  const qt = isQt(snapshot.origin.application);
  const levels: number[][] = [];
  for (let branch = row, up = snapshot.parent(row); up > 0; branch = up, up = snapshot.parent(up)) {
    if (branch === within) break;
    const role = snapshot.role(up);
    if (ITEMS.has(role) || (!qt && role === Role.filler)) continue;
    levels.push(snapshot.children(up).filter((child) => child > branch).reverse());
  }
  return levels.reverse().flat();
}

/**
 * What could lie in the place of a row of a web page, wherever it is drawn: what is in it, beside it, or beside what it is in. Of
 * items it is known that they lie side by side. Nothing of what is in no page; undefined: it is the page itself.
 */
export function couldLieAt(snapshot: Snapshot, row: number): number[] | undefined {
  if (snapshot.role(row) === Role.documentWeb) return undefined;
  const others = [...snapshot.children(row)];
  for (let branch = row, up = snapshot.parent(row); up > 0; branch = up, up = snapshot.parent(up)) {
    if (!ITEMS.has(snapshot.role(up))) {
      others.push(...snapshot.children(up).filter((child) => child !== branch));
    }
    if (snapshot.role(up) === Role.documentWeb) return others;
  }
  return [];
}
