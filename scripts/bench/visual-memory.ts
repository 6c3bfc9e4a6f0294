/**
 * Prints how many bytes a comparison of two frames of 4K held at its peak, beyond those two. "compare": of frames that are
 * there; "files": of two PNG files, from reading them on. Each in a process of its own, whose peak is reset before.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { compareFrames } from "../../src/checks/visual/compare.ts";
import { pixelEngine } from "../../src/checks/visual/engine.ts";
import { explain } from "../../src/checks/visual/explain.ts";
import { encodePng } from "../../src/operations/png.ts";
import { comparePngFiles } from "../../src/operations/png-files.ts";
import { HEIGHT, PAIRS, screen, WIDTH } from "./visual-frames.ts";

function kilobytes(field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync("/proc/self/status", "utf8"));
  return Number(found?.[1]) * 1024;
}

const [what = "compare"] = process.argv.slice(2);
const engine = await pixelEngine();
const pair = PAIRS["panel"]?.();
if (!pair) throw new Error("there is no such pair");
const [a, b] = pair;
if (what === "compare") {
  // Once over all pages, so that both frames are there.
  compareFrames(screen(), a, { engine });
  writeFileSync("/proc/self/clear_refs", "5");
  const before = kilobytes("VmRSS");
  explain(a, b, compareFrames(a, b, { engine }));
  process.stdout.write(`${kilobytes("VmHWM") - before}\n`);
} else {
  const scratch = mkdtempSync(join(tmpdir(), "backstep-visual-"));
  try {
    const names = [join(scratch, "a.png"), join(scratch, "b.png")] as const;
    for (const [index, name] of names.entries()) writeFileSync(name, encodePng(index === 0 ? a : b));
    const small = { width: 1, height: 1, rgba: new Uint8Array([1, 2, 3, 255]) };
    // What the program itself needs is there before: its code, the core, the first call.
    const warm = join(scratch, "warm.png");
    writeFileSync(warm, encodePng(small));
    await comparePngFiles(warm, warm);
    writeFileSync("/proc/self/clear_refs", "5");
    const before = kilobytes("VmRSS");
    await comparePngFiles(...names);
    process.stdout.write(`${kilobytes("VmHWM") - before - 2 * 4 * WIDTH * HEIGHT}\n`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
