import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../base/call.ts";
import { Deadline } from "../base/call.ts";
import { foldersOf } from "./environment.ts";
import { type Lease, Leases } from "./lease.ts";
import { whenGone } from "./processes.ts";
import type { ProcessIdentity } from "../base/process-stat.ts";
import type { Session } from "./session.ts";
import { processesOf, tearDown } from "./teardown.ts";

/** What is on a private desktop: the processes beyond its own parts, and the files of its HOME and temporary folder. */
export interface Traces {
  readonly processes: readonly ProcessIdentity[];
  /** By path; size, time of the last change and inode of what is no folder. */
  readonly files: ReadonlyMap<string, string>;
}

/** More files than this are not compared: the desktop counts as changed. */
const MOST_FILES = 5_000;
/** Milliseconds for what was quit to be gone. */
const LEAVING = 1_000;

/**
 * What is on a private desktop now, to be compared with what was there when it was new. Undefined for another kind of
 * session: there is nothing to compare with. What lies elsewhere (root properties, a clipboard that nobody owns) is not seen.
 */
export function tracesOn(session: Pick<Session, "id">, state?: string): Traces | undefined {
  const lease = session.id === undefined ? undefined : new Leases(state).read(session.id);
  if (lease === undefined) return undefined;
  const { home, temporary } = foldersOf(lease.folder);
  return { processes: strangersOn(lease), files: new Map([...filesIn(home), ...filesIn(temporary)]) };
}

/**
 * Makes a private desktop what it was when it was new: waits a moment for what was quit to be gone, and takes away the files that
 * came since. Answers whether it is; nothing is ended, and a file that was there and is another now is left, and makes it false.
 */
export async function clearTraces(
  session: Pick<Session, "id" | "launcher">,
  fresh: Traces,
  call?: Call,
  state?: string,
): Promise<boolean> {
  const now = tracesOn(session, state);
  if (now === undefined || fresh.files.size >= MOST_FILES || now.files.size >= MOST_FILES) return false;
  const stayed = now.processes.filter(({ pid, start }) =>
    !fresh.processes.some((one) => one.pid === pid && one.start === start)
  );
  if (!await whenGone(stayed, Deadline.of(call, LEAVING))) return false;
  if ((await session.launcher.list(call)).length > 0) return false;
  for (const path of tracesOn(session, state)?.files.keys() ?? []) {
    if (!fresh.files.has(path)) rmSync(path, { recursive: true, force: true });
  }
  const cleared = tracesOn(session, state);
  return cleared !== undefined && cleared.files.size === fresh.files.size &&
    [...fresh.files].every(([path, what]) => cleared.files.get(path) === what);
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

function strangersOn(lease: Lease): ProcessIdentity[] {
  const parts = new Set(lease.parts.map(({ pid }) => pid));
  // The accessibility bus starts its registry when it is first asked for it.
  return processesOf(lease).filter(({ pid, command }) =>
    !parts.has(pid) && command !== "dbus-daemon" && !command.startsWith("at-spi")
  ).map(({ pid, start }) => ({ pid, start }));
}

function* filesIn(folder: string): Generator<readonly [path: string, what: string]> {
  let found = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const name of readdirSync(next)) {
      const path = join(next, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      if (stat.isDirectory()) folders.push(path);
      // A folder is what is in it.
      yield [path, stat.isDirectory() ? "" : `${stat.size} ${stat.mtimeMs} ${stat.ino}`];
      if (++found >= MOST_FILES) return;
    }
  }
}
