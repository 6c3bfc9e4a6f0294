import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse, type PlistValue } from "plist";
import type { CatalogueApplication } from "../catalogue-application.ts";
import { unlessUnreadable } from "../unless-unreadable.ts";

/** Where macOS keeps applications; folders in them (Utilities) are looked into as well. */
const FOLDERS = ["/Applications", "/System/Applications", "/System/Library/CoreServices"] as const;
/** Folders inside of folders: "/Applications/Vendor/Suite/Program.app". */
const DEPTH = 3;

/**
 * The applications of macOS: what lies in the folders for them, and in `Applications` of HOME. Of two with one bundle id, the
 * user's own counts, then that of /Applications. A bundle without a readable `Info.plist`, an id or a program is none.
 *
 * Source: Apple, "Bundle Programming Guide": an application is a folder `NAME.app` with `Contents/Info.plist`.
 */
export function bundlesOf(
  environment: Readonly<Record<string, string | undefined>>,
  folders: readonly string[] = FOLDERS,
): CatalogueApplication[] {
  const home = environment["HOME"];
  const places = [...(home === undefined ? [] : [join(home, "Applications")]), ...folders];
  const found = new Map<string, CatalogueApplication>();
  for (const place of places) {
    for (const bundle of bundlesIn(place, DEPTH)) {
      const application = bundleAt(bundle);
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

function bundleAt(bundle: string): CatalogueApplication | undefined {
  const file = join(bundle, "Contents/Info.plist");
  const bytes = unlessUnreadable(() => readFileSync(file));
  const facts = bytes === undefined ? undefined : factsOf(bytes);
  const id = textOf(facts?.["CFBundleIdentifier"]), executable = textOf(facts?.["CFBundleExecutable"]);
  if (id === undefined || executable === undefined) return undefined;
  const name = textOf(facts?.["CFBundleDisplayName"]) ?? textOf(facts?.["CFBundleName"]) ??
    basename(bundle, ".app");
  return { id, name, executable, entry: undefined, command: ["/usr/bin/open", "-a", bundle] };
}

/** What a property list says, as XML or binary; undefined: it is damaged, or no dictionary. */
function factsOf(bytes: Uint8Array): Readonly<Record<string, PlistValue>> | undefined {
  try {
    const isBinary = new TextDecoder().decode(bytes.subarray(0, 6)) === "bplist";
    const value = parse(isBinary ? new Uint8Array(bytes) : new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) &&
        !(value instanceof Date) && !(value instanceof Uint8Array)
      ? value
      : undefined;
  } catch {
    // One damaged bundle must not take away all applications.
    return undefined;
  }
}

function textOf(value: PlistValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
