import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { webFactsOf } from "../toolkits.ts";

/**
 * Which pages of a browser have been filled in (`fillsOnDemand`): Firefox keeps a copy of each page in its main process, and
 * asks the page for places, values, actions and attributes once somebody wants them. What is read meanwhile is empty, and a
 * number 0.
 */
export class PageCache {
  /** Object paths of the documents that are filled, by the application's address. */
  readonly #filled = new Map<string, Set<string>>();

  /** Does it show a page of which nobody knows that it is filled? */
  hasUnfilled(snapshot: Snapshot): boolean {
    const { application } = snapshot.origin;
    if (!webFactsOf(application)?.fillsOnDemand) return false;
    const existing = this.#filled.get(application.bus);
    return pagesIn(snapshot).some((row) => !existing?.has(snapshot.path(row)));
  }

  /** Notes that its pages are filled, or have had their time. */
  filled(snapshot: Snapshot): void {
    const { bus } = snapshot.origin.application;
    const existing = this.#filled.get(bus) ?? new Set();
    for (const row of pagesIn(snapshot)) existing.add(snapshot.path(row));
    this.#filled.set(bus, existing);
  }

  /** The application left. */
  forget(bus: string): void {
    this.#filled.delete(bus);
  }
}

/** Has every page that shows a place? It is asked for last, and comes after the rest. */
export function isFilled(snapshot: Snapshot): boolean {
  return pagesIn(snapshot).every((row) => snapshot.rect(row) !== undefined);
}

function pagesIn(snapshot: Snapshot): number[] {
  const rows: number[] = [];
  for (let row = 0; row < snapshot.size; row++) {
    if (snapshot.role(row) === Role.documentWeb && snapshot.has(row, "showing")) rows.push(row);
  }
  return rows;
}
