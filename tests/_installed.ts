import { existsSync } from "node:fs";
import process from "node:process";

/**
 * What `tools/setup.sh --apps` does not install, by path. A whole run leaves it out even where the machine has it: what somebody
 * happens to have installed must not decide whether a change passes.
 */
export const NIGHTLY = [
  "evince",
  "featherpad",
  "firefox-esr",
  "geany",
  "gnome-clocks",
  "gnome-contacts",
  "gnome-text-editor",
  "kate",
  "meld",
  "okular",
  "thunar",
  "xterm",
].map((name) => `/usr/bin/${name}`).concat("/usr/share/java/java-atk-wrapper.jar");

/** Whether a test may use the program (or file) at this path: it is there, and this is no whole run, or every run has it. */
export function isInstalled(path: string): boolean {
  if (isWholeRun() && NIGHTLY.includes(path)) return false;
  return existsSync(path);
}

/** Whether every test of a change runs now: what takes longer is left to `deno task nightly` then, which names its files. */
export function isWholeRun(): boolean {
  // `scripts/test.ts` sets it where it was given no files.
  return process.env["BACKSTEP_WHOLE_RUN"] !== undefined;
}
