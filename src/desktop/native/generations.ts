import { BackstepError } from "../../base/error.ts";
import type { ElementRef } from "../element.ts";

/** More removed paths than this, and all of the application's are forgotten at once. */
const MOST_PATHS = 10_000;

/** Of a reference, what tells whether it is too old. */
type Referred = Pick<ElementRef, "bus" | "path" | "generation" | "ancestors">;

/** What was removed at one address of the bus. */
interface OfBus {
  /** Since when nothing of it is certain. */
  at: number;
  /** Since when it is gone: it does not come back, a bus gives no address twice. */
  left: number;
  readonly paths: Map<string, number>;
}

/**
 * Which references are too old. Every removal raises the generation and notes it for what was removed; a reference
 * that is older than the last removal of its address is stale, even where the toolkit has given the address to
 * another element since.
 */
export class Generations {
  #now = 1;
  #all = 0;
  readonly #buses = new Map<string, OfBus>();

  /** To be read before a snapshot is asked for: what is removed meanwhile then makes it stale. */
  get now(): number {
    return this.#now;
  }

  /** One element was removed or became defunct. */
  removed(bus: string, path: string): void {
    const existing = this.#bus(bus);
    existing.paths.set(path, ++this.#now);
    if (existing.paths.size > MOST_PATHS) this.#none(existing);
  }

  /** An application left. */
  gone(bus: string): void {
    const existing = this.#bus(bus);
    this.#none(existing);
    existing.left = this.#now;
  }

  /** Events were lost: nothing that was found before is certain. */
  lost(): void {
    this.#all = ++this.#now;
    this.#buses.clear();
  }

  /** Was it removed since it was seen, or something that it lies in? */
  isStale(element: Referred): boolean {
    const { bus, path, generation, ancestors = [] } = element;
    if (generation < this.#all) return true;
    const existing = this.#buses.get(bus);
    if (existing === undefined) return false;
    const removed = (one: string) => generation < (existing.paths.get(one) ?? 0);
    return generation < existing.at || removed(path) || ancestors.some(removed);
  }

  /** Throws `stale` for a reference that is too old, and `app_gone` where its application left since. */
  check(what: string, element: Referred): void {
    if (!this.isStale(element)) return;
    const { bus } = element;
    if (element.generation < (this.#buses.get(bus)?.left ?? 0)) {
      throw new BackstepError("app_gone", `Cannot ${what}: its application left the accessibility bus`, {
        hint: "Launch it again, and find the element again.",
        details: { bus, path: element.path, outcome: "not_sent" },
      });
    }
    throw new BackstepError("stale", `Cannot ${what}: the element was removed since it was found`, {
      hint: "Find the element again.",
      details: { path: element.path, generation: element.generation, now: this.#now, outcome: "not_sent" },
    });
  }

  #none(existing: OfBus): void {
    existing.at = ++this.#now;
    existing.paths.clear();
  }

  #bus(bus: string): OfBus {
    let existing = this.#buses.get(bus);
    if (!existing) this.#buses.set(bus, existing = { at: 0, left: 0, paths: new Map() });
    return existing;
  }
}
