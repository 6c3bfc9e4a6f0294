import { execFileSync } from "node:child_process";
import { arch, release, type } from "node:os";
import { platformOf } from "./platform.ts";

/** What a program of the system says of the machine; undefined: it failed or is not there. */
export type Ask = (program: string, args: readonly string[]) => string | undefined;

/** "macOS 15.2, Apple M4", elsewhere the kernel and its architecture: "Linux 6.1.0, x64". */
export function machineName(platform = platformOf(), ask: Ask = askOnce): string {
  if (platform === "macos") {
    const version = ask("/usr/bin/sw_vers", ["-productVersion"])?.trim();
    const chip = ask("/usr/sbin/sysctl", ["-n", "machdep.cpu.brand_string"])?.trim();
    if (version) return `macOS ${version}, ${chip || arch()}`;
  }
  return `${type()} ${release()}, ${arch()}`;
}

/** Milliseconds that it gets. */
const ASKED = 2_000;

function askOnce(program: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(program, [...args], {
      encoding: "utf8",
      timeout: ASKED,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return undefined; // it is not there, or failed: the kernel is named instead
  }
}
