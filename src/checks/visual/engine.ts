import { pixelCore } from "../../ffi/pixels.ts";
import type { PixelBinding } from "../../ffi/pixel-symbols.ts";
import { BackstepError } from "../../base/error.ts";
import type { Bytes, Marks } from "./marks.ts";
import { comparePixels, differingTiles, type Pair } from "./pixel.ts";

/** The inner loops: the native core's, or their twins in TypeScript, which answer the same. */
export interface PixelEngine {
  readonly name: "core" | "script";
  /** Writes 1 for each tile in which a byte differs, and answers how many there are. */
  tiles(pair: Pair, tiles: Bytes): number;
  /** Judges the pixels of these tiles strictly; may end when more than `budget` differ. How many do. */
  compare(pair: Pair, judged: Marks, tolerance: number, budget: number): number;
}

/** The loops in TypeScript: where no native core is built. */
export const SCRIPT: PixelEngine = { name: "script", tiles: differingTiles, compare: comparePixels };

/** The fastest loops that there are here. */
export async function pixelEngine(): Promise<PixelEngine> {
  const core = await pixelCore();
  return core ? native(core) : SCRIPT;
}

function native(core: PixelBinding): PixelEngine {
  const answered = (answer: number) => {
    if (answer >= 0) return answer;
    throw new BackstepError("internal", `Cannot compare two pictures: the native core answered ${answer}`);
  };
  return {
    name: "core",
    tiles: ({ a, b, width, height }, tiles) => answered(core.tiles(a, b, width, height, tiles)),
    compare: ({ a, b, width, height }, { tiles, marks }, tolerance, budget) =>
      answered(core.compare(a, b, width, height, tiles, marks, tolerance, budget)),
  };
}
