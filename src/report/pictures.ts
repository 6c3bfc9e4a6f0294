import type { PngComparison } from "../operations/png-files.ts";
import { differenceText } from "../checks/visual/explain.ts";
import { count, type Style } from "./style.ts";

/** Two pictures beside each other, as lines for people. */
export function pictureLines(found: PngComparison, style: Style): string[] {
  const { diff_pixels: pixels, diff_percentage: percentage, antialiased_pixels: edges } = found;
  if (pixels === null || percentage === null) {
    const [first, second] = found.sizes;
    return [`${style.bad("other size")}: ${first} and ${second}; pictures are never scaled`];
  }
  const beside = edges > 0
    ? style.dim(` (and ${count(edges, "pixel")} of antialiasing, which do not count)`)
    : "";
  if (pixels === 0) return [`${style.good("the same")}: ${found.sizes[0]}, ${found.mode}${beside}`];
  const share = `${count(pixels, "pixel")} differ, ${Number(percentage.toPrecision(3))} %`;
  return [
    (found.passed
      ? `${style.good("passed")}: ${share}, at most ${found.threshold} % may`
      : `${style.bad("different")}: ${share}`) + beside,
    ...found.differences.map((one) => `  ${differenceText(one)}`),
    ...(found.more_differences > 0 ? [`  and ${found.more_differences} more places`] : []),
    ...(found.output === undefined ? [] : [style.dim(`  drawn in ${found.output}`)]),
  ];
}
