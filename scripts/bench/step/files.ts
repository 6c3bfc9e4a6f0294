import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { median, round } from "../row.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Milliseconds for one command. */
const PATIENCE = 600_000;
/** Whole files that are timed, and the steps of them that are acts. */
const FILES = ["workflows/calculator.yaml", "workflows/gtk4-form.yaml"];
const SUITE = ["test", "workflows", "--session", "isolated", "--workers", "2"];

/** A command of this checkout and of another one, by turns. */
export interface FileRow {
  readonly what: string;
  /** Medians. `acts`: of the steps that are not `before:` and `after:`, together. */
  readonly ms: number;
  readonly acts_ms: number | null;
  readonly against_ms: number;
  readonly against_acts_ms: number | null;
  /** Our time by the other's. */
  readonly ratio: number;
  readonly acts_ratio: number | null;
  readonly samples: number;
}

const Result = z.object({
  steps: z.array(z.object({ path: z.string(), duration_ms: z.number() })),
});

/**
 * The whole files, and all workflows as tests, as the command line of this checkout runs them, by turns with that of another one:
 * a folder, or a commit that is checked out and built for it.
 */
export async function files(
  against: string,
  rounds: number,
  { suite }: { readonly suite: boolean },
): Promise<FileRow[]> {
  const other = checkout(against);
  try {
    const rows: FileRow[] = [];
    for (const file of FILES) {
      const args = ["run", file, "--session", "isolated", "--format", "json"];
      rows.push(await byTurns(file, args, other.folder, rounds));
    }
    if (suite) {
      const what = "backstep test workflows --workers 2";
      rows.push(await byTurns(what, SUITE, other.folder, Math.ceil(rounds / 3)));
    }
    return rows;
  } finally {
    other.end();
  }
}

interface Checkout {
  readonly folder: string;
  end(): void;
}

function checkout(against: string): Checkout {
  if (existsSync(join(resolve(against), "bin.ts"))) return { folder: resolve(against), end: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "bs-against-"));
  command("git", ["worktree", "add", "--detach", "--force", folder, against]);
  const end = () => {
    command("git", ["worktree", "remove", "--force", folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    command("make", ["-s", "-C", join(folder, "native")]);
    return { folder, end };
  } catch (error) {
    end();
    throw error;
  }
}

function command(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: "utf8", timeout: PATIENCE });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr.slice(-500)}`);
}

interface Took {
  readonly ms: number;
  readonly acts: number | null;
}

async function byTurns(
  what: string,
  args: readonly string[],
  other: string,
  rounds: number,
): Promise<FileRow> {
  const ours: Took[] = [], theirs: Took[] = [];
  for (let k = 0; k < rounds; k++) {
    ours.push(await run(ROOT, args));
    theirs.push(await run(other, args));
  }
  const ms = (all: readonly Took[]) => median(all.map((one) => one.ms));
  const acts = (all: readonly Took[]) => {
    const timed = all.flatMap((one) => one.acts ?? []);
    return timed.length === 0 ? null : median(timed);
  };
  const [own, old] = [acts(ours), acts(theirs)];
  return {
    what,
    ms: round(ms(ours)),
    acts_ms: own === null ? null : round(own),
    against_ms: round(ms(theirs)),
    against_acts_ms: old === null ? null : round(old),
    ratio: round(ms(ours) / ms(theirs)),
    acts_ratio: own === null || old === null ? null : round(own / old),
    samples: rounds,
  };
}

async function run(folder: string, args: readonly string[]): Promise<Took> {
  const state = mkdtempSync(join(tmpdir(), "bs-bench-"));
  try {
    const began = performance.now();
    const child = spawn(process.execPath, ["run", "-A", "bin.ts", ...args], {
      cwd: folder,
      env: { ...process.env, BACKSTEP_STATE: state },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: PATIENCE,
    });
    let out = "", said = "";
    child.stdout.on("data", (chunk) => out += chunk);
    child.stderr.on("data", (chunk) => said = `${said}${chunk}`.slice(-1_000));
    const [code] = await once(child, "close");
    const ms = performance.now() - began;
    if (code !== 0) {
      throw new Error(
        `backstep ${args.join(" ")} in ${folder} ended with ${code}: ${said}${out.slice(-500)}`,
      );
    }
    return { ms, acts: args[0] === "run" ? actsOf(out) : null };
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

function actsOf(out: string): number {
  const { steps } = Result.parse(JSON.parse(out));
  return steps.filter(({ path }) => /^\d+$/.test(path)).reduce(
    (sum, { duration_ms }) => sum + duration_ms,
    0,
  );
}

/** The rows for people. */
export function fileTable(rows: readonly FileRow[]): string {
  const seconds = (ms: number | null) => ms === null ? "" : (ms / 1_000).toFixed(2);
  const lines = [
    ["file", "s", "against s", "ratio", "steps s", "against s", "ratio"],
    ...rows.map((r) => [
      r.what,
      seconds(r.ms),
      seconds(r.against_ms),
      `${r.ratio.toFixed(2)}x`,
      seconds(r.acts_ms),
      seconds(r.against_acts_ms),
      r.acts_ratio === null ? "" : `${r.acts_ratio.toFixed(2)}x`,
    ]),
  ];
  const widths = (lines[0] ?? []).map((_, k) => Math.max(...lines.map((line) => line[k]?.length ?? 0)));
  return lines.map((line) => line.map((one, k) => one.padEnd(widths[k] ?? 0)).join("  ").trimEnd()).join(
    "\n",
  );
}
