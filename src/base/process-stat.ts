import { readFileSync } from "node:fs";
import process from "node:process";
import type { ProcessStat } from "./process-identity.ts";
import { psOf } from "./process-ps.ts";

export type { ProcessIdentity, ProcessStat } from "./process-identity.ts";

/** PF_EXITING of Linux' include/linux/sched.h. */
const EXITING = 0x4;

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
    exiting: (number(9) & EXITING) !== 0,
    start: number(22),
  };
  return Number.isInteger(stat.pid) && Number.isInteger(stat.start) ? stat : undefined;
}

/** The process with this pid; undefined when there is none, or it is dead and only not yet waited for. */
export function processStat(pid: number): ProcessStat | undefined {
  if (process.platform === "darwin") return psOf(pid).find(isRunning);
  const text = readProc(`${pid}/stat`);
  const stat = text === undefined ? undefined : parseStat(text);
  return stat !== undefined && isRunning(stat) ? stat : undefined;
}

function isRunning({ state }: ProcessStat): boolean {
  return state !== "Z" && state !== "X";
}

/** A file of `/proc`, by its path in there; undefined when its process is gone, or belongs to another user. */
export function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch (error) {
    if (isGoneOrForeign(error)) return undefined;
    throw error;
  }
}

/** A process may end between being seen and being read; others' processes are closed to us. */
export function isGoneOrForeign(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ESRCH" || code === "EACCES" || code === "EPERM" ||
    /ESRCH|ENOENT|EACCES|EPERM/.test(error.message);
}
