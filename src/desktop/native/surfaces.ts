import type { ElementRef } from "../element.ts";
import { sameRect } from "../rect.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Layout, Mapping } from "./coordinates.ts";
import type { NativeWindow } from "./replies.ts";

interface Surface {
  readonly mapping: Mapping;
  /** As it stood then. */
  readonly window: NativeWindow;
}

type Address = Pick<ElementRef, "bus" | "path">;

/** How what each window and popover of an application tells became the screen's when all of them were looked at last. */
export class Surfaces {
  readonly #of = new Map<string, ReadonlyMap<string, Surface>>();

  /** All of them were laid out; `rows` are theirs. */
  learn(snapshot: Snapshot, rows: readonly number[], { windows, mappings }: Layout): void {
    const found = new Map<string, Surface>();
    for (const [k, row] of rows.entries()) {
      const mapping = mappings[k], window = windows[k];
      if (mapping && window) found.set(snapshot.path(row), { mapping, window });
    }
    this.#of.set(snapshot.origin.application.bus, found);
  }

  /** The application left. */
  forget(bus: string): void {
    this.#of.delete(bus);
  }

  /** As it was at the last look. */
  mapping({ bus, path }: Address): Mapping | undefined {
    return this.#of.get(bus)?.get(path)?.mapping;
  }

  /** The same, while its window is where it was and as large as it was; else what it tells is to be read anew. */
  standing({ bus, path }: Address, windows: readonly NativeWindow[]): Mapping | undefined {
    const surface = this.#of.get(bus)?.get(path);
    const now = surface && windows.find(({ id }) => id === surface.window.id);
    return now && isSame(surface.window, now) ? surface.mapping : undefined;
  }
}

function isSame(a: NativeWindow, b: NativeWindow): boolean {
  return sameRect(a.rect, b.rect) && a.frame.left === b.frame.left && a.frame.right === b.frame.right &&
    a.frame.top === b.frame.top && a.frame.bottom === b.frame.bottom;
}
