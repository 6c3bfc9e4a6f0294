import { existsSync, mkdtempSync, rmSync } from "node:fs";
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

/** Runs a test with a state folder of its own. */
export async function withState(action: (state: string) => Promise<void>): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "backstep-state-"));
  try {
    await action(state);
  } finally {
    rmSync(state, { recursive: true });
  }
}
