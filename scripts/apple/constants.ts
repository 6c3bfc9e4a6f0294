/** Numbers and names in `native/macos/apple/*.h`, and what docs/reference/macos-constants.md says of them. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { numberOf } from "./crates.ts";

/** Every constant of our headers. */
export function constantsOf(root: string): Map<string, bigint> {
  const folder = join(root, "native/macos/apple"), found = new Map<string, bigint>();
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    for (const [, body = ""] of text.matchAll(/enum \{([^}]*)\}/g)) {
      for (const [, key = "", value = ""] of body.matchAll(/(k\w+)\s*=\s*([^,}]+)/g)) {
        const number = numberOf(value);
        if (number !== undefined) found.set(key, number);
      }
    }
    for (const [, key = "", value = ""] of text.matchAll(/^#define (kCG\w+) (\S+)$/gm)) {
      const number = numberOf(value);
      if (number !== undefined) found.set(key, number);
    }
  }
  return found;
}

/** The texts of ax_names.h. */
export function namesOf(root: string): Set<string> {
  const text = readFileSync(join(root, "native/macos/apple/ax_names.h"), "utf8");
  return new Set([...text.matchAll(/X\(\w+, "(AX\w+)"\)/g)].map(([, name = ""]) => name));
}

/** Rows "| `kAX…` | number | source |", and names in code spans of the other rows. */
export function tableOf(
  page: string,
): { readonly numbers: Map<string, bigint>; readonly names: Set<string> } {
  const numbers = new Map<string, bigint>(), names = new Set<string>();
  for (const line of page.split("\n")) {
    if (!line.startsWith("|")) continue;
    const [, name, value] = /^\| `(kAX\w+)` \| (-?\d+) \|/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) numbers.set(name, BigInt(value));
    else for (const [, text = ""] of line.matchAll(/`(AX\w+)`/g)) names.add(text);
  }
  return { numbers, names };
}
