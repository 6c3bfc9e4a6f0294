import { spawnSync } from "node:child_process";
import type { ProcessStat } from "./process-identity.ts";

/** What `ps` is asked for: POSIX names, and `lstart`, which macOS and Linux both have. */
const COLUMNS = "pid=,ppid=,pgid=,state=,lstart=,comm=";
/** Milliseconds that `ps` gets. */
const ASKED = 2_000;

/**
 * A line of `ps -o pid=,ppid=,pgid=,state=,lstart=,comm=` in the C locale; undefined: it is none. `start` is in seconds since
 * 1970; the session is that of the group, since `ps` of macOS prints a pointer in its place.
 */
export function parsePs(line: string): ProcessStat | undefined {
  const found =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+\S{3} (\S{3})\s+(\d+) (\d\d):(\d\d):(\d\d) (\d{4})\s+(\S.*?)\s*$/
      .exec(
        line,
      );
  if (found === null) return undefined;
  const [, pid, parent, group, state = "", month = "", ...rest] = found;
  const [day, hours, minutes, seconds, year] = rest.map(Number);
  const at = Date.UTC(year ?? NaN, MONTHS.indexOf(month), day, hours, minutes, seconds);
  const start = Math.round(at / 1_000);
  if (!MONTHS.includes(month) || Number.isNaN(start)) return undefined;
  const command = (rest[5] ?? "").replace(/^.*\//, "");
  const flags = state.slice(1);
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(group),
    state: state.slice(0, 1),
    command,
    // "E" in BSD's ps: "the process is trying to exit".
    exiting: flags.includes("E"),
    start,
  };
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** What `ps` says of one process, or of all; those that are dead and only not yet waited for are left out. */
export function psStats(pid?: number): ProcessStat[] {
  const which = pid === undefined ? ["-A"] : ["-p", String(pid)];
  const text = printed("/bin/ps", [...which, "-o", COLUMNS]) ?? "";
  return text.split("\n").map(parsePs).filter((stat) => stat !== undefined).filter(({ state }) =>
    state !== "Z"
  );
}

/** The standard output of a program of the system; undefined: it failed. Throws where it does not exist or does not end. */
export function printed(program: string, args: readonly string[]): string | undefined {
  const { stdout, status, error } = spawnSync(program, [...args], {
    encoding: "utf8",
    timeout: ASKED,
    env: { LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (error !== undefined) throw error;
  return status === 0 ? stdout : undefined;
}
