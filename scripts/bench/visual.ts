import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import pixelmatch from "pixelmatch";
import { compareFrames } from "../../src/checks/visual/compare.ts";
import { pixelEngine, SCRIPT } from "../../src/checks/visual/engine.ts";
import type { Frame } from "../../src/desktop/desktop.ts";
import { encodePng } from "../../src/operations/png.ts";
import { comparePngFiles } from "../../src/operations/png-files.ts";
import { HEIGHT, PAIRS, WIDTH } from "./visual-frames.ts";

/**
 * How much faster than pixelmatch on whole frames, at least, in this run. Frames that are the same are read once, as fast as
 * memory is: where a bare comparison of their bytes is too slow for the promise, that is said, and is no failure of ours.
 */
const PROMISED: Readonly<Record<string, number>> = { identical: 5, caret: 3, panel: 2 };
/** Bytes a pixel beyond the two frames, at most. */
const PROMISED_BYTES = 6;
const ROUNDS = 9;
/** What counts as fast as memory: a shared machine is not the same twice. */
const SLACK = 1.5;
const root = resolve(import.meta.dirname ?? ".", "../..");
const ODIFF = join(root, "tools/references/node_modules/@odiff/linux-x64/odiff");

/** One measured case: milliseconds are medians. */
export interface VisualRow {
  readonly case: string;
  readonly what: string;
  readonly ms: number;
  readonly peer: string;
  readonly peer_ms: number;
  /** How many times as fast as the peer. */
  readonly times: number;
  readonly promised: number | null;
}

/** What was measured, and which promises were not kept. */
export interface VisualBench {
  readonly rows: readonly (VisualRow | MemoryRow)[];
  readonly failed: readonly string[];
  readonly text: string;
}

/** What a comparison held at its peak, beyond the two frames. */
export interface MemoryRow {
  readonly case: string;
  readonly what: string;
  readonly bytes_a_pixel: number;
  readonly promised: number;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Both in turn, so that what else the machine does is shared by both. */
async function inTurn(
  ours: () => unknown,
  theirs: () => unknown,
  rounds = ROUNDS,
): Promise<[number, number]> {
  const took: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds + 2; round++) {
    for (const [which, action] of [ours, theirs].entries()) {
      const began = performance.now();
      await action();
      if (round >= 2) took[which]?.push(performance.now() - began);
    }
  }
  return [median(took[0]), median(took[1])];
}

/** Frames and files of 3840×2160: what ours take, and their peers in the same run. */
export async function visual(): Promise<VisualBench> {
  const rows: VisualRow[] = [];
  const notes: string[] = [];
  let floor = 0;
  const core = await pixelEngine();
  const failed: string[] = core.name === "core" ? [] : ["the native core: it is not built"];
  const row = (
    name: string,
    what: string,
    ms: number,
    peer: string,
    peerMs: number,
    promised: number | null,
  ) => {
    const times = peerMs / ms;
    rows.push({
      case: name,
      what,
      ms: round(ms),
      peer,
      peer_ms: round(peerMs),
      times: round(times),
      promised,
    });
    if (promised !== null && times < promised) {
      if (ms <= SLACK * floor) {
        notes.push(
          `${name}, ${what}: ${
            round(times)
          } times as fast as ${peer}, not ${promised}: reading the frames alone takes ` +
            `${round(floor)} ms, which allows ${round(peerMs / floor)}`,
        );
        return;
      }
      failed.push(`${name}, ${what}, ${promised} times as fast as ${peer}: ${round(times)}`);
    }
  };
  const peaks: MemoryRow[] = [];
  const scratch = mkdtempSync(join(tmpdir(), "backstep-visual-"));
  try {
    for (const [name, make] of Object.entries(PAIRS)) {
      const [a, b] = make();
      const theirs = () => pixelmatch(a.rgba, b.rgba, undefined, WIDTH, HEIGHT, { threshold: 0.1 });
      const [reading] = await inTurn(() => Buffer.compare(a.rgba, b.rgba), theirs);
      // Of frames that are the same: it ends at the first byte that differs.
      if (name === "identical") floor = reading;
      const strict = () => compareFrames(a, b, { engine: core });
      const [ms, peerMs] = await inTurn(strict, theirs);
      row(name, "pixel", ms, "pixelmatch", peerMs, PROMISED[name] ?? null);
      if (name === "identical") {
        const drawn = new Uint8Array(a.rgba.length);
        const drawing = () => pixelmatch(a.rgba, b.rgba, drawn, WIDTH, HEIGHT, { threshold: 0.1 });
        const [own, peer] = await inTurn(strict, drawing, 5);
        row(name, "pixel", own, "pixelmatch, with a picture", peer, null);
        rows.push({
          case: name,
          what: "reading both, no more",
          ms: round(floor),
          peer: "pixelmatch",
          peer_ms: round(peerMs),
          times: round(peerMs / floor),
          promised: null,
        });
      }
      const beside = async (what: string, action: () => unknown) => {
        const [own, peer] = await inTurn(action, theirs, 5);
        row(name, what, own, "pixelmatch", peer, null);
      };
      await beside("pixel, without a core", () => compareFrames(a, b, { engine: SCRIPT }));
      await beside("pixelmatch on tiles", () => compareFrames(a, b, { engine: core, mode: "pixelmatch" }));
      await beside("perceptual", () => compareFrames(a, b, { engine: core, mode: "perceptual" }));
      await files(name, a, b, scratch, row, failed);
    }
    peaks.push(...memory(scratch));
  } finally {
    rmSync(scratch, { recursive: true });
  }
  for (const one of peaks) {
    if (!(one.bytes_a_pixel < PROMISED_BYTES)) {
      failed.push(`${one.what} below ${PROMISED_BYTES} bytes a pixel: ${one.bytes_a_pixel}`);
    }
  }
  return { rows: [...rows, ...peaks], failed, text: [tableOf(rows, peaks), ...notes].join("\n\n") };
}

