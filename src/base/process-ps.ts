import { execFileSync } from "node:child_process";
import type { ProcessStat } from "./process-identity.ts";

/** What `ps` is asked for where there is no /proc: macOS. The name comes last, since it may hold blanks. */
const COLUMNS = "pid=,ppid=,pgid=,sess=,stat=,lstart=,comm=";
/** Milliseconds that it gets. */
const ASKED = 2_000;
const LINE =
  /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w{3}\s+(?:\w{3}\s+\d+|\d+\s+\w{3})\s+[\d:]{8}\s+\d{4})\s+(.*)$/;

/** Parses a line of `ps`; undefined when it is none. `start` is in seconds since 1970. */
export function parsePs(line: string): ProcessStat | undefined {
  const [, pid, parent, group, session, state = "", lstart = "", path = ""] = LINE.exec(line) ?? [];
  const start = Date.parse(`${lstart} UTC`) / 1_000;
  if (pid === undefined || !Number.isInteger(start)) return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    // macOS tells an address, which is no number of a session.
    session: Number.isInteger(Number(session)) ? Number(session) : 0,
    state: state.slice(0, 1),
    // "E": it is exiting.
    exiting: state.slice(1).includes("E"),
    start,
    command: path.slice(path.lastIndexOf("/") + 1).slice(0, 15),
  };
}

/** The processes with these numbers, or all; none where `ps` knows none. */
export function psOf(pid?: number): ProcessStat[] {
  return ps(pid === undefined ? ["-A"] : ["-p", String(pid)], COLUMNS).flatMap((line) => parsePs(line) ?? []);
}

/**
 * The command line of a process where there is no /proc: first the file that it runs, whole. Its arguments are told as one
 * text, so that one with blanks comes as several. Empty when it is gone.
 *
 * Source: ps(1) of macOS: `comm` is the path of the program, `args` the command with its arguments.
 */
export function psCommandOf(pid: number): string[] {
  const of = (column: string) => ps(["-p", String(pid), "-ww"], column)[0]?.trim() ?? "";
  const program = of("comm="), line = program === "" ? "" : of("args=");
  // What a program calls itself need not be the file.
  const rest = line.startsWith(program)
    ? line.slice(program.length)
    : line.slice(line.indexOf(" ") + 1 || line.length);
  return program === "" ? [] : [program, ...rest.split(" ").filter((word) => word !== "")];
}

/** The lines of `ps`; none where it knows no such process. */
function ps(which: readonly string[], columns: string): string[] {
  try {
    return execFileSync("ps", [...which, "-o", columns], {
      encoding: "utf8",
      timeout: ASKED,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
    }).split("\n");
  } catch (error) {
    // It exits with 1 where it knows none of them.
    if (error instanceof Error && "status" in error && error.status === 1) return [];
    throw error;
  }
}
