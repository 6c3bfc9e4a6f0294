import type { ElementRef } from "../element.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";

/** The pane of a window, and how far below of what is told it is drawn, in pixels. */
type Panes = ReadonlyMap<string, number>;

/**
 * LibreOffice (7.4, GTK 3) tells the places of what its windows hold as if there were no menu bar above it: the pane has
 * the size of the panel around it and lies another place. What it holds is moved to where it is drawn.
 */
export class OfficePanes {
  readonly #panes = new Map<string, Panes>();

  /** Moves the rows of a snapshot, in place. `root`: the element that it begins with; undefined: the application. */
  move(snapshot: Snapshot, root: Pick<ElementRef, "bus" | "path" | "ancestors"> | undefined): void {
    if (snapshot.columns.rect.length === 0) return;
    if (root === undefined) return this.#moveAll(snapshot);
    const panes = this.#panes.get(root.bus);
    const pane = [root.path, ...root.ancestors ?? []].find((path) => panes?.has(path));
    if (pane !== undefined) moveRows(snapshot, 0, snapshot.size, panes?.get(pane) ?? 0);
  }

  /** The application left. */
  forget(bus: string): void {
    this.#panes.delete(bus);
  }

  #moveAll(snapshot: Snapshot): void {
    const panes = new Map<string, number>();
    for (let row = 1; row < snapshot.size; row++) {
      if (snapshot.role(row) !== Role.rootPane) continue;
      const pane = snapshot.rect(row), around = snapshot.rect(snapshot.parent(row));
      if (pane === undefined || around === undefined) continue;
      if (pane.width !== around.width || pane.height !== around.height || pane.y === around.y) continue;
      panes.set(snapshot.path(row), around.y - pane.y);
    }
    this.#panes.set(snapshot.origin.application.bus, panes);
    for (let row = 1; row < snapshot.size; row++) {
      const down = panes.get(snapshot.path(row));
      if (down !== undefined) moveRows(snapshot, row, snapshot.end(row), down);
    }
  }
}

/** What menus hold is drawn in windows of their own, and told where it is. */
const IN_MENUS: ReadonlySet<number> = new Set([
  Role.menu,
  Role.menuItem,
  Role.checkMenuItem,
  Role.radioMenuItem,
]);

function moveRows(snapshot: Snapshot, from: number, to: number, down: number): void {
  const { rect, textRect } = snapshot.columns;
  for (const places of textRect === undefined ? [rect] : [rect, textRect]) {
    for (let row = from; row < to && 4 * row + 3 < places.length; row++) {
      if (IN_MENUS.has(snapshot.role(row)) || (places[4 * row + 2] ?? -1) < 0) continue;
      places[4 * row + 1] = (places[4 * row + 1] ?? 0) + down;
    }
  }
}
