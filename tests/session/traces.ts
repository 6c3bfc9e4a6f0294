import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Lease, Leases } from "../../src/session/lease.ts";
import { processesOf } from "../../src/session/teardown.ts";

/** Everything that is left of a desktop: processes, folder, lease. Empty: nothing. */
export function tracesOf(lease: Lease, state: string): string[] {
  const processes = processesOf(lease).map((one) => `process ${one.pid} ${one.command}`);
  const files = [lease.folder].filter((file) => existsSync(file));
  const leases = new Leases(state).read(lease.id) === undefined ? [] : ["lease"];
  return [...processes, ...files, ...leases];
}

/**
 * What is left of the X display with this number: its socket, at which nobody listens, and the lock of a process that is gone.
 * Another desktop may have been given the number since.
 */
export function displayLeft(number: string): string[] {
  const socket = `/tmp/.X11-unix/X${number}`, lock = `/tmp/.X${number}-lock`;
  const listens = readFileSync("/proc/net/unix", "utf8").includes(` ${socket}\n`);
  const holds = existsSync(lock) && existsSync(`/proc/${readFileSync(lock, "utf8").trim()}`);
  return [...listens || holds ? [] : [socket], ...holds ? [] : [lock]].filter((file) => existsSync(file));
}

/** Runs a test with a state folder of its own. */
export async function withState(action: (state: string) => Promise<void>): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "backstep-state-"));
  try {
    await action(state);
  } finally {
    rmSync(state, { recursive: true });
  }
}
