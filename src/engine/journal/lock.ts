import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import { bootId, identify, isAlive } from "../../session/processes.ts";
import { runFolder } from "./journal.ts";

const Holder = z.object({ pid: z.number().int(), start: z.number().int(), boot: z.string() });
type Holder = z.infer<typeof Holder>;

/**
 * Locks a run for this process, and answers how to unlock it. A lock is a process id, when that process began, and the
 * boot it belongs to, so that one which a dead process left is known for what it is. Throws `refused` while another holds
 * it, `io` when it cannot be written.
 */
export function lockRun(state: string, run: string): () => void {
  const file = lockFile(state, run);
  for (let tries = 0; tries < 5; tries++) {
    if (create(file)) return () => rmSync(file, { force: true });
    const holder = holderOf(file);
    if (holder && isHeld(holder)) throw held(run, holder);
    takeAway(file);
  }
  throw new BackstepError("refused", `Cannot lock run ${run}: others keep locking it`);
}

/** The living process that has a run, if any. */
export function lockedBy(state: string, run: string): number | undefined {
  const holder = holderOf(lockFile(state, run));
  return holder && isHeld(holder) ? holder.pid : undefined;
}

function create(file: string): boolean {
  const text = new TextEncoder().encode(JSON.stringify(thisProcess()));
  try {
    const descriptor = openSync(file, "wx", 0o600);
    try {
      writeSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false;
    throw new BackstepError("io", `Cannot lock ${file}`, { cause });
  }
}

function thisProcess(): Holder {
  try {
    return { ...identify(process.pid) ?? { pid: process.pid, start: 0 }, boot: bootId() };
  } catch {
    // Without the right to look at /proc nobody can tell that it lives: a run in memory needs no lock.
    return { pid: process.pid, start: 0, boot: "" };
  }
}

function holderOf(file: string): Holder | undefined {
  try {
    const parsed = Holder.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // gone by now, or cut off while it was written: nobody holds it
  }
}

function isHeld(holder: Holder): boolean {
  return holder.boot === bootId() && isAlive(holder);
}

/** Of several who find a dead process' lock, one takes it away. */
function takeAway(file: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    rmSync(aside, { force: true });
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause;
  }
}

function held(run: string, { pid }: Holder): BackstepError {
  return new BackstepError("refused", `Cannot lock run ${run}: process ${pid} is at it`, {
    hint: "Wait until it has ended, or end it.",
    details: { run, pid },
  });
}

function lockFile(state: string, run: string): string {
  return join(runFolder(state, run), "lock");
}
