import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Json } from "../../base/error.ts";
import { isMap, toJson } from "../../base/json.ts";
import type { CatalogueApplication } from "../catalogue-application.ts";
import { unlessUnreadable } from "../unless-unreadable.ts";

/** Where macOS keeps applications; folders in them (Utilities) are looked into as well. */
const FOLDERS = ["/Applications", "/System/Applications", "/System/Library/CoreServices"] as const;
/** Folders inside of folders: "/Applications/Vendor/Suite/Program.app". */
const DEPTH = 3;
/** Milliseconds that reading one property list may take. */
const ASKED = 2_000;

/** What is read of a property list. */
const KEYS = ["CFBundleIdentifier", "CFBundleExecutable", "CFBundleDisplayName", "CFBundleName"] as const;

/** Reads a property list, XML or binary, as JSON. */
export type ReadPlist = (file: string) => string;

/** Runs a program to its end and answers what it wrote; throws where it fails. */
export type RunProgram = (program: string, args: readonly string[]) => string;

/**
 * The applications of macOS: what lies in the folders for them, and in `Applications` of HOME. Of two with one bundle id, the
 * user's own counts, then that of /Applications. A bundle without a readable `Info.plist`, an id or a program is none.
 *
 * Source: Apple, "Bundle Programming Guide": an application is a folder `NAME.app` with `Contents/Info.plist`.
 */
export function bundlesOf(
  environment: Readonly<Record<string, string | undefined>>,
  folders: readonly string[] = FOLDERS,
  read: ReadPlist = plutil,
): CatalogueApplication[] {
  const home = environment["HOME"];
  const places = [...(home === undefined ? [] : [join(home, "Applications")]), ...folders];
  const found = new Map<string, CatalogueApplication>();
  for (const place of places) {
    for (const bundle of bundlesIn(place, DEPTH)) {
      const application = bundleAt(bundle, read);
      if (application !== undefined && !found.has(application.id)) found.set(application.id, application);
    }
  }
  return [...found.values()];
}

function bundlesIn(folder: string, depth: number): string[] {
  const names = unlessUnreadable(() => readdirSync(folder)) ?? [];
  return names.sort().flatMap((name) => {
    const path = join(folder, name);
    if (name.endsWith(".app")) return [path];
    return depth > 1 && !name.startsWith(".") && !name.includes(".") ? bundlesIn(path, depth - 1) : [];
  });
}

/** The application of one bundle, wherever it lies; undefined: it is none. */
export function bundleAt(bundle: string, read: ReadPlist = plutil): CatalogueApplication | undefined {
  const file = join(bundle, "Contents/Info.plist");
  const facts = existsSync(file) ? factsOf(file, read) : undefined;
  const id = textOf(facts?.["CFBundleIdentifier"]), executable = textOf(facts?.["CFBundleExecutable"]);
  if (id === undefined || executable === undefined) return undefined;
  const name = textOf(facts?.["CFBundleDisplayName"]) ?? textOf(facts?.["CFBundleName"]) ??
    basename(bundle, ".app");
  return { id, name, executable, entry: undefined, command: ["/usr/bin/open", "-a", bundle] };
}

/** What a property list says; undefined: it is damaged, or no dictionary. */
function factsOf(file: string, read: ReadPlist): { readonly [key: string]: Json } | undefined {
  try {
    const facts = toJson(JSON.parse(read(file)));
    return isMap(facts) ? facts : undefined;
  } catch {
    // One damaged bundle must not take away all applications.
    return undefined;
  }
}

/**
 * A property list as JSON, by the program that every macOS has for that. One that holds a date or bytes has no JSON: of such
 * a list the keys are asked for that are needed, those that it has.
 */
export function plutil(file: string, run: RunProgram = runProgram): string {
  const ask = (...args: string[]) =>
    unlessFailed(() => run("/usr/bin/plutil", [...args, "-o", "-", "--", file]));
  const whole = ask("-convert", "json");
  if (whole !== undefined) return whole;
  const facts = KEYS.flatMap((key) => {
    const value = ask("-extract", key, "raw");
    return value === undefined ? [] : [[key, value.replace(/\n$/, "")]];
  });
  return JSON.stringify(Object.fromEntries(facts));
}

/** plutil exits with 1 where a list has no JSON, or no such key, or is none at all. */
function unlessFailed(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "status" in error && error.status === 1) return undefined;
    throw error;
  }
}

function runProgram(program: string, args: readonly string[]): string {
  return execFileSync(program, [...args], {
    encoding: "utf8",
    timeout: ASKED,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
