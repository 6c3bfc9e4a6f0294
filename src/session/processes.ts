import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import process from "node:process";
import { type Deadline, pause } from "../base/call.ts";
import { psCommandOf, psOf } from "../base/process-ps.ts";
import {
  isGoneOrForeign,
  type ProcessIdentity,
  type ProcessStat,
  processStat,
  readProc,
} from "../base/process-stat.ts";

/** The identity of a running process; undefined when there is none. */
export function identify(pid: number): ProcessIdentity | undefined {
  const stat = processStat(pid);
  return stat === undefined ? undefined : { pid, start: stat.start };
}

/** Does this very process still run? */
export function isAlive(identity: ProcessIdentity): boolean {
  return processStat(identity.pid)?.start === identity.start;
}

/** The environment variable of a process; undefined when it has none, is gone, or belongs to another user, and on macOS. */
export function environmentOf(pid: number, name: string): string | undefined {
  const text = readProc(`${pid}/environ`);
  const prefix = `${name}=`;
  return text?.split("\0").find((line) => line.startsWith(prefix))?.slice(prefix.length);
}

/** The command line of a process as its arguments; empty when it is gone. On macOS an argument with blanks comes as several. */
export function commandLineOf(pid: number): string[] {
  if (process.platform === "darwin") return psCommandOf(pid);
  const text = readProc(`${pid}/cmdline`);
  return text === undefined || text === "" ? [] : text.replace(/\0$/, "").split("\0");
}

/** The file a process runs; undefined when it is gone or not ours to ask. */
export function executableOf(pid: number): string | undefined {
  if (process.platform === "darwin") return psCommandOf(pid)[0];
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch (error) {
    if (isGoneOrForeign(error)) return undefined;
    throw error;
  }
}

/** Every running process that can be seen. */
export function allProcesses(): ProcessStat[] {
  if (process.platform === "darwin") return psOf();
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
  boot ??= process.platform === "darwin"
    ? execFileSync("sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8" }).trim()
    : readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return boot;
}
