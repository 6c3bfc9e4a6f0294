import { isPopover } from "../popover.ts";
import type { Snapshot } from "../snapshot.ts";
import { lyingIn, showsPlace } from "./hidden-pages.ts";

/** Elements of one application of which it is kept; of more, what was learned first is forgotten. */
const MOST = 1_024;

/**
 * Elements of which the children were seen to lie side by side. A box or a grid lays its children out so and goes on doing
 * it: whether they lie on each other, as the pages of a stack do, need not be asked at each act. Other children are looked at
 * anew. A page that was not shown yet has no place, so that a stack is not taken for a box.
 */
export class SideBySide {
  readonly #seen = new Map<string, Map<string, string>>();

  /** Do the children of a row lie side by side by what was seen of these same children? One alone does. */
  has(snapshot: Snapshot, row: number): boolean {
    const children = laidOut(snapshot, row);
    if (children.length < 2) return true;
    const { bus, path } = snapshot.element(row);
    return this.#seen.get(bus)?.get(path) === pathsOf(snapshot, children);
  }

  /** Rows of which the places of all children were asked just now. */
  learn(snapshot: Snapshot, rows: Iterable<number>): void {
    for (const row of rows) {
      const children = laidOut(snapshot, row);
      if (children.length < 2 || !children.every((child) => showsPlace(snapshot, child))) continue;
      if (lyingIn(snapshot, children).length > 0) continue;
      const { bus, path } = snapshot.element(row);
      const seen = this.#seen.get(bus) ?? new Map<string, string>();
      this.#seen.set(bus, seen.set(path, pathsOf(snapshot, children)));
      const [oldest] = seen.keys();
      if (seen.size > MOST && oldest !== undefined) seen.delete(oldest);
    }
  }

  /** An application is gone. */
  forget(bus: string): void {
    this.#seen.delete(bus);
  }
}

/** Its children, without popovers, which have a window of their own. */
function laidOut(snapshot: Snapshot, row: number): number[] {
  return snapshot.children(row).filter((child) => !isPopover(snapshot, child));
}

function pathsOf(snapshot: Snapshot, rows: readonly number[]): string {
  return rows.map((row) => snapshot.path(row)).join(" ");
}
