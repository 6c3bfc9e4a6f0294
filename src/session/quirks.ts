import { join } from "node:path";
import process from "node:process";

/** What a private desktop offers to a quirk. */
export interface QuirkPlace {
  readonly home: string;
  readonly root: boolean;
}

/** What some programs need in order to be driven on a private desktop: arguments put before the others. */
interface Quirk {
  readonly programs: readonly string[];
  args(place: QuirkPlace): string[];
}

/** Chromium and what is made of it: the accessibility tree must be forced, first-run pages and phoning home are off. */
const chromium: Quirk = {
  programs: [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
  ],
  args: ({ home, root }) => [
    "--force-renderer-accessibility",
    "--disable-gpu",
    // An animation tells where it ends half a second late.
    "--disable-smooth-scrolling",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--password-store=basic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    `--user-data-dir=${join(home, ".config/chromium")}`,
    // Its sandbox refuses to run as root.
    ...(root ? ["--no-sandbox"] : []),
  ],
};

/** Electron applications show no tree to AT-SPI either unless they are told to. */
const electron: Quirk = {
  programs: ["electron", "code", "codium", "slack", "signal-desktop", "element-desktop"],
  args: ({ root }) => ["--force-renderer-accessibility", "--disable-gpu", ...(root ? ["--no-sandbox"] : [])],
};

/** LibreOffice: no splash screen, no recovery dialog of another run, no restore of windows. */
const libreOffice: Quirk = {
  programs: ["libreoffice", "soffice", "localc", "lowriter", "limpress", "lodraw"],
  args: () => ["--nologo", "--norestore", "--nofirststartwizard"],
};

const QUIRKS: readonly Quirk[] = [chromium, electron, libreOffice];

/** The arguments that a program needs on a private desktop; none for most. */
export function quirksOf(executable: string, home: string, root = process.getuid?.() === 0): string[] {
  return QUIRKS.find((quirk) => quirk.programs.includes(executable))?.args({ home, root }) ?? [];
}
