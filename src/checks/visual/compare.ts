import type { Frame } from "../../desktop/desktop.ts";
import { type PixelEngine, SCRIPT } from "./engine.ts";
import { type Ignored, markIgnored } from "./ignored.ts";
import { across, countMarked, lendable, Mark, type Marks, TILE } from "./marks.ts";
import { comparePerceived, NOTICEABLE } from "./perceptual.ts";
import type { VisualMode } from "./modes.ts";
import type { Pair } from "./pixel.ts";
import { comparePixelmatch, PIXELMATCH_THRESHOLD } from "./pixelmatch.ts";

/** Of 255: what a channel may be off in mode "pixel". */
const TOLERANCE = 8;
/** Per cent of the pixels that may differ. */
export const THRESHOLD = 1;

/** How two pictures are compared. */
export interface CompareOptions {
  /** Default "pixel". */
  readonly mode?: VisualMode;
  /** Per cent of the judged pixels that may differ; default 1. */
  readonly threshold?: number;
  /** Pixels that are not judged. */
  readonly ignored?: Ignored | undefined;
  /** End as soon as it has failed: the counts are then the least that there are. Default false. */
  readonly verdictOnly?: boolean;
  /** Default: the loops in TypeScript. */
  readonly engine?: PixelEngine;
  /**
   * What one pixel may be off: in mode "pixel" 0 to 255 (default 8), in mode "perceptual" ΔE*94 (default 5), in mode
   * "pixelmatch" its threshold, 0 to 1 (default 0.1).
   */
  readonly tolerance?: number;
}

/** What came of a comparison. */
export interface Comparison {
  readonly passed: boolean;
  /** Pixels that differ and are judged; antialiasing is not among them. */
  readonly different: number;
  /** Pixels that differ as antialiasing does; in mode "pixel" only. */
  readonly antialiased: number;
  /** Pixels that are judged: all but those that are ignored. */
  readonly total: number;
  readonly ignored: number;
  /** `different` of `total`, in per cent. */
  readonly percentage: number;
  /** False: it ended early. */
  readonly complete: boolean;
  readonly judged: Marks;
}

/** Have they the same width and height? Nothing is ever scaled. */
export function sameSize(a: Frame, b: Frame): boolean {
  return a.width === b.width && a.height === b.height;
}

/**
 * Compares two pictures of one size: tiles first, then the pixels of those that differ.
 *
 * @example
 * ```ts
 * import { compareFrames } from "./compare.ts";
 * const plain = { width: 2, height: 1, rgba: new Uint8Array([9, 9, 9, 255, 9, 9, 9, 255]) };
 * const other = { width: 2, height: 1, rgba: new Uint8Array([9, 9, 9, 255, 200, 9, 9, 255]) };
 * const { passed, different, percentage } = compareFrames(plain, other);
 * if (passed || different !== 1 || percentage !== 50) throw new Error(`${different}`);
 * ```
 */
export function compareFrames(baseline: Frame, actual: Frame, options: CompareOptions = {}): Comparison {
  const { mode = "pixel", threshold = THRESHOLD, engine = SCRIPT, ignored } = options;
  const { width, height } = baseline;
  if (!sameSize(baseline, actual)) throw new RangeError("two pictures of different sizes");
  const pair: Pair = { width, height, a: lendable(baseline.rgba), b: lendable(actual.rgba) };
  const tiles = new Uint8Array(across(width) * across(height));
  const dirty = engine.tiles(pair, tiles);
  const judged: Marks = { width, height, tiles, marks: new Uint8Array(dirty * TILE * TILE) };
  const total = width * height - (ignored?.count ?? 0);
  const allowed = Math.floor(total * threshold / 100);
  let different = 0;
  if (dirty > 0) {
    if (ignored) markIgnored(judged, ignored);
    const budget = options.verdictOnly ? allowed : width * height;
    different = judge(pair, judged, mode, engine, budget, options.tolerance);
  }
  const passed = different <= allowed;
  return {
    passed,
    different,
    antialiased: countMarked(judged, Mark.antialiased),
    total,
    ignored: ignored?.count ?? 0,
    percentage: total === 0 ? 0 : 100 * different / total,
    complete: passed || !options.verdictOnly,
    judged,
  };
}

function judge(
  pair: Pair,
  judged: Marks,
  mode: VisualMode,
  engine: PixelEngine,
  budget: number,
  tolerance: number | undefined,
): number {
  switch (mode) {
    case "pixel":
      return engine.compare(pair, judged, Math.round(tolerance ?? TOLERANCE), budget);
    case "perceptual":
      return comparePerceived(pair, judged, tolerance ?? NOTICEABLE, budget);
    case "pixelmatch":
      return comparePixelmatch(pair, judged, tolerance ?? PIXELMATCH_THRESHOLD, budget);
  }
}
