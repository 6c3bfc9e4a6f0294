/** What `native/macos/apple/*.h` declares: functions and constants that the linker must find in a framework. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One declared symbol: as C names it, with its declaration in one line. */
export interface Declared {
  readonly name: string;
  readonly header: string;
  readonly declaration: string;
  readonly kind: "function" | "constant";
  /** Declared on x86-64 alone. */
  readonly intelOnly: boolean;
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "");

/** The declarations of one header's text. */
export function declaredIn(header: string, text: string): Declared[] {
  const found: Declared[] = [];
  let intelOnly = false;
  for (const line of withoutComments(text).split("\n")) {
    if (/^#if .*__x86_64__/.test(line)) intelOnly = true;
    else if (/^#endif/.test(line)) intelOnly = false;
    const constant = /^extern const .*?(\w+);$/.exec(line)?.[1];
    if (constant !== undefined) {
      found.push({ name: constant, header, declaration: line, kind: "constant", intelOnly });
    }
    if (/^(typedef|static|#|struct|enum)/.test(line)) continue;
    const called = /^[A-Za-z][\w ]*?[ *](\w+)\(.*\);$/.exec(line)?.[1];
    if (called !== undefined) {
      found.push({ name: called, header, declaration: line, kind: "function", intelOnly });
    }
  }
  return found;
}

/** Which stub has the symbols of a header. */
export const LIBRARIES: Readonly<Record<string, { readonly stub: string; readonly path: string }>> = {
  CoreFoundation: {
    stub: "CoreFoundation",
    path: "/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation",
  },
  ApplicationServices: {
    stub: "ApplicationServices",
    path: "/System/Library/Frameworks/ApplicationServices.framework/Versions/A/ApplicationServices",
  },
  CoreGraphics: {
    stub: "CoreGraphics",
    path: "/System/Library/Frameworks/CoreGraphics.framework/Versions/A/CoreGraphics",
  },
  libobjc: { stub: "libobjc", path: "/usr/lib/libobjc.A.dylib" },
};
const OF_HEADER: Readonly<Record<string, string>> = {
  "cf.h": "CoreFoundation",
  "runloop.h": "CoreFoundation",
  "ax.h": "ApplicationServices",
  "cg.h": "CoreGraphics",
  "cg_event.h": "CoreGraphics",
  "cg_window.h": "CoreGraphics",
  "objc.h": "libobjc",
};
/** What a compiler of Objective-C asks of the runtime, which no header says. */
const OF_COMPILER: readonly string[] = [
  "__objc_personality_v0",
  "OBJC_EHTYPE_id",
  "objc_begin_catch",
  "objc_end_catch",
  "objc_exception_rethrow",
  "objc_exception_throw",
  "objc_terminate",
];

/** Every declaration, by the stub that must have it. */
export function declarations(root: string): Map<string, Declared[]> {
  const all = new Map<string, Declared[]>();
  for (const [header, library] of Object.entries(OF_HEADER)) {
    const text = readFileSync(join(root, "native/macos/apple", header), "utf8");
    all.set(library, [...(all.get(library) ?? []), ...declaredIn(header, text)]);
  }
  return all;
}

/** The text of a stub: version 4 of the linker's text format. */
export function stubOf(library: string, declared: readonly Declared[]): string {
  const entry = LIBRARIES[library];
  if (entry === undefined) throw new Error(`no library is called ${library}`);
  const names = (wanted: readonly string[]) =>
    [...wanted].sort().map((name) => `      - _${name}`).join("\n");
  const both = [
    ...declared.filter((one) => !one.intelOnly).map((one) => one.name),
    ...(library === "libobjc" ? OF_COMPILER : []),
  ];
  const intel = declared.filter((one) => one.intelOnly).map((one) => one.name);
  return [
    "--- !tapi-tbd",
    "# Made by `deno run -A scripts/apple.ts --write` from native/macos/apple/*.h.",
    "tbd-version: 4",
    "targets: [x86_64-macos, arm64-macos]",
    `install-name: '${entry.path}'`,
    "exports:",
    "  - targets: [x86_64-macos, arm64-macos]",
    "    symbols:",
    names(both),
    ...(intel.length === 0 ? [] : ["  - targets: [x86_64-macos]", "    symbols:", names(intel)]),
    "...",
    "",
  ].join("\n");
}
