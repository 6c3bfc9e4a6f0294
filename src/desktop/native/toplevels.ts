import type { ElementRef } from "../desktop.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";

/** The accessible window that an element lies in, by its address. */
export interface Toplevel {
  readonly bus: string;
  readonly path: string;
}

/**
 * Remembers, per application, which window its elements lie in: AT-SPI tells the parent of an element one call at a
 * time, the last whole snapshot tells it at once. Only kept where coordinates have to be mapped.
 */
export class Toplevels {
  readonly #last = new Map<string, Snapshot>();

  /** A snapshot of a whole application was taken. */
  learn(snapshot: Snapshot): void {
    this.#last.set(snapshot.origin.application.bus, snapshot);
  }

  /** The application left. */
  forget(bus: string): void {
    this.#last.delete(bus);
  }

  /** The window of an element; undefined when the last snapshot does not have the element. */
  of(element: Pick<ElementRef, "bus" | "path">): Toplevel | undefined {
    const snapshot = this.#last.get(element.bus);
    if (!snapshot) return undefined;
    let row = snapshot.rowOf(element);
    if (row <= 0) return undefined;
    for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(row)) row = up;
    const { bus, path } = snapshot.element(row);
    return { bus, path };
  }

  /** Does an element belong to a web page? */
  isInPage(element: Pick<ElementRef, "bus" | "path">): boolean {
    const snapshot = this.#last.get(element.bus);
    if (!snapshot) return false;
    for (let row = snapshot.rowOf(element); row > 0; row = snapshot.parent(row)) {
      if (snapshot.role(row) === Role.documentWeb) return true;
    }
    return false;
  }
}
