import type { Frame, Rect } from "../../desktop/desktop.ts";
import { Role } from "../../desktop/roles.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { rowHas } from "../../desktop/state-words.ts";
import type { Mask } from "./mask.ts";
import { inPixels } from "../../desktop/rect.ts";

/** Pixels around an element that belong to it: its border, and letters that hang over. */
const EDGE = 2;
/** A window's title stands above what accessibility calls the window, in a bar that the window manager draws. */
const TITLE = { top: 48, side: 12 };

const WINDOWS: ReadonlySet<number> = new Set([Role.frame, Role.window, Role.dialog]);

/** What of a snapshot must not be seen. */
export interface HiddenRows {
  /** Rows whose line of an outline says nothing but their role. */
  readonly rows: ReadonlySet<number>;
  /** Where they stand on the screen. */
  readonly rects: readonly Rect[];
  /** One of them shows, and it is not known where. */
  readonly unplaced: boolean;
}

/**
 * Finds what must not be seen in a picture or an outline: fields that received a secret in this run, whatever shows a
 * secret's text now, and password fields always.
 */
export class Hidden {
  readonly #mask: Mask;
  readonly #received = new Map<string, Set<string>>();
  readonly #mirrors = new Map<string, Set<string>>();

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  /** There is something to look for beside password fields. */
  get active(): boolean {
    return !this.#mask.empty;
  }

  /** From now on it is never shown again. */
  received({ bus, path }: { readonly bus: string; readonly path: string }): void {
    const paths = this.#received.get(bus) ?? new Set();
    this.#received.set(bus, paths.add(path));
  }

  /** It changed when a secret went in: itself is never shown again, what lies inside of it is judged apart. */
  mirrors({ bus, path }: { readonly bus: string; readonly path: string }): void {
    const paths = this.#mirrors.get(bus) ?? new Set();
    this.#mirrors.set(bus, paths.add(path));
  }

  /** Has it received a secret? */
  has({ bus, path }: { readonly bus: string; readonly path: string }): boolean {
    return this.#received.get(bus)?.has(path) === true;
  }

  of(snapshot: Snapshot): HiddenRows {
    const rows = new Set<number>();
    const rects: Rect[] = [];
    let unplaced = false;
    const { bus } = snapshot.origin.application;
    const [received, mirrors] = [this.#received.get(bus), this.#mirrors.get(bus)];
    for (let row = 0; row < snapshot.size; row++) {
      const kept = snapshot.role(row) === Role.passwordText || received?.has(snapshot.path(row)) === true;
      const tells = kept || mirrors?.has(snapshot.path(row)) === true ||
        (this.active && this.#tells(snapshot, row));
      if (!tells) continue;
      // What lies inside of such a field shows the same text again.
      for (let r = row; r < (kept ? snapshot.end(row) : row + 1); r++) rows.add(r);
      const rect = snapshot.rect(row);
      if (rect) rects.push(grown(rect, WINDOWS.has(snapshot.role(row))));
      else if (row > 0 && rowHas(snapshot, row, "visible")) unplaced = true;
    }
    return { rows, rects, unplaced };
  }

  #tells(snapshot: Snapshot, row: number): boolean {
    const reported = (text: string | undefined) =>
      text !== undefined && text !== "" && this.#mask.text(text) !== text;
    return reported(snapshot.name(row)) || reported(snapshot.text(row)) ||
      reported(snapshot.description(row)) ||
      reported(snapshot.value(row)?.current.toString());
  }
}

function grown({ x, y, width, height }: Rect, window: boolean): Rect {
  const side = window ? TITLE.side : EDGE;
  const top = window ? TITLE.top : EDGE;
  return { x: x - side, y: y - top, width: width + 2 * side, height: height + top + side };
}

/** Fills rectangles of a picture with black, in place; `origin` is where the picture's corner lies on the screen. */
export function blackOut(
  { width, height, rgba, scale }: Pick<Frame, "width" | "height" | "rgba" | "scale">,
  rects: readonly Rect[],
  origin: { readonly x: number; readonly y: number },
): void {
  for (const place of rects) {
    const rect = inPixels(place, origin, scale);
    const left = Math.max(0, Math.floor(rect.x));
    const right = Math.min(width, Math.ceil(rect.x + rect.width));
    const bottom = Math.min(height, Math.ceil(rect.y + rect.height));
    for (let y = Math.max(0, Math.floor(rect.y)); y < bottom && left < right; y++) {
      for (let at = 4 * (y * width + left); at < 4 * (y * width + right); at += 4) {
        rgba[at] = rgba[at + 1] = rgba[at + 2] = 0;
      }
    }
  }
}
