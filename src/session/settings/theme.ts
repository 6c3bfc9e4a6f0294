import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { closest } from "../../base/closest.ts";
import { BackstepError } from "../../base/error.ts";
import { DARK_COLOURS } from "./dark-colours.ts";

/** Themes that GTK 3 or GTK 4 have built in. */
const BUILT_IN = ["Adwaita", "Default", "HighContrast", "HighContrastInverse"];

/** A theme as toolkits take it: the name of GTK's, and whether the dark side of it is wanted. */
export interface Theme {
  readonly name: string | undefined;
  readonly dark: boolean;
}

/** "dark" is the dark side of the usual theme, "Adwaita:dark" that of a named one. */
export function themeOf(text: string): Theme {
  if (text === "light" || text === "dark") return { name: undefined, dark: text === "dark" };
  const name = text.replace(/:dark$/, "");
  return { name, dark: name !== text };
}

/**
 * Writes what toolkits read their theme from into a new HOME, and answers with the variables that say the rest: GTK 3 and 4
 * read settings.ini, libadwaita a variable, Qt and KDE the colours in kdeglobals. Throws `missing` for a theme that
 * is not installed.
 */
export function writeTheme(
  text: string,
  home: string,
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  const { name, dark } = themeOf(text);
  if (name !== undefined) requireTheme(name, environment);
  const lines = [
    "[Settings]",
    ...(name === undefined ? [] : [`gtk-theme-name=${name}`]),
    `gtk-application-prefer-dark-theme=${dark ? 1 : 0}`,
  ];
  for (const version of ["gtk-3.0", "gtk-4.0"]) write(home, `.config/${version}/settings.ini`, lines);
  if (!dark) return {};
  write(home, ".config/kdeglobals", DARK_COLOURS);
  return {
    ADW_DEBUG_COLOR_SCHEME: "prefer-dark",
    // Qt's own KDE theme reads kdeglobals, also where nothing of KDE is installed.
    QT_QPA_PLATFORMTHEME: "kde",
    KDE_SESSION_VERSION: "5",
  };
}

function requireTheme(name: string, environment: Readonly<Record<string, string>>): void {
  const folders = (environment["XDG_DATA_DIRS"] ?? "").split(":").map((folder) => join(folder, "themes"));
  const has = (theme: string) =>
    folders.some((folder) => ["gtk-3.0", "gtk-4.0"].some((kind) => existsSync(join(folder, theme, kind))));
  if (BUILT_IN.includes(name) || has(name)) return;
  const existing = [...BUILT_IN, ...new Set(folders.flatMap(namesIn).filter(has))];
  const near = closest(name, ["light", "dark", ...existing]);
  throw new BackstepError(
    "missing",
    `Cannot start a private desktop: there is no theme ${name} for GTK 3 or GTK 4`,
    {
      hint: near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : `There are light, dark, ${existing.slice(0, 12).join(", ")}.`,
      details: { themes: existing.slice(0, 50) },
    },
  );
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function write(home: string, path: string, lines: readonly string[]): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
}
