import { readFileSync } from "node:fs";

export { allProcesses } from "../../../src/session/processes.ts";

/** Milliseconds of a clock tick of `/proc`: Linux shows hundredths of a second everywhere. */
const TICK = 10;

/** Milliseconds of processor time that some processes have taken by now; those that are gone count nothing. */
export function readProcessTime(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    let text: string;
    try {
      text = readFileSync(`/proc/${pid}/stat`, "utf8");
    } catch (thrown) {
      if (
        thrown instanceof Error && "code" in thrown && (thrown.code === "ENOENT" || thrown.code === "ESRCH")
      ) return sum;
      throw thrown;
    }
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK;
  }, 0);
}
