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
  learn(
    snapshot: Snapshot,
    rows: readonly number[],
    { windows, mappings }: Pick<Layout, "windows" | "mappings">,
  ): void {
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
  standing(address: Address, windows: readonly NativeWindow[]): Mapping | undefined {
    const { mapping, window, now } = this.#now(address, windows) ?? {};
    if (mapping === undefined || window === undefined || now === undefined) return undefined;
    if (isSame(window, now)) return mapping;
    if (now.local !== true || !isAsLarge(window, now)) return undefined;
    // It was moved, which changes nothing of what its application tells.
    const to = { x: mapping.to.x + now.rect.x - window.rect.x, y: mapping.to.y + now.rect.y - window.rect.y };
    return { ...mapping, to };
  }

  /** That of the active window, or of the only one. */
  active(bus: string, windows: readonly NativeWindow[]): Mapping | undefined {
    const paths = [...this.#of.get(bus)?.keys() ?? []];
    const [only] = paths.length === 1 ? paths : [];
    const path = paths.find((path) => this.window({ bus, path }, windows)?.active === true) ?? only;
    return path === undefined ? undefined : this.standing({ bus, path }, windows);
  }

  /** The window that shows it, as it stands now. */
  window(address: Address, windows: readonly NativeWindow[]): NativeWindow | undefined {
    return this.#now(address, windows)?.now;
  }

  #now({ bus, path }: Address, windows: readonly NativeWindow[]) {
    const surface = this.#of.get(bus)?.get(path);
    const now = surface && windows.find(({ id }) => id === surface.window.id);
    return now && { ...surface, now };
  }
}

function isAsLarge({ rect: a }: NativeWindow, { rect: b }: NativeWindow): boolean {
  return a.width === b.width && a.height === b.height;
}

function isSame(a: NativeWindow, b: NativeWindow): boolean {
  return sameRect(a.rect, b.rect) && a.frame.left === b.frame.left && a.frame.right === b.frame.right &&
    a.frame.top === b.frame.top && a.frame.bottom === b.frame.bottom;
}
