/**
 * Which C file of the core calls which: `bs_` and `backstep_` functions that one defines and another names. Files that
 * call each other in a circle are a fault, and so are headers that include each other. A call that may go the wrong way is
 * listed with its reason; a line of the list that no circle needs any more is a fault too.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { circlesOf } from "./circles.ts";

/** Calls that may go against the order of the files. */
export interface Against {
  readonly from: RegExp;
  readonly to: RegExp;
  readonly why: string;
}

export const AGAINST: readonly Against[] = [
  { from: /\/x11\.c$/, to: /\/x11_/, why: "it hands each operation on the display to the file that does it" },
  {
    from: /\/op\.c$/,
    to: /\/(acts|apps|connect|find|if_same|places|point|roles|snapshot)\.c$/,
    why: "it starts each operation in the file that does it",
  },
  {
    from: /\/op\.c$/,
    to: /\/peer\.c$/,
    why: "an operation that gets no answer tells what it learnt of the application",
  },
  { from: /^src\/core\.c$/, to: /\/io\.c$/, why: "the common part calls the platform's part through core.h" },
  { from: /\/display\.c$/, to: /\/io\.c$/, why: "a display thread wakes the I/O thread, which owns it" },
  {
    from: /\/x11_keymap\.c$/,
    to: /\/x11_keys\.c$/,
    why: "a keycode that is lent is pressed to prove its map",
  },
  {
    from: /\/(fields|lazy|mirror_walk|walk)\.c$/,
    to: /\/snapshot\.c$/,
    why: "bs_want: which fields are asked for is the snapshot's",
  },
  {
    from: /\/strategy\.c$/,
    to: /\/snapshot\.c$/,
    why: "a strategy that found out more has the snapshot go on",
  },
  { from: /\/fields\.c$/, to: /\/walk\.c$/, why: "the children of an element are one of its answers" },
  { from: /\/fields\.c$/, to: /\/collection\.c$/, why: "places come with a collection where there is one" },
  { from: /\/lazy\.c$/, to: /\/walk\.c$/, why: "children that are asked for late are walked then" },
  { from: /\/mirror_walk\.c$/, to: /\/walk\.c$/, why: "a tree from the mirror is walked like any other" },
  {
    from: /\/mirror_events\.c$/,
    to: /\/mirror\.c$/,
    why: "an event says at once that a mirror does not stand",
  },
  { from: /\/peer\.c$/, to: /\/mirror\.c$/, why: "an application owns its mirror and frees it" },
  {
    from: /\/registry\.c$/,
    to: /\/connect\.c$/,
    why: "a new registry is asked for the events of the connection",
  },
];

/** Folders whose files may call each other in one direction only. */
const FOLDERS = ["src", "linux"];
/** A function that other files can call: its definition begins a line, and is not static. */
const DEFINED = /^(?!static\b)[a-z_][\w *]*?\b((?:bs|backstep)_\w+)\([^;{]*\) *\{/gm;
const USED = /\b(?:bs|backstep)_\w+\b/g;
const INCLUDED = /^#include "([^"]+)"/gm;

/** A text without comments and strings, at the same places. */
function codeOf(text: string): string {
  return text.replace(
    /\/\*[^]*?\*\/|\/\/[^\n]*|(?<!#include )"(?:[^"\\\n]|\\.)*"/g,
    (all) => all.replace(/[^\n]/g, " "),
  );
}

/** The files of C below `native`, named from there. */
function sources(native: string): Map<string, string> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(native, folder)).map((name) => `${folder}/${name}`)
  );
  return new Map(
    files.filter((file) => /\.[ch]$/.test(file)).map((
      file,
    ) => [file, codeOf(readFileSync(join(native, file), "utf8"))]),
  );
}

/** Who calls whom among the files, by the functions that they define and name. */
export function callsOf(files: ReadonlyMap<string, string>): Map<string, readonly string[]> {
  const owners = new Map<string, string>();
  for (const [file, text] of files) {
    if (file.endsWith(".c")) { for (const [, name = ""] of text.matchAll(DEFINED)) owners.set(name, file); }
  }
  return new Map(
    [...files].filter(([file]) => file.endsWith(".c")).map(([file, text]) => {
      const called = new Set([...text.matchAll(USED)].map(([name]) => owners.get(name) ?? file));
      called.delete(file);
      return [file, [...called].sort()];
    }),
  );
}

/** Which header includes which. */
export function includesOf(files: ReadonlyMap<string, string>): Map<string, readonly string[]> {
  const headers = [...files].filter(([file]) => file.endsWith(".h"));
  const named = (name: string) => headers.find(([file]) => file.endsWith(`/${name}`))?.[0] ?? name;
  return new Map(
    headers.map(([file, text]) => [file, [...text.matchAll(INCLUDED)].map(([, name = ""]) => named(name))]),
  );
}

/** The circles of a graph without the calls that may go against the order, and the lines of the list that none needs. */
export function nativeFaults(
  calls: ReadonlyMap<string, readonly string[]>,
  includes: ReadonlyMap<string, readonly string[]>,
  against = AGAINST,
): string[] {
  const without = (allowed: readonly Against[]) =>
    new Map(
      [...calls].map(([file, to]) => [
        file,
        to.filter((one) => !allowed.some((call) => call.from.test(file) && call.to.test(one))),
      ]),
    );
  const shown = (kind: string) => ([first = "", ...rest]: readonly string[]) =>
    `native/${first}:1: ${kind} itself in a circle: ${[first, ...rest, first].join(" -> ")}`;
  const circles = circlesOf(without(against));
  // While there is a circle, what another line is needed for cannot be said.
  const needless = against.filter((line) =>
    circles.length === 0 && circlesOf(without(against.filter((other) => other !== line))).length === 0
  );
  return [
    ...circles.map(shown("calls")),
    ...circlesOf(includes).map(shown("includes")),
    ...needless.map(({ from, to }) =>
      `scripts/boundaries/native.ts: no circle needs the calls from ${from.source} to ${to.source}: remove the line`
    ),
  ];
}

/** The faults of the native core, and how many files were read. */
export function nativeCore(native: string): { readonly faults: string[]; readonly files: number } {
  const files = sources(native);
  return { faults: nativeFaults(callsOf(files), includesOf(files)), files: files.size };
}
