import { arch, release, type } from "node:os";
import { platformOf } from "./platform.ts";
import { printed } from "./ps.ts";

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

function askOnce(program: string, args: readonly string[]): string | undefined {
  try {
    return printed(program, args);
  } catch {
    return undefined; // it is not there: another machine than it was taken for
  }
}
