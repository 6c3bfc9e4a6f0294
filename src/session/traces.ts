import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "./session.ts";
import { type Lease, Leases } from "./lease.ts";
import { foldersOf } from "./environment.ts";
import { processesOf, tearDown } from "./teardown.ts";

/** What is on a private desktop: the processes beyond its own parts, and the files of its HOME and temporary folder. */
export interface Traces {
  readonly processes: readonly string[];
  /** Path, size, time of the last change, and inode. */
  readonly files: readonly string[];
}

/** More files than this are not compared: the desktop counts as changed. */
const MOST_FILES = 5_000;

/**
 * What is on a private desktop now, to be compared with what was there when it was new. Undefined for another kind of
 * session: there is nothing to compare with. What lies in other places (root properties, a clipboard that nobody owns) is not
 * seen.
 */
export function tracesOn(session: Pick<Session, "id">, state?: string): Traces | undefined {
  const lease = session.id === undefined ? undefined : new Leases(state).read(session.id);
  if (lease === undefined) return undefined;
  const folders = foldersOf(lease.folder);
  return {
    processes: strangersOn(lease),
    files: [...filesIn(folders.home), ...filesIn(folders.temporary)],
  };
}

/** Is what is there now what was there then? */
export function sameTraces(then: Traces, now: Traces): boolean {
  const same = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.length < MOST_FILES && a.every((one, i) => one === b[i]);
  return same(then.processes, now.processes) && same(then.files, now.files);
}

/** Ends the private desktops that a process left behind when it died, and answers how many there were. */
export async function endDesktopsOf(pid: number, state?: string): Promise<number> {
  const leases = new Leases(state);
  const left = leases.all().filter(({ owner, kept }) => owner.pid === pid && !kept);
  for (const lease of left) {
    await tearDown(lease);
    leases.remove(lease.id);
  }
  return left.length;
}

function strangersOn(lease: Lease): string[] {
  const parts = new Set(lease.parts.map(({ pid }) => pid));
  // The accessibility bus starts its registry when it is first asked for it.
  return processesOf(lease)
    .filter(({ pid, command }) =>
      !parts.has(pid) && command !== "dbus-daemon" && !command.startsWith("at-spi")
    )
    .map(({ pid, command }) => `${pid} ${command}`).sort();
}

function filesIn(folder: string): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    if (found.length >= MOST_FILES) return;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return;
    // A folder is what is in it.
    if (!stat.isDirectory()) found.push(`${path} ${stat.size} ${stat.mtimeMs} ${stat.ino}`);
    else {
      found.push(path);
      for (const name of readdirSync(path).sort()) visit(join(path, name));
    }
  };
  visit(folder);
  return found;
}
