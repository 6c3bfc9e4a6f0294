import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import type { DesktopSettings } from "./settings/settings.ts";
import { themeOf } from "./settings/theme.ts";
import { QUIET_FIREFOX, QUIET_THUNDERBIRD } from "./quiet-gecko.ts";

/** What a private desktop offers to a quirk. */
export interface QuirkPlace {
  readonly home: string;
  readonly root: boolean;
  readonly settings: DesktopSettings | undefined;
}

/** What some programs need in order to be driven on a private desktop: arguments put before the others, and files. */
interface Quirk {
  readonly programs: readonly string[];
  args(place: QuirkPlace): string[];
  /** By path, the content of files that must be there before the program starts. */
  files?(place: QuirkPlace): Readonly<Record<string, string>>;
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
  args: ({ home, root, settings }) => [
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
    ...lookOf(settings),
    // Its sandbox refuses to run as root.
    ...(root ? ["--no-sandbox"] : []),
  ],
  // On Wayland it draws a shadow around itself, and its page is smaller by that than on X11.
  files: ({ home, settings }) =>
    settings?.display === "wayland"
      ? { [join(home, ".config/chromium/Default/Preferences")]: '{"browser":{"custom_chrome_frame":false}}' }
      : {},
};

/** Electron applications show no tree to AT-SPI either unless they are told to. */
const electron: Quirk = {
  programs: ["electron", "code", "codium", "slack", "signal-desktop", "element-desktop"],
  args: ({ root, settings }) => [
    "--force-renderer-accessibility",
    "--disable-gpu",
    ...lookOf(settings),
    ...(root ? ["--no-sandbox"] : []),
  ],
};

/** Chromium asks neither GTK for the scale nor its settings file for the dark side. */
function lookOf({ display, scale, theme }: DesktopSettings = {}): string[] {
  const wayland = display === "wayland";
  return [
    ...(wayland ? ["--ozone-platform=wayland"] : []),
    ...(scale === undefined || wayland ? [] : [`--force-device-scale-factor=${scale}`]),
    ...(theme !== undefined && themeOf(theme).dark ? ["--force-dark-mode"] : []),
  ];
}

/** LibreOffice: no splash screen, no recovery dialog of another run, no restore of windows. */
const libreOffice: Quirk = {
  programs: ["libreoffice", "soffice", "localc", "lowriter", "limpress", "lodraw"],
  args: () => ["--nologo", "--norestore", "--nofirststartwizard"],
};

const firefoxProfile = (home: string) => join(home, ".mozilla/firefox/backstep");

/** Firefox: a profile of its own with a tree for AT-SPI, without first-run pages, bars that ask, and phoning home. */
const firefox: Quirk = {
  programs: ["firefox", "firefox-esr", "firefox-bin"],
  args: ({ home }) => ["--profile", firefoxProfile(home)],
  files: ({ home }) => ({ [join(firefoxProfile(home), "user.js")]: QUIET_FIREFOX }),
};

const thunderbirdProfile = (home: string) => join(home, ".thunderbird/backstep");

/** Thunderbird: the same, without the question for an account. */
const thunderbird: Quirk = {
  programs: ["thunderbird", "thunderbird-bin"],
  args: ({ home }) => ["--profile", thunderbirdProfile(home)],
  files: ({ home }) => ({ [join(thunderbirdProfile(home), "user.js")]: QUIET_THUNDERBIRD }),
};

const QUIRKS: readonly Quirk[] = [chromium, electron, libreOffice, firefox, thunderbird];

/** The arguments that a program needs on a private desktop; none for most. */
export function quirksOf(
  executable: string,
  home: string,
  root = process.getuid?.() === 0,
  settings?: DesktopSettings,
): string[] {
  return quirkOf(executable)?.args({ home, root, settings }) ?? [];
}

/** Writes the files that a program needs on a private desktop, where they are not there yet. */
export function prepareHome(
  executable: string,
  home: string,
  root = process.getuid?.() === 0,
  settings?: DesktopSettings,
): void {
  for (
    const [path, content] of Object.entries(quirkOf(executable)?.files?.({ home, root, settings }) ?? {})
  ) {
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content, { mode: 0o600 });
  }
}

function quirkOf(executable: string): Quirk | undefined {
  return QUIRKS.find((quirk) => quirk.programs.includes(executable));
}
