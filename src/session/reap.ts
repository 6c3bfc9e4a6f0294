import process from "node:process";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { closest } from "../base/closest.ts";
import { type DesktopStatus, type Lease, Leases, type NeededDesktops, statusOf, thisOwner } from "./lease.ts";
import { bootId, isAlive } from "./processes.ts";
import { tearDown } from "./teardown.ts";

/** A private desktop as `session list` shows it. */
export interface DesktopRecord {
  readonly lease: Lease;
  readonly status: DesktopStatus;
  /** The folder of a run that has not ended and is, or was, on it. */
  readonly journal?: string;
}

/** Where leases are, and which desktops runs may need (default: none). */
export interface ReapOptions {
  readonly state?: string;
  readonly needed?: NeededDesktops;
}

/** Every private desktop that left a lease, oldest first. */
export function listDesktops({ state, needed }: ReapOptions = {}): DesktopRecord[] {
  return new Leases(state).all().map((lease) => ({
    lease,
    status: statusOf(lease, needed),
    ...defined({ journal: needed?.get(lease.id) }),
  }));
}

/** Which of the desktops that nobody answers for are ended. */
export interface ReapWhich {
  /** Only those of which a process still runs that this one can see: leases may be shared with another machine or container. */
  readonly stillRunning?: boolean;
}

/**
 * Ends the desktops that nobody answers for any more: "abandoned" and "dead" ones. Those that are running, kept or in
 * doubt stay. Returns what was ended. One that cannot be ended keeps no other from it; then this rejects with its error
 * after the others.
 */
export async function reapAbandoned(
  options: ReapOptions = {},
  { stillRunning = false }: ReapWhich = {},
): Promise<Lease[]> {
  const leases = new Leases(options.state);
  const reaped: Lease[] = [];
  const failures: unknown[] = [];
  for (const { lease, status } of listDesktops(options)) {
    if (status !== "abandoned" && status !== "dead") continue;
    if (stillRunning && !(lease.boot === bootId() && lease.parts.some(isAlive))) continue;
    try {
      await tearDown(lease);
      leases.remove(lease.id);
      reaped.push(lease);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return reaped;
}

/**
 * Ends a desktop by its id, whatever its status, and removes every trace. Rejects with `not_found` when there is no
 * lease of that id, and with `refused` while another process owns it, unless `evenRunning`.
 */
export async function stopDesktop(
  id: string,
  options: { readonly state?: string; readonly evenRunning?: boolean } = {},
): Promise<void> {
  const leases = new Leases(options.state);
  const lease = findLease(leases, id);
  if (!options.evenRunning) refuseOwned(lease, "stop");
  await tearDown(lease);
  leases.remove(id);
}

/**
 * Makes this process the owner of a desktop whose owner is gone: it then ends with us, by the function returned, unless
 * it is kept. Throws `not_found`, and `refused` while its owner is alive.
 */
export function adoptDesktop(id: string, state?: string): () => Promise<void> {
  const leases = new Leases(state);
  const lease = findLease(leases, id);
  refuseOwned(lease, "adopt");
  leases.write({ ...lease, owner: thisOwner() });
  return async () => {
    const now = leases.read(id);
    if (now !== undefined && !now.kept) {
      await stopDesktop(id, { ...(state ? { state } : {}), evenRunning: true });
    }
  };
}

function refuseOwned(lease: Lease, doing: string): void {
  const { owner, boot, id } = lease;
  if (boot !== bootId() || !isAlive(owner) || owner.pid === process.pid) return;
  throw new BackstepError("refused", `Cannot ${doing} desktop ${id}: process ${owner.pid} is using it`, {
    hint: `End that process first: ${owner.command}`,
    details: { pid: owner.pid },
  });
}

/** The lease of a desktop. Throws `not_found`, naming those that there are. */
export function findLease(leases: Leases, id: string): Lease {
  const lease = leases.read(id);
  if (lease !== undefined) return lease;
  const existing = leases.all().map((other) => other.id);
  const [near] = closest(id, existing);
  throw new BackstepError(
    "not_found",
    `Cannot find desktop ${JSON.stringify(id.slice(0, 40))}: it has no lease`,
    {
      hint: near !== undefined
        ? `Did you mean ${near}?`
        : existing.length > 0
        ? `There are: ${existing.slice(0, 8).join(", ")}.`
        : "No private desktop is left on this machine.",
      details: { known: existing.slice(0, 8) },
    },
  );
}
