import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { newRunId } from "../engine/run/run-id.ts";
import { bootId, identify, isAlive } from "../session/processes.ts";

const Owner = z.object({ pid: z.number().int(), start: z.number().int(), boot: z.string() });
/** Test runs whose journals are kept, the newest ones. */
const KEPT = 5;

/**
 * Makes the state folder for the runs of one test run, `<state>/tests/<id>`, closed to everybody else: their journals and keys stay
 * together, and do not push the user's own runs out. Those of older test runs are removed, all but the newest. Throws `io`.
 */
export function makeSuiteState(state: string): string {
  const tests = join(state, "tests");
  const folder = join(tests, newRunId());
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const owner = { pid: process.pid, start: identify(process.pid)?.start ?? 0, boot: bootId() };
    writeFileSync(join(folder, "owner.json"), JSON.stringify(owner), { mode: 0o600 });
    const old = readdirSync(tests).sort().slice(0, -KEPT).map((name) => join(tests, name));
    for (const one of old) if (!isHeld(one)) rmSync(one, { recursive: true, force: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackstepError("io", `Cannot make ${folder}: ${why}`, {
      cause,
      hint: "Set BACKSTEP_STATE to a writable folder.",
    });
  }
  return folder;
}

/** Is the test run still at it? */
function isHeld(folder: string): boolean {
  let owner: unknown;
  try {
    owner = JSON.parse(readFileSync(join(folder, "owner.json"), "utf8"));
  } catch {
    return false; // it never got as far as that, or is half removed
  }
  const { success, data } = Owner.safeParse(owner);
  return success && data.boot === bootId() && isAlive(data);
}
