import process from "node:process";

/** Whose desktops there are to be had. */
export type Platform = "linux" | "macos";

/**
 * The platform whose native core is loaded here. Tests run the core of macOS on Linux, over stand-ins of Apple's frameworks:
 * `BACKSTEP_MACHO` names its library then.
 */
export function platformOf(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Platform {
  return process.platform === "darwin" || environment["BACKSTEP_MACHO"] !== undefined ? "macos" : "linux";
}
