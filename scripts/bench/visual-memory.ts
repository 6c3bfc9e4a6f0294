/**
 * Prints the peak of this process in bytes, after it compared two frames of 4K ("compare"), or two PNG files that are given
 * ("files"), or merely held two such frames ("frames"): the difference is what comparing needs beyond them.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { compareFrames } from "../../src/checks/visual/compare.ts";
import { pixelEngine } from "../../src/checks/visual/engine.ts";
import { explain } from "../../src/checks/visual/explain.ts";
import { comparePngFiles } from "../../src/operations/png-files.ts";
import { HEIGHT, PAIRS, WIDTH } from "./visual-frames.ts";

const [what, first = "", second = "", small = ""] = process.argv.slice(2);
const engine = await pixelEngine();
if (what === "files") await comparePngFiles(first, second);
else {
  const [a, b] = what === "compare" ? PAIRS["panel"]?.() ?? [] : empty();
  if (!a || !b) throw new Error("there is no such pair");
  const found = compareFrames(a, b, { engine });
  if (what === "compare") explain(a, b, found);
  // Code that "files" loads and runs is loaded and run here too.
  else await comparePngFiles(small, small);
}
const found = /^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"));
process.stdout.write(`${Number(found?.[1]) * 1024}\n`);

/** Two frames all pages of which are there. */
function empty() {
  const [a, b] = [1, 1].map((value) => ({
    width: WIDTH,
    height: HEIGHT,
    rgba: new Uint8Array(4 * WIDTH * HEIGHT).fill(value),
  }));
  return [a, b] as const;
}
