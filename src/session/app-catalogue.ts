import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { closest } from "../base/closest.ts";
import { BackstepError } from "../base/error.ts";
import type { CatalogueApplication } from "./catalogue-application.ts";
import { type DesktopEntry, parseDesktopEntry } from "./desktop-entry.ts";
import { parseExec } from "./exec-line.ts";
import { bundlesOf } from "./macos/bundles.ts";
import { findProgram } from "./programs.ts";
import { unlessUnreadable } from "./unless-unreadable.ts";

export type { CatalogueApplication } from "./catalogue-application.ts";

/**
 * The applications installed: on macOS the bundles in the folders for them, elsewhere those of the desktop entries in XDG_DATA_HOME and XDG_DATA_DIRS (the Desktop Menu and Desktop
 * Entry Specifications): the first entry of an id wins, a hidden one removes it, one whose program is not installed is
 * left out.
 */
export class ApplicationCatalogue {
  readonly applications: readonly CatalogueApplication[];
  readonly #path: string;
  readonly #where: string;
  /** Desktop entries of which a program is not on PATH. */
  readonly #without: { readonly entry: DesktopEntry; readonly program: string }[] = [];

  /** @param bundles The applications of macOS; default: those of this machine where it is one. */
  constructor(
    environment: Readonly<Record<string, string | undefined>>,
    bundles: readonly CatalogueApplication[] | undefined = process.platform === "darwin"
      ? bundlesOf(environment)
      : undefined,
  ) {
    this.#path = environment["PATH"] ?? "";
    this.#where = bundles !== undefined
      ? "Give its bundle id, or its name as in the folder Applications."
      : "Give the id or name of its desktop entry (see /usr/share/applications), or its program on PATH.";
    const found = [...bundles ?? this.#entries(environment)];
    this.applications = found.sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  }

  /**
   * The application of an id ("org.gnome.Calculator", "com.apple.Safari"), a name ("Calculator", in any case) or a program on PATH
   * ("gtk3-widget-factory"). Throws `invalid` (empty, or a name that several have) or `app_not_found`.
   */
  find(wanted: string): CatalogueApplication {
    const id = wanted.trim().replace(/\.desktop$/, "");
    if (id === "") throw new BackstepError("invalid", "Invalid parameter: the application's id is empty");
    const found = this.#lookUp(id) ?? this.#program(id);
    if (found !== undefined) return found;
    const near = closest(id, this.applications.flatMap((one) => [one.id, one.name, one.executable]));
    throw new BackstepError("app_not_found", `Application not found: ${id.slice(0, 200)}`, {
      hint: this.#lacks(id) ?? (near.length > 0 ? `Did you mean ${near.join(" or ")}?` : this.#where),
      details: { near },
    });
  }

  /** What an application that has a desktop entry lacks. */
  #lacks(wanted: string): string | undefined {
    const lower = wanted.toLowerCase();
    const found = this.#without.find(({ entry, program }) =>
      [entry.id, entry.name, entry.plainName, program].some((one) => one.toLowerCase() === lower)
    );
    if (found === undefined) return undefined;
    const program = JSON.stringify(found.program);
    return `Its desktop entry ${found.entry.file} runs ${program}, which is not on PATH: install it, add its folder to ` +
      "PATH, or launch it by its path.";
  }

  /**
   * The application that a program belongs to, by its executable's name; entries shown in menus first, and of those the one
   * that starts it with nothing else: "libreoffice" is its start centre, not "libreoffice --calc".
   */
  ofProgram(executable: string): CatalogueApplication | undefined {
    const name = basename(executable);
    const owners = this.applications.filter((one) => one.executable === name);
    const shown = owners.filter((one) => !one.entry?.noDisplay);
    return shown.find(({ command }) => command.at(-1) === command[0]) ?? shown[0] ?? owners[0];
  }

  #lookUp(wanted: string): CatalogueApplication | undefined {
    const lower = wanted.toLowerCase();
    const byId = this.applications.find((one) => one.id === wanted) ??
      this.applications.find((one) => one.id.toLowerCase() === lower);
    if (byId !== undefined) return byId;
    const named = this.applications.filter((one) => {
      return one.name.toLowerCase() === lower || one.entry?.plainName.toLowerCase() === lower;
    });
    // An application has entries for the kinds of files that it opens, which menus do not show; of those that they do,
    // one may have the word in its id: "okular" is "org.kde.okular".
    const shown = named.filter((one) => !one.entry?.noDisplay);
    const own = (shown.length > 0 ? shown : named).filter((one) => lastPart(one.id) === lower);
    const [meant] = shown.length === 1 ? shown : own.length === 1 ? own : [];
    if (meant !== undefined) return meant;
    if (named.length > 1) {
      const ids = [...shown, ...named.filter((one) => !shown.includes(one))].map((one) => one.id);
      throw new BackstepError("invalid", `Invalid parameter: "${wanted}" names ${ids.length} applications`, {
        hint: `Say which: ${ids.slice(0, 8).join(", ")}`,
        details: { ids: ids.slice(0, 8) },
      });
    }
    return named[0] ?? this.ofProgram(wanted.includes("/") ? "" : wanted);
  }

  #program(name: string): CatalogueApplication | undefined {
    const file = findProgram(name, this.#path);
    if (file === undefined) return undefined;
    const executable = basename(file);
    return { id: executable, name: executable, executable, entry: undefined, command: [file] };
  }

  #entries(environment: Readonly<Record<string, string | undefined>>): CatalogueApplication[] {
    const locale = environment["LC_ALL"] || environment["LC_MESSAGES"] || environment["LANG"] || "C";
    const seen = new Set<string>();
    const found: CatalogueApplication[] = [];
    for (const folder of dataFolders(environment)) {
      for (const file of entryFiles(join(folder, "applications"))) {
        const id = relative(join(folder, "applications"), file).replaceAll("/", "-").slice(
          0,
          -".desktop".length,
        );
        if (seen.has(id)) continue;
        seen.add(id);
        const text = readEntry(file);
        const entry = text === undefined ? undefined : parseDesktopEntry(text, { id, file }, locale);
        const application = entry && this.#launchable(entry);
        if (application) found.push(application);
      }
    }
    return found;
  }

  #launchable(entry: DesktopEntry): CatalogueApplication | undefined {
    if (entry.hidden) return undefined;
    const command = parseExec(entry.exec, entry);
    if (command === undefined) return undefined;
    const tried = entry.tryExec === "" ? [] : [entry.tryExec];
    const program = [...tried, command[0] ?? ""].find((one) => findProgram(one, this.#path) === undefined);
    if (program !== undefined) {
      this.#without.push({ entry, program });
      return undefined;
    }
    return { id: entry.id, name: entry.name, executable: executableOf(command), entry, command };
  }
}

