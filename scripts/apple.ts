/**
 * Holds together what the macOS core is compiled and linked with: the declarations in native/macos/apple, the stubs in
 * native/macos/tbd that are made from them.
 *
 * `--write` writes the stubs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { declarations, LIBRARIES, stubOf } from "./apple/headers.ts";

const root = resolve(import.meta.dirname ?? ".", "..");
const write = process.argv.includes("--write");
const faults: string[] = [];
for (const [library, declared] of declarations(root)) {
  const file = join(root, "native/macos/tbd", `${LIBRARIES[library]?.stub}.tbd`);
  const text = stubOf(library, declared);
  if (write) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    faults.push(`${file} is stale: deno run -A scripts/apple.ts --write`);
  }
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
