import { spawnSync } from "node:child_process";
import process from "node:process";
import { BackstepError } from "../../base/error.ts";
import { findProgram, type PartName, programOf } from "../../session/programs.ts";

/** What each label of this project means, and how a machine is found to have it. */
interface Label {
  /** What is missing, for people; undefined: it is there. */
  readonly missing: (libraries: string) => string | undefined;
}

const library = (name: string): Label => ({
  missing: (libraries) => libraries.includes(name) ? undefined : `the library ${name} is not installed`,
});

const parts = (...names: readonly PartName[]): Label => ({
  missing() {
    for (const name of names) {
      try {
        programOf(name, process.env["PATH"] ?? "");
      } catch (thrown) {
        return thrown instanceof Error ? thrown.message : String(thrown);
      }
    }
    return undefined;
  },
});

const program = (...names: readonly string[]): Label => ({
  missing: () =>
    names.some((name) => findProgram(name, process.env["PATH"] ?? "") !== undefined)
      ? undefined
      : `${names.join(" or ")} is not installed`,
});

const LABELS: Readonly<Record<string, Label>> = {
  simulated: { missing: () => undefined },
  x11: parts("xvfb", "bus", "accessibility", "openbox"),
  wayland: parts("sway", "bus", "accessibility"),
  gtk3: library("libgtk-3.so.0"),
  gtk4: library("libgtk-4.so.1"),
  qt5: library("libQt5Widgets.so.5"),
  qt6: library("libQt6Widgets.so.6"),
  chromium: program("chromium", "google-chrome", "chromium-browser"),
  firefox: program("firefox", "firefox-esr"),
  libreoffice: program("soffice", "libreoffice"),
};

/** The shared libraries of this machine, as its linker lists them. */
function installedLibraries(): string {
  const ldconfig = ["/sbin/ldconfig", "/usr/sbin/ldconfig"].find((file) => findProgram(file, "")) ??
    "ldconfig";
  const { stdout } = spawnSync(ldconfig, ["-p"], { encoding: "utf8", timeout: 10_000, maxBuffer: 16 << 20 });
  return stdout ?? "";
}

/** The labels that a worker has: those found on this machine, and those it is given. */
export interface Labels {
  readonly labels: readonly string[];
  /** Of the known ones that it has not: why. */
  readonly missing: Readonly<Record<string, string>>;
}

/**
 * What this machine has of the known labels, as `backstep check` would find it, and what a person adds ("printer"). Throws
 * `usage` where somebody gives it a known one that was not found.
 */
export function findLabels(given: readonly string[], libraries: () => string = installedLibraries): Labels {
  const listed = process.platform === "linux" ? libraries() : "";
  const missing: Record<string, string> = {};
  const found: string[] = [];
  for (const [label, { missing: why }] of Object.entries(LABELS)) {
    const said = why(listed);
    if (said === undefined) found.push(label);
    else missing[label] = said;
  }
  for (const label of given) {
    const why = missing[label];
    if (why === undefined) continue;
    throw new BackstepError("usage", `Cannot offer the label ${label}: ${why}`, {
      hint: "Install it on this machine, or leave the label out.",
    });
  }
  return { labels: [...new Set([...found, ...given])].sort(), missing };
}
