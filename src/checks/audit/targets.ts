import type { Rect } from "../../desktop/desktop.ts";
import { Role } from "../../desktop/roles.ts";
import { rowHas } from "../../desktop/state-words.ts";
import { BUTTONS, TOGGLES } from "./kinds.ts";
import type { Tell } from "./rule.ts";
import type { Scene } from "./scene.ts";

/** How large is large enough. */
export interface TargetLimit {
  /** Pixels in each direction. */
  readonly least: number;
  /** Smaller ones do where a circle of that size around their middle touches no other target (2.5.8). */
  readonly spacing: boolean;
}

/** In these, lines and rows decide how large a link or a button is. */
const INLINE: ReadonlySet<number> = new Set([
  Role.paragraph,
  Role.listItem,
  Role.tableCell,
  Role.heading,
  Role.label,
]);
/** Parts that the toolkit makes: their size is not the author's. */
const MADE: ReadonlySet<number> = new Set([
  Role.scrollBar,
  Role.spinButton,
  Role.titleBar,
  Role.comboBox,
  Role.menu,
]);

/**
 * Judges how large what is pressed is, in pixels of the screen: where the desktop is scaled, that is more than the pixels
 * that WCAG means.
 */
export function judgeTargets(scene: Scene, tell: Tell, { least, spacing }: TargetLimit): void {
  const { snapshot } = scene;
  const targets = scene.ofRole(...BUTTONS, ...TOGGLES, Role.link).flatMap((row) => {
    const rect = snapshot.rect(row);
    if (rect === undefined || !rowHas(snapshot, row, "visible") || !scene.enabled(row)) return [];
    return rect.width < 1 || rect.height < 1 ? [] : [{ row, rect }];
  });
  const crowd = spacing ? new Neighbours(targets.map(({ rect }) => rect), least) : undefined;
  for (const { row, rect } of targets) {
    if (rect.width >= least && rect.height >= least) {
      tell.pass(row);
      continue;
    }
    if (snapshot.role(row) === Role.link && scene.ancestor(row, INLINE) >= 0) continue;
    if (scene.ancestor(row, MADE) >= 0) continue;
    if (crowd !== undefined && !crowd.near(rect)) {
      tell.pass(row);
      continue;
    }
    const size = `it is ${rect.width} by ${rect.height} pixels large`;
    // GTK 4 tells what is inside of borders and padding.
    if (scene.toolkit === "gtk4") {
      tell.unsure(row, `${size} without its border and padding, which are not reported`);
    } else tell.fail(row, `${size}${spacing ? ", and others are near" : ""}`);
  }
}

/** Finds whether a target is near another one, by columns of the screen: many targets cost no square of their number. */
class Neighbours {
  readonly #columns = new Map<number, Rect[]>();
  readonly #size: number;

  constructor(rects: readonly Rect[], size: number) {
    this.#size = size;
    for (const rect of rects) {
      for (let at = this.#column(rect.x); at <= this.#column(rect.x + rect.width); at++) {
        const existing = this.#columns.get(at);
        if (existing === undefined) this.#columns.set(at, [rect]);
        else existing.push(rect);
      }
    }
  }

  /** Does a circle around its middle touch another one, or the circle of another small one? */
  near(rect: Rect): boolean {
    const x = rect.x + rect.width / 2, y = rect.y + rect.height / 2;
    for (let at = this.#column(x - this.#size); at <= this.#column(x + this.#size); at++) {
      if (this.#columns.get(at)?.some((other) => other !== rect && this.#touches(x, y, other))) return true;
    }
    return false;
  }

  #touches(x: number, y: number, other: Rect): boolean {
    const size = this.#size;
    const dx = x - Math.min(Math.max(x, other.x), other.x + other.width);
    const dy = y - Math.min(Math.max(y, other.y), other.y + other.height);
    if (dx === 0 && dy === 0) return false; // one holds the other
    if (dx * dx + dy * dy < (size / 2) ** 2) return true;
    if (other.width >= size && other.height >= size) return false;
    const ox = x - (other.x + other.width / 2), oy = y - (other.y + other.height / 2);
    return ox * ox + oy * oy < size * size;
  }

  #column(x: number): number {
    return Math.floor(x / (4 * this.#size));
  }
}
