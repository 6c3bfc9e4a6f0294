import process from "node:process";

/** Whose desktops there are to be had. */
export type Platform = "linux" | "macos";

/**
 * For tests: names another platform than that of this machine. The core of macOS also runs on Linux, over stand-ins of Apple's
 * frameworks.
 */
export const PLATFORM_VARIABLE = "BACKSTEP_PLATFORM";

/** The platform whose core is loaded here. */
export function platformOf(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Platform {
  const named = environment[PLATFORM_VARIABLE];
  return named === "macos" || named === "linux" ? named : process.platform === "darwin" ? "macos" : "linux";
}
