import type { ElementRef } from "../element.ts";
import { popoverAround, popoversOf } from "../popover.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";

/** The accessible window or popover that an element lies in, by its address. */
export interface Toplevel {
  readonly bus: string;
  readonly path: string;
  /** A popover of GTK 4. */
  readonly popover: boolean;
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

  /** The window of an element, or the popover around it; undefined when the last snapshot does not have the element. */
  of(element: Pick<ElementRef, "bus" | "path">): Toplevel | undefined {
    const snapshot = this.#last.get(element.bus);
    if (!snapshot) return undefined;
    let row = snapshot.rowOf(element);
    if (row <= 0) return undefined;
    const popover = popoverAround(snapshot, row);
    if (popover > 0) return toplevelAt(snapshot, popover, true);
    for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(row)) row = up;
    return toplevelAt(snapshot, row, false);
  }

  /** All popovers of an application, what opened one before what it opened. */
  popovers(bus: string): Toplevel[] {
    const snapshot = this.#last.get(bus);
    return snapshot ? popoversOf(snapshot).map((row) => toplevelAt(snapshot, row, true)) : [];
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

function toplevelAt(snapshot: Snapshot, row: number, popover: boolean): Toplevel {
  const { bus, path } = snapshot.element(row);
  return { bus, path, popover };
}
