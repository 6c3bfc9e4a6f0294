/** The core of macOS over the stand-in of Apple's frameworks: compiled by gcc, and the linked x86-64 library's own machine code. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import process from "node:process";
import { z } from "zod";

const run = promisify(execFile);
const native = resolve(import.meta.dirname ?? ".", "../../native");

/** Microseconds of our own work that a row may take. */
const PROMISED_US = 5;
/** Messages that a row may take without its actions. */
const PROMISED_MESSAGES = 2;

const Line = z.object({
  what: z.string(),
  ms: z.number(),
  rows: z.number().optional(),
  messages_a_row: z.number().optional(),
  own_us_a_row: z.number().optional(),
  neighbour_alone_ms: z.number().optional(),
  neighbour_beside_ms: z.number().optional(),
});

/** One measurement of one of the two. */
export type MacRow = z.infer<typeof Line> & { readonly build: "gcc" | "mach-o" };

async function measured(build: MacRow["build"], program: string): Promise<MacRow[]> {
  const { stdout } = await run(join("build/macos", program), [], {
    cwd: native,
    timeout: 120_000,
    env: { ...process.env, BACKSTEP_MACHO: "build/macos/x86_64/libbackstep.dylib" },
  });
  return stdout.trim().split("\n").map((line) => ({ ...Line.parse(JSON.parse(line)), build }));
}

/** Builds and measures both; what cannot be built here is named. */
export async function macStandIn(): Promise<{ rows: MacRow[]; failed: string[] }> {
  const make = (...targets: string[]) =>
    run("make", ["-s", "-j2", ...targets], { cwd: native, timeout: 300_000, maxBuffer: 16 << 20 });
  await make("build/macos/gcc/bench");
  const rows = await measured("gcc", "gcc/bench"), failed: string[] = [];
  await make("macos");
  if (existsSync(join(native, "build/macos/x86_64/libbackstep.dylib"))) {
    await make("build/macos/macho/bench");
    rows.push(...await measured("mach-o", "macho/bench"));
  } else failed.push("the machine code of macOS: skipped, tools/setup.sh --macos installs its toolchain");
  for (const { build, what, own_us_a_row: own = 0, messages_a_row: messages = 0 } of rows) {
    // What waits for others is not our own work, and actions are one message more.
    if (what.includes("actions") || what.includes("a message")) continue;
    if (own > PROMISED_US) failed.push(`${what} (${build}) within ${PROMISED_US} us a row: ${own}`);
    if (messages > PROMISED_MESSAGES) {
      failed.push(`${what} (${build}) within ${PROMISED_MESSAGES} messages a row: ${messages}`);
    }
  }
  return { rows, failed };
}

/** For people. */
export function macTable(rows: readonly MacRow[]): string {
  const lines = rows.map(({ build, what, ms, ...more }) =>
    `${build.padEnd(7)} ${what.padEnd(38)} ${ms.toFixed(1).padStart(8)} ms  ${
      Object.entries(more).filter(([key]) => key !== "rows").map(([key, value]) =>
        `${key.replaceAll("_", " ")} ${value}`
      ).join(", ")
    }`
  );
  return lines.join("\n");
}