type Tell = (
  name: string,
  what: string,
  ms: number,
  peer: string,
  peerMs: number,
  promised: number | null,
) => void;

async function files(
  name: string,
  a: Frame,
  b: Frame,
  scratch: string,
  row: Tell,
  failed: string[],
): Promise<void> {
  if (!existsSync(ODIFF)) {
    if (name === "identical") failed.push("odiff: tools/setup.sh --references installs it");
    return;
  }
  const [first, second] = ["a", "b"].map((which) => join(scratch, `${name}.${which}.png`));
  if (first === undefined || second === undefined) return;
  writeFileSync(first, encodePng(a));
  writeFileSync(second, encodePng(b));
  const odiff = () => void spawnSync(ODIFF, [first, second, "--antialiasing"]);
  const [ms, peerMs] = await inTurn(() => comparePngFiles(first, second), odiff);
  row(name, "two files", ms, "odiff", peerMs, 1);
  const command = ["run", "-A", join(root, "bin.ts"), "diff", first, second];
  const [whole, again] = await inTurn(() => void spawnSync(process.execPath, command), odiff, 5);
  row(name, "two files, as a command", whole, "odiff", again, null);
}

/** Peaks of processes of their own: one that compares, and one that merely holds two frames. */
function memory(scratch: string): MemoryRow[] {
  const pair = PAIRS["panel"]?.();
  if (!pair) return [];
  const [first = "", second = "", small = ""] = ["a", "b", "small"].map((name) =>
    join(scratch, `memory.${name}.png`)
  );
  writeFileSync(first, encodePng(pair[0]));
  writeFileSync(second, encodePng(pair[1]));
  writeFileSync(small, encodePng({ width: 2, height: 2, rgba: new Uint8Array(16).fill(255) }));
  const peak = (what: string) =>
    median([1, 2, 3].map(() => {
      const script = join(import.meta.dirname ?? ".", "visual-memory.ts");
      const args = ["run", "-A", script, what, first, second, small];
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: root });
      if (!(Number(stdout) > 0)) throw new Error(stderr);
      return Number(stdout);
    }));
  const held = peak("frames");
  return ["compare", "files"].map((what) => ({
    case: "panel",
    what: `memory, ${what}`,
    bytes_a_pixel: round((peak(what) - held) / (WIDTH * HEIGHT)),
    promised: PROMISED_BYTES,
  }));
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

function tableOf(rows: readonly VisualRow[], memory: readonly MemoryRow[]): string {
  return [
    "| 3840×2160 | what | ms | peer | peer ms | times as fast | promised |",
    "|---|---|---|---|---|---|---|",
    ...rows.map((r) =>
      `| ${r.case} | ${r.what} | ${r.ms} | ${r.peer} | ${r.peer_ms} | ${r.times} | ${r.promised ?? ""} |`
    ),
    ...memory.map((m) =>
      `| ${m.case} | ${m.what} | ${m.bytes_a_pixel} bytes a pixel beyond the frames | | | | below ${m.promised} |`
    ),
  ].join("\n");
}
