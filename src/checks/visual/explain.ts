import { defined } from "../../base/defined.ts";
import type { Frame, Rect } from "../../desktop/desktop.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { clustersOf } from "./clusters.ts";
import type { Comparison } from "./compare.ts";
import { type Movement, movementOf } from "./moved.ts";
import { elementsUnder } from "./names.ts";

/** Clusters that are told of, at most; and those for which a movement is looked for. */
const REPORTED = 20, SEARCHED = 8;

/** Differences that lie together, as results tell them. */
export interface PictureDifference {
  /** In pixels, from the picture's corner. */
  readonly rect: Rect;
  /** How many of its pixels differ. */
  readonly pixels: number;
  /** The elements under it, the smallest first; empty: none, or nobody looked. */
  readonly elements: readonly string[];
  /** It is there still, so far to the right and down; absent: that does not explain it. */
  readonly moved?: Movement;
}

/** Which snapshot names what, and where on the screen the picture's corner lies. */
export interface Under {
  readonly snapshot: Snapshot;
  readonly x: number;
  readonly y: number;
}

/** Where two pictures differ, the largest cluster first; at most twenty. */
export function explain(
  baseline: Frame,
  actual: Frame,
  { judged }: Comparison,
  under?: Under,
): { readonly differences: readonly PictureDifference[]; readonly more: number } {
  const clusters = clustersOf(judged);
  const differences = clusters.slice(0, REPORTED).map(({ rect, pixels }, index): PictureDifference => {
    const moved = index < SEARCHED ? movementOf(baseline, actual, judged, rect) : undefined;
    const elements = under === undefined
      ? []
      : elementsUnder(under.snapshot, { ...rect, x: rect.x + under.x, y: rect.y + under.y });
    return { rect, pixels, elements, ...defined({ moved }) };
  });
  return { differences, more: clusters.length - differences.length };
}

/** One of them in words: `label "Total", 120 pixels at 40,60 64x14, moved by (1,0)`. */
export function differenceText({ rect, pixels, elements, moved }: PictureDifference): string {
  const place = `${pixels} pixel${
    pixels === 1 ? "" : "s"
  } at ${rect.x},${rect.y} ${rect.width}x${rect.height}`;
  return [...(elements.length > 0 ? [elements.join(" / ")] : []), place]
    .concat(moved ? [`moved by (${moved.dx},${moved.dy})`] : []).join(", ");
}
