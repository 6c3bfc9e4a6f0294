import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import process from "node:process";
import { type Deadline, pause } from "../base/call.ts";

/**
 * One process, beyond doubt: the kernel hands a pid out again, but never with the same start time. `start` is in clock
 * ticks since the machine booted (field 22 of `/proc/<pid>/stat`).
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly start: number;
}

/** What `/proc/<pid>/stat` says of a process. */
export interface ProcessStat extends ProcessIdentity {
  /** The first 15 bytes of its program's name. */
  readonly command: string;
  /** "R", "S", "Z" (dead and not yet waited for)… */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** Parses the text of a `/proc/<pid>/stat`; undefined when it is none. */
export function parseStat(text: string): ProcessStat | undefined {
  // The name may hold spaces and parentheses itself: the last parenthesis ends it.
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (open < 0 || close < open) return undefined;
  const fields = text.slice(close + 2).split(" ");
  const number = (field: number) => Number(fields[field - 3]);
  const stat = {
    pid: Number(text.slice(0, open)),
    command: text.slice(open + 1, close),
    state: fields[0] ?? "",
    parent: number(4),
    group: number(5),
    session: number(6),
    start: number(22),
  };
  return Number.isInteger(stat.pid) && Number.isInteger(stat.start) ? stat : undefined;
}

/** The process with this pid; undefined when there is none, or it is dead and only not yet waited for. */
export function processStat(pid: number): ProcessStat | undefined {
  const text = readProc(`${pid}/stat`);
  const stat = text === undefined ? undefined : parseStat(text);
  return stat === undefined || stat.state === "Z" || stat.state === "X" ? undefined : stat;
}

/** The identity of a running process; undefined when there is none. */
export function identify(pid: number): ProcessIdentity | undefined {
  const stat = processStat(pid);
  return stat === undefined ? undefined : { pid, start: stat.start };
}

/** Does this very process still run? */
export function isAlive(identity: ProcessIdentity): boolean {
  return processStat(identity.pid)?.start === identity.start;
}

/** The environment variable of a process; undefined when it has none, is gone, or belongs to another user. */
export function environmentOf(pid: number, name: string): string | undefined {
  const text = readProc(`${pid}/environ`);
  const prefix = `${name}=`;
  return text?.split("\0").find((line) => line.startsWith(prefix))?.slice(prefix.length);
}

/** The command line of a process as its arguments; empty when it is gone. */
export function commandLineOf(pid: number): string[] {
  const text = readProc(`${pid}/cmdline`);
  return text === undefined || text === "" ? [] : text.replace(/\0$/, "").split("\0");
}

/** The file a process runs; undefined when it is gone or not ours to ask. */
export function executableOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch (error) {
    if (isGoneOrForeign(error)) return undefined;
    throw error;
  }
}

/** Every running process that can be seen. */
export function allProcesses(): ProcessStat[] {
  const found: ProcessStat[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? processStat(pid) : undefined;
    if (stat !== undefined) found.push(stat);
  }
  return found;
}

/**
 * Sends a signal to this very process. False: it is gone (or its pid belongs to another by now) and nothing was sent.
 */
export function signalProcess(identity: ProcessIdentity, signal: "SIGTERM" | "SIGKILL"): boolean {
  if (!isAlive(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch (error) {
    if (isGoneOrForeign(error)) return false;
    throw error;
  }
}

/**
 * Waits until none of these runs any more: true, or false when the deadline passed. For processes that are no children
 * of ours, which give no event when they end: hence the short looks, growing from 2 to 40 ms.
 */
export async function whenGone(identities: readonly ProcessIdentity[], deadline: Deadline): Promise<boolean> {
  for (let wait = 2;; wait = Math.min(40, wait * 2)) {
    if (!identities.some(isAlive)) return true;
    if (deadline.passed) return false;
    await pause(Math.min(wait, deadline.remaining() + 1), deadline.signal);
  }
}

let boot: string | undefined;

/** The kernel's id of this boot: pids and start times mean nothing after another one. */
export function bootId(): string {
  boot ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return boot;
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch (error) {
    if (isGoneOrForeign(error)) return undefined;
    throw error;
  }
}

/** A process may end between being seen and being read; others' processes are closed to us. */
function isGoneOrForeign(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ESRCH" || code === "EACCES" || code === "EPERM" ||
    /ESRCH|ENOENT|EACCES|EPERM/.test(error.message);
}
