import { BackstepError } from "../../base/error.ts";
import type { ElementRef } from "../element.ts";

/** More removed paths than this, and all of the application's are forgotten at once. */
const MOST_PATHS = 10_000;

/**
 * Which references are too old. Every removal raises the generation and notes it for what was removed; a reference
 * that is older than the last removal of its address is stale, even where the toolkit has given the address to
 * another element since.
 */
export class Generations {
  #now = 1;
  #all = 0;
  readonly #buses = new Map<string, { at: number; paths: Map<string, number> }>();

  /** To be read before a snapshot is asked for: what is removed meanwhile then makes it stale. */
  get now(): number {
    return this.#now;
  }

  /** One element was removed or became defunct. */
  removed(bus: string, path: string): void {
    const existing = this.#bus(bus);
    if (existing.paths.size >= MOST_PATHS) {
      this.gone(bus);
      return;
    }
    existing.paths.set(path, ++this.#now);
  }

  /** An application left, or nothing of what it had is certain. */
  gone(bus: string): void {
    const existing = this.#bus(bus);
    existing.at = ++this.#now;
    existing.paths.clear();
  }

  /** Events were lost: nothing that was found before is certain. */
  lost(): void {
    this.#all = ++this.#now;
    this.#buses.clear();
  }

  /** Was it removed since it was seen, or something that it lies in? */
  isStale(element: Pick<ElementRef, "bus" | "path" | "generation" | "ancestors">): boolean {
    const { bus, path, generation, ancestors = [] } = element;
    if (generation < this.#all) return true;
    const existing = this.#buses.get(bus);
    if (existing === undefined) return false;
    const removed = (one: string) => generation < (existing.paths.get(one) ?? 0);
    return generation < existing.at || removed(path) || ancestors.some(removed);
  }

  /** Throws `stale` for a reference that is too old. */
  check(what: string, element: ElementRef): void {
    if (!this.isStale(element)) return;
    throw new BackstepError("stale", `Cannot ${what}: the element was removed since it was found`, {
      hint: "Find the element again.",
      details: { path: element.path, generation: element.generation, now: this.#now, outcome: "not_sent" },
    });
  }

  #bus(bus: string): { at: number; paths: Map<string, number> } {
    let existing = this.#buses.get(bus);
    if (!existing) this.#buses.set(bus, existing = { at: 0, paths: new Map() });
    return existing;
  }
}
