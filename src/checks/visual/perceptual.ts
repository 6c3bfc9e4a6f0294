import type { Pair } from "./pixel.ts";
import { dirtyTiles, Mark, type Marks, TILE } from "./marks.ts";

/**
 * ΔE*94 above which a pixel differs: what is seen without looking for it. A person who compares plain areas side by side just
 * notices 2.3 (Mahy, Van Eycken, Oosterlinck 1994); an edge that is drawn with other antialiasing reaches 4.
 */
export const NOTICEABLE = 5;
/** The binomial blur: what an eye before a screen makes of neighbouring pixels, σ = √1.5 pixels. */
const KERNEL = [1, 6, 15, 20, 15, 6, 1].map((weight) => weight / 64);
const REACH = 3;
const SIDE = TILE + 2 * REACH;

/**
 * What a person would notice: both pictures in CIELAB (sRGB, D65), their signed difference blurred, so that what
 * antialiasing puts beside each other cancels out, and measured as CIE94 (graphic arts: kL = 1, K1 = 0.045, K2 = 0.015).
 * Its chroma is the geometric mean of both pictures', blurred alike, so that none of the two is the reference. The order
 * is that of S-CIELAB (Zhang and Wandell 1996): filter first, then measure.
 *
 *     ΔE² = ΔL² + (ΔC / (1 + 0.045 C))² + (ΔH / (1 + 0.015 C))²,  ΔH² = Δa² + Δb² − ΔC²
 *
 * A pixel differs above `limit`. Transparent pixels are judged over white.
 */
export function comparePerceived(pair: Pair, judged: Marks, limit: number, budget: number): number {
  const planes = Array.from({ length: 5 }, () => new Float64Array(SIDE * SIDE));
  const between = new Float64Array(SIDE * SIDE);
  let different = 0;
  for (const { box, marks } of dirtyTiles(judged)) {
    fill(pair, box.left - REACH, box.top - REACH, planes);
    for (const plane of planes) blur(plane, between);
    const [dl, da, db, chromaA, chromaB] = planes;
    for (let y = box.top; y < box.bottom; y++) {
      for (let x = box.left; x < box.right; x++) {
        const at = (y - box.top) * TILE + x - box.left;
        if (marks[at] === Mark.ignored) continue;
        const i = (y - box.top + REACH) * SIDE + x - box.left + REACH;
        const l = dl?.[i] ?? 0, a = da?.[i] ?? 0, b = db?.[i] ?? 0;
        const c1 = chromaA?.[i] ?? 0, c2 = chromaB?.[i] ?? 0;
        const c = Math.sqrt(c1 * c2), dc = c1 - c2;
        const dh2 = Math.max(0, a * a + b * b - dc * dc);
        const sc = 1 + 0.045 * c, sh = 1 + 0.015 * c;
        if (l * l + (dc / sc) ** 2 + dh2 / (sh * sh) <= limit * limit) continue;
        marks[at] = Mark.different;
        different++;
      }
    }
    if (different > budget) break;
  }
  return different;
}

/** The differences of L, a and b and the chroma of each picture, around a tile; beyond the edge the edge goes on. */
function fill(pair: Pair, left: number, top: number, planes: readonly Float64Array[]): void {
  const [dl, da, db, chromaA, chromaB] = planes;
  if (!dl || !da || !db || !chromaA || !chromaB) return;
  const one = new Float64Array(3), other = new Float64Array(3);
  for (let y = 0; y < SIDE; y++) {
    const row = Math.min(Math.max(top + y, 0), pair.height - 1);
    for (let x = 0; x < SIDE; x++) {
      const column = Math.min(Math.max(left + x, 0), pair.width - 1);
      const from = 4 * (row * pair.width + column), i = y * SIDE + x;
      toLab(pair.a, from, one);
      toLab(pair.b, from, other);
      const [l1 = 0, a1 = 0, b1 = 0] = one, [l2 = 0, a2 = 0, b2 = 0] = other;
      dl[i] = l1 - l2;
      da[i] = a1 - a2;
      db[i] = b1 - b2;
      chromaA[i] = Math.sqrt(a1 * a1 + b1 * b1);
      chromaB[i] = Math.sqrt(a2 * a2 + b2 * b2);
    }
  }
}

function blur(plane: Float64Array, between: Float64Array): void {
  pass(plane, between, 1);
  pass(between, plane, SIDE);
}

/** Rows when `step` is 1, columns when it is a row's length. What is nearer to the edge than the kernel reaches is not used. */
function pass(from: Float64Array, to: Float64Array, step: number): void {
  for (let i = REACH * step; i < from.length - REACH * step; i++) {
    let sum = 0;
    for (let k = -REACH; k <= REACH; k++) sum += (KERNEL[k + REACH] ?? 0) * (from[i + k * step] ?? 0);
    to[i] = sum;
  }
}

/** sRGB to linear light (IEC 61966-2-1). */
const LINEAR = Float64Array.from({ length: 256 }, (_, v) => {
  const c = v / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});

/** CIELAB's f, from a table that is read between its entries: below 0.0001 off. */
const STEPS = 4096;
const CURVE = Float64Array.from({ length: STEPS + 2 }, (_, i) => {
  const t = i / STEPS;
  return t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116;
});

function curve(t: number): number {
  const at = Math.min(Math.max(t, 0), 1) * STEPS, i = Math.floor(at), rest = at - i;
  return (CURVE[i] ?? 0) * (1 - rest) + (CURVE[i + 1] ?? 0) * rest;
}

function toLab(rgba: Uint8Array, at: number, to: Float64Array): void {
  const alpha = rgba[at + 3] ?? 255;
  const over = (v: number) => alpha === 255 ? v : Math.round((v * alpha + 255 * (255 - alpha)) / 255);
  const r = LINEAR[over(rgba[at] ?? 0)] ?? 0;
  const g = LINEAR[over(rgba[at + 1] ?? 0)] ?? 0;
  const b = LINEAR[over(rgba[at + 2] ?? 0)] ?? 0;
  const x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = curve(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  const z = curve((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  to[0] = 116 * y - 16;
  to[1] = 500 * (x - y);
  to[2] = 200 * (y - z);
}
