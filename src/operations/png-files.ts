import { open, writeFile } from "node:fs/promises";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { compareFrames, sameSize } from "../checks/visual/compare.ts";
import { diffPicture } from "../checks/visual/diff-picture.ts";
import { pixelEngine } from "../checks/visual/engine.ts";
import { explain, type PictureDifference } from "../checks/visual/explain.ts";
import type { VisualMode } from "../checks/visual/modes.ts";
import { readPng } from "../checks/visual/read-png.ts";
import type { Frame } from "../desktop/desktop.ts";
import { asFault, isMissing } from "./confine.ts";
import { encodePng } from "./png.ts";

/** Bytes of the largest file that is read. */
const MOST_BYTES = 256 * 1024 * 1024;

/** How two files are compared. */
export interface PngOptions {
  /** Default "pixel". */
  readonly mode?: VisualMode;
  /** Per cent of the pixels that may differ; default 0. */
  readonly threshold?: number;
  /** Where a picture of the difference is written, if there is any. */
  readonly output?: string;
}

/** What came of comparing two files. */
export interface PngComparison {
  /** No more differs than may. */
  readonly passed: boolean;
  /** How pixels were judged. */
  readonly mode: VisualMode;
  /** In per cent. */
  readonly threshold: number;
  /** Null: the sizes differ, and nothing was compared. */
  readonly diff_percentage: number | null;
  /** Null: the sizes differ. */
  readonly diff_pixels: number | null;
  /** Null: the sizes differ. */
  readonly total_pixels: number | null;
  /** Pixels that differ as antialiasing does; they do not count. */
  readonly antialiased_pixels: number;
  /** "800x600", of the first file and of the second. */
  readonly sizes: readonly [string, string];
  /** The largest first; at most twenty. */
  readonly differences: readonly PictureDifference[];
  /** How many more there are. */
  readonly more_differences: number;
  /** Where the picture of the difference was written. */
  readonly output?: string;
}

/**
 * Compares two PNG files.
 *
 * @throws {BackstepError} `usage` where one is not there or is no picture, `limit` where it is too large, `io`.
 */
export async function comparePngFiles(
  first: string,
  second: string,
  options: PngOptions = {},
): Promise<PngComparison> {
  const { mode = "pixel", threshold = 0, output } = options;
  const [a, b, engine] = await Promise.all([pictureAt(first), pictureAt(second), pixelEngine()]);
  const sizes = [`${a.width}x${a.height}`, `${b.width}x${b.height}`] as const;
  const common = { mode, threshold, sizes };
  if (!sameSize(a, b)) {
    return {
      ...common,
      passed: false,
      diff_percentage: null,
      diff_pixels: null,
      total_pixels: null,
      antialiased_pixels: 0,
      differences: [],
      more_differences: 0,
    };
  }
  const found = compareFrames(a, b, { mode, threshold, engine });
  const { differences, more } = explain(a, b, found);
  if (output !== undefined && found.different > 0) {
    try {
      await writeFile(output, encodePng(diffPicture(b, found.judged, differences)));
    } catch (thrown) {
      throw asFault(thrown, "write", output);
    }
  }
  return {
    ...common,
    passed: found.passed,
    diff_percentage: found.percentage,
    diff_pixels: found.different,
    total_pixels: found.total,
    antialiased_pixels: found.antialiased,
    differences,
    more_differences: more,
    ...(output !== undefined && found.different > 0 ? { output } : {}),
  };
}

async function pictureAt(path: string): Promise<Frame> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      if (size > MOST_BYTES) {
        throw new BackstepError(
          "limit",
          `Cannot read the picture ${path}: ${size} bytes are more than ${MOST_BYTES}`,
        );
      }
      return await readPng(new Uint8Array(await file.readFile()), path);
    } finally {
      await file.close();
    }
  } catch (thrown) {
    // On a command line a file that is no picture is wrong usage.
    if (thrown instanceof BackstepError) {
      if (thrown.code !== "invalid" && thrown.code !== "limit") throw thrown;
      throw new BackstepError("usage", thrown.message, {
        cause: thrown,
        ...defined({ hint: thrown.hint }),
      });
    }
    if (isMissing(thrown)) {
      throw new BackstepError("usage", `Cannot read the picture ${path}: there is no such file`, {
        cause: thrown,
      });
    }
    throw asFault(thrown, "read", path);
  }
}
