import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { emit, PRODUCT } from "../npm/emit.ts";
import { runtimes } from "../npm/runtimes.ts";
import { median, round } from "./row.ts";

/** What calls cost on one runtime. */
export interface FfiRow {
  readonly runtime: string;
  readonly abi_ns: number;
  readonly peek_ns: number;
  readonly wake_us: number;
  /** Seconds that a GTK 3 rollback takes; with `--full`. */
  readonly rollback_s?: number;
}

/** A rollback on Node takes at most so much of its time on Deno. */
export const PROMISED_RATIO = 1.2;
/** Turns of the rollback, in which each runtime runs once. */
const TURNS = 3;
const WORKFLOW = "workflows/form-rollback.yaml";
const CALLS = "scripts/bench/ffi-calls";
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const Costs = z.object({ abi_ns: z.number(), peek_ns: z.number(), wake_us: z.number() });
const Finished = z.object({ exit: z.literal(1), rollback: z.object({ verdict: z.literal("restored") }) });

interface Subject {
  readonly runtime: string;
  /** The command that runs a module of ours, named without its ending. */
  readonly command: (module: string) => readonly [program: string, ...args: string[]];
}

/** Runs the same calls on Deno, Node and Bun, one after another. */
export function ffi(full: boolean): FfiRow[] {
  const folder = mkdtempSync(join(tmpdir(), "backstep-ffi-"));
  try {
    const { tree } = emit({ folder, roots: [...PRODUCT, `${CALLS}.ts`, "scripts/bench/row.ts"] });
    symlinkSync(join(ROOT, "native"), join(tree, "native"));
    const subjects: Subject[] = [
      { runtime: "deno", command: (module) => [process.execPath, "run", "-A", join(ROOT, `${module}.ts`)] },
      ...runtimes.map(({ name, program }) => ({
        runtime: name,
        command: (module: string) => [program, join(tree, `${module}.js`)] as const,
      })),
    ];
    const seconds = new Map<string, number[]>(subjects.map(({ runtime }) => [runtime, []]));
    for (let turn = 0; full && turn < TURNS; turn++) {
      for (const { runtime, command } of subjects) seconds.get(runtime)?.push(rollback(command("bin")));
    }
    return subjects.map(({ runtime, command }) => {
      const { abi_ns, peek_ns, wake_us } = Costs.parse(JSON.parse(output(command(CALLS), 0)));
      const took = seconds.get(runtime) ?? [];
      return {
        runtime,
        abi_ns: round(abi_ns),
        peek_ns: round(peek_ns),
        wake_us: round(wake_us),
        ...(took.length > 0 ? { rollback_s: round(median(took)) } : {}),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Seconds of one rollback on a real application; throws where it was not restored. */
function rollback(backstep: readonly [string, ...string[]]): number {
  const began = performance.now();
  const args = ["run", WORKFLOW, "--session", "isolated", "--format", "json"];
  Finished.parse(JSON.parse(output([...backstep, ...args], 1)));
  return (performance.now() - began) / 1_000;
}

function output([program, ...args]: readonly [string, ...string[]], code: number): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 120_000,
  });
  if (status !== code) throw new Error(`${program} ended with ${status}: ${stderr.slice(-2_000)}`);
  return stdout;
}

/** The rows for people. */
export function ffiTable(rows: readonly FfiRow[]): string {
  const lines = rows.map(({ runtime, abi_ns, peek_ns, wake_us, rollback_s }) =>
    `${runtime.padEnd(10)}abi ${abi_ns.toFixed(0)} ns  peek ${peek_ns.toFixed(0)} ns  woken wait ${
      wake_us.toFixed(0)
    } us` +
    (rollback_s === undefined ? "" : `  rollback ${rollback_s.toFixed(1)} s`)
  );
  return lines.join("\n");
}

/** Which rollbacks took longer than is promised. */
export function tooSlow(rows: readonly FfiRow[]): string[] {
  const deno = rows.find(({ runtime }) => runtime === "deno")?.rollback_s;
  if (deno === undefined) return [];
  return rows.filter(({ rollback_s = 0 }) => rollback_s > PROMISED_RATIO * deno)
    .map(({ runtime, rollback_s }) =>
      `a rollback on ${runtime} within ${PROMISED_RATIO}x of Deno: ${rollback_s} s, Deno ${deno} s`
    );
}
