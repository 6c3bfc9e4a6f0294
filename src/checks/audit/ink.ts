import { type Colour, contrast, distance, luminance } from "./colour.ts";
import type { Part } from "./picture.ts";

/** What a text looks like: its ground and its strokes; or why that cannot be told. */
export type Ink =
  | {
    readonly ground: Colour;
    readonly stroke: Colour;
    /** Of the strokes' frequent colour to the ground. */
    readonly ratio: number;
    /** Of the pixel that stands out most: what it would be if strokes were whole nowhere. */
    readonly atMost: number;
    /** Its ground is one colour to the bit, not a gradient. */
    readonly flat: boolean;
  }
  | { readonly unknown: string };

/** The share of pixels that one colour must have to be the ground; a gradient or an image has none. */
const GROUND = 0.4;
/** The share of its most frequent colour, where it is a faint gradient. */
const LEAST = 0.04;
/** Channels that differ by less are the same colour to the eye, and to a gradient of one. */
const SAME = 10;
/** The share of what is no ground that the strokes' own colour must have: less is antialiasing. */
const CORE = 0.06;
/** Pixels of the strokes' own colour. */
const FEWEST = 6;
/** Looks at so many pixels at most: a text is told by its first lines. */
const MOST = 120_000;

/**
 * The colours of a text from its pixels. The ground is the most frequent colour; the strokes' colour is, of those that are
 * frequent too, the one that stands out most from it, since antialiasing only gives colours in between. What stands out
 * and is not frequent may be a thin stroke that never reaches its own colour: then a ratio that suffices is certain, and
 * one that does not is not.
 */
export function inkOf(part: Part): Ink {
  const counts = histogram(part);
  const pixels = [...counts.values()].reduce((all, count) => all + count, 0);
  let ground = 0, most = 0;
  for (const [colour, count] of counts) if (count > most) [ground, most] = [colour, count];
  // The faint gradient of a button is one ground.
  let even = 0;
  for (const [colour, count] of counts) if (distance(colour, ground) <= SAME) even += count;
  if (even < GROUND * pixels || most < LEAST * pixels) {
    return { unknown: "its background is an image or a gradient" };
  }
  let ink = 0;
  for (const [colour, count] of counts) if (distance(colour, ground) > SAME) ink += count;
  if (ink < FEWEST) return { unknown: "no text can be made out in its picture" };
  if (isGlowing(counts, ground, ink)) return { unknown: "its strokes have a shadow or an outline" };
  const wanted = Math.max(FEWEST, CORE * ink);
  let stroke: Colour | undefined, best = 1, brink = 1;
  for (const [colour, count] of counts) {
    if (distance(colour, ground) <= SAME) continue;
    const ratio = contrast(colour, ground);
    if (count >= wanted && ratio > best) [stroke, best] = [colour, ratio];
    if (count >= 2 && ratio > brink) brink = ratio;
  }
  if (stroke !== undefined && isBlock(part, stroke)) return { unknown: "its background has several colours" };
  if (stroke === undefined) return { unknown: "its strokes are too thin to show their colour" };
  // What stands out more, if rarely, may be where strokes are whole.
  if (brink > best * 1.15) {
    return enough(counts, ground, brink, most >= GROUND * pixels) ??
      { unknown: "its strokes have several colours" };
  }
  return { ground, stroke, ratio: best, atMost: Math.max(best, brink), flat: most >= GROUND * pixels };
}

/** The share of what is no ground that lies on the other side of it than the strokes. */
const GLOW = 0.15;

/**
 * Is much of what is no ground lighter than it, and much darker? Antialiasing only mixes strokes and ground: what lies on
 * the other side of the ground is a shadow, an outline or a second text.
 */
function isGlowing(counts: ReadonlyMap<Colour, number>, ground: Colour, ink: number): boolean {
  let lighter = 0, darker = 0;
  for (const [colour, count] of counts) {
    if (distance(colour, ground) <= SAME) continue;
    if (luminance(colour) > luminance(ground)) lighter += count;
    else darker += count;
  }
  return Math.min(lighter, darker) > GLOW * ink;
}

/** Does a colour fill a block higher and wider than any stroke: a second ground? */
function isBlock({ frame, x, y, width, height }: Part, colour: Colour): boolean {
  const pixels = wordsOf(frame.rgba);
  const wide = Math.max(8, height / 2);
  let rows = 0;
  for (let row = 0; row < height; row++) {
    let run = 0, longest = 0;
    for (let column = 0; column < width; column++) {
      const at = (y + row) * frame.width + x + column;
      run = distance(colourOf(pixels[at] ?? 0), colour) <= SAME ? run + 1 : 0;
      if (run > longest) longest = run;
    }
    if (longest >= wide) rows++;
  }
  return rows > height / 2;
}

/** The colour that stands out most, when it alone would do. */
function enough(
  counts: ReadonlyMap<Colour, number>,
  ground: Colour,
  brink: number,
  flat: boolean,
): Ink | undefined {
  for (const [colour, count] of counts) {
    const ratio = contrast(colour, ground);
    if (count >= FEWEST && ratio >= brink * 0.95 && ratio >= 4.5) {
      return { ground, stroke: colour, ratio, atMost: brink, flat };
    }
  }
  return undefined;
}

/** How many pixels each colour has. */
function histogram({ frame, x, y, width, height }: Part): Map<Colour, number> {
  const counts = new Map<Colour, number>();
  const rows = Math.min(height, Math.max(1, Math.floor(MOST / width)));
  const pixels = wordsOf(frame.rgba);
  for (let row = 0; row < rows; row++) {
    const from = (y + row) * frame.width + x;
    // Runs of one colour are the rule.
    let last = pixels[from] ?? 0, run = 0;
    for (let at = from; at < from + width; at++) {
      const pixel = pixels[at] ?? 0;
      if (pixel === last) {
        run++;
        continue;
      }
      add(counts, last, run);
      last = pixel;
      run = 1;
    }
    add(counts, last, run);
  }
  return counts;
}

/** Red is the lowest byte of a pixel. */
function colourOf(pixel: number): Colour {
  return ((pixel & 255) << 16) | (pixel & 0xff00) | ((pixel >> 16) & 255);
}

function add(counts: Map<Colour, number>, pixel: number, run: number): void {
  const colour = colourOf(pixel);
  counts.set(colour, (counts.get(colour) ?? 0) + run);
}

/** A pixel a word; copied only where the bytes do not begin at one. */
function wordsOf(rgba: Uint8Array): Uint32Array {
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / 4));
}