/** "okular" of "org.kde.okular". */
function lastPart(id: string): string {
  return id.slice(id.lastIndexOf(".") + 1).toLowerCase();
}

/** The program that a command line runs in the end: `env A=1 gedit` runs gedit. */
function executableOf(command: readonly string[]): string {
  const program = basename(command[0] ?? "");
  if (program !== "env") return program;
  const inner = command.slice(1).find((word) => !word.includes("=") && !word.startsWith("-"));
  return basename(inner ?? program);
}

function dataFolders(environment: Readonly<Record<string, string | undefined>>): string[] {
  const home = environment["XDG_DATA_HOME"] || join(environment["HOME"] ?? "/", ".local/share");
  const system = environment["XDG_DATA_DIRS"] || "/usr/local/share:/usr/share";
  return [home, ...system.split(":").filter((folder) => folder.startsWith("/"))];
}

function entryFiles(folder: string): string[] {
  const names = unlessUnreadable(() => readdirSync(folder, { recursive: true, encoding: "utf8" })) ?? [];
  return names.filter((name) => name.endsWith(".desktop")).sort().map((name) => join(folder, name));
}

/** The text of an entry's file; undefined for a link to nowhere, a folder, or what is not ours to read. */
function readEntry(file: string): string | undefined {
  return unlessUnreadable(() => readFileSync(file, "utf8"));
}
