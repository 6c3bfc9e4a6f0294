import { type Colour, distance } from "./colour.ts";
import { type Ink, inkOf } from "./ink.ts";
import type { Part } from "./picture.ts";

/** Width of a tile to its height: a few letters, so that it has ground and strokes of its own. */
const WIDE = 1.5;
/** Pixels of a tile at least. */
const LEAST = 24;

/**
 * The least contrast of a part of a text, where its ground is not one colour all along, but several side by side. A
 * tile counts where it has one flat ground and strokes that are told by themselves, and by what stands out most in it,
 * so that a tile that fails does so for certain. Undefined: no tile tells, or all have one ground.
 */
export function leastInk(part: Part): Exclude<Ink, { unknown: string }> | undefined {
  const width = Math.max(LEAST, Math.round(part.height * WIDE));
  if (part.width < 2 * width) return undefined;
  const grounds: Colour[] = [];
  let least: Exclude<Ink, { unknown: string }> | undefined;
  for (let x = 0; x + width <= part.width; x += Math.round(width / 2)) {
    const ink = inkOf({ ...part, x: part.x + x, width });
    if ("unknown" in ink || !ink.flat) continue;
    grounds.push(ink.ground);
    if (least === undefined || ink.atMost < least.atMost) least = ink;
  }
  const [first] = grounds;
  const differ = first !== undefined && grounds.some((other) => distance(other, first) > DIFFER);
  return differ ? least : undefined;
}

/** Channels of two grounds that differ by more are two colours: what a faint gradient of a button is not. */
const DIFFER = 24;
