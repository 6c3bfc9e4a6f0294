import { readFileSync } from "node:fs";
import type { Application } from "../element.ts";

/** What keeps Chromium from animating what the wheel scrolls. */
const FLAG = "--disable-smooth-scrolling";
/** The process is gone, another user's, or of a system without /proc. */
const UNKNOWN: readonly unknown[] = ["ENOENT", "ESRCH", "EACCES", "EPERM"];

/** Was a browser started so that the wheel scrolls without an animation? As its command line says. */
export function scrollsAtOnce({ pid, toolkit }: Pick<Application, "pid" | "toolkit">): boolean {
  return toolkit === "Chromium" && pid > 0 && argumentsOf(pid).includes(FLAG);
}

function argumentsOf(pid: number): string[] {
  try {
    // Chromium puts spaces between them.
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split(/[\0 ]/);
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && UNKNOWN.includes(thrown.code)) return [];
    throw thrown;
  }
}
