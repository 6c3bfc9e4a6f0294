import { readFileSync } from "node:fs";
import process from "node:process";

/** Processes above a command that are looked at. */
const MOST = 64;

/**
 * The processes above this one: the terminal that the command runs in is one of them. What is done in its windows is meant
 * for the command, and is no act of the workflow.
 */
export function ownProcesses(): ReadonlySet<number> {
  const own = new Set<number>();
  for (let pid = process.ppid; pid > 1 && own.size < MOST; pid = parentOf(pid)) own.add(pid);
  return own;
}

/** The parent of a process; 0: it is gone, or another user's. */
function parentOf(pid: number): number {
  try {
    // The name, in brackets, may hold anything: what follows the last one is the state and the parent.
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0; // it ended meanwhile, or this is no Linux: then nothing above it is known
  }
}
