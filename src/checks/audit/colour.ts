/** A colour: red, green and blue from 0 to 255, as 0xRRGGBB. */
export type Colour = number;

/** What a channel of sRGB is in light: WCAG 2's definition of relative luminance. */
const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/** Relative luminance, from 0 (black) to 1 (white). */
export function luminance(colour: Colour): number {
  return 0.2126 * (LINEAR[(colour >> 16) & 255] ?? 0) + 0.7152 * (LINEAR[(colour >> 8) & 255] ?? 0) +
    0.0722 * (LINEAR[colour & 255] ?? 0);
}

/**
 * The contrast ratio of two colours, from 1 to 21 (WCAG 2, "contrast ratio").
 *
 * @example
 * ```ts
 * import { contrast } from "./colour.ts";
 * if (contrast(0x000000, 0xffffff) !== 21) throw new Error();
 * if (contrast(0x777777, 0xffffff).toFixed(2) !== "4.48") throw new Error();
 * ```
 */
export function contrast(one: Colour, other: Colour): number {
  const a = luminance(one), b = luminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** How far apart two colours are: the largest difference of a channel. */
export function distance(one: Colour, other: Colour): number {
  return Math.max(
    Math.abs(((one >> 16) & 255) - ((other >> 16) & 255)),
    Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)),
    Math.abs((one & 255) - (other & 255)),
  );
}

/** "#rrggbb". */
export function hex(colour: Colour): string {
  return `#${colour.toString(16).padStart(6, "0")}`;
}
