/**
 * Holds together what the macOS core is compiled and linked with: the declarations in native/macos/apple, the stubs in
 * native/macos/tbd that are made from them, the symbols that the built library asks for, Debian's Rust crates
 * (CoreFoundation, CoreGraphics), and docs/reference/macos-constants.md (accessibility, with its sources).
 *
 * `--write` writes the stubs. The last line says what was compared; what is not there (the crates, a built library) is
 * named as skipped.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { compareWithCrates } from "./apple/crates.ts";
import { constantsOf, namesOf, tableOf } from "./apple/constants.ts";
import { declarations, LIBRARIES, stubOf } from "./apple/headers.ts";

const root = resolve(import.meta.dirname ?? ".", "..");
const PAGE = "docs/reference/macos-constants.md";
const write = process.argv.includes("--write");
const faults: string[] = [], said: string[] = [];

const declared = declarations(root);
for (const [library, list] of declared) {
  const file = join("native/macos/tbd", `${LIBRARIES[library]?.stub}.tbd`);
  const text = stubOf(library, list);
  if (write) writeFileSync(join(root, file), text);
  else if (readFileSync(join(root, file), "utf8") !== text) {
    faults.push(`${file} is stale: deno run -A scripts/apple.ts --write`);
  }
}
const all = [...declared.values()].flat();

const constants = constantsOf(root);
const crates = compareWithCrates(
  constants,
  new Map(all.filter((one) => one.kind === "function").map((one) => [one.name, one.declaration])),
);
if (crates === undefined) said.push("the crates skipped (tools/setup.sh --macos)");
else faults.push(...crates.faults), said.push(`${crates.compared} as in Debian's crates`);

const table = tableOf(readFileSync(join(root, PAGE), "utf8"));
for (const [name, value] of constants) {
  if (!/^kAX(Error|ValueType|Copy)/.test(name)) continue;
  const listed = table.numbers.get(name);
  if (listed === undefined) faults.push(`${PAGE}: has no row for ${name}`);
  else if (listed !== value) {
    faults.push(`${PAGE}: ${name} is ${listed}, and ${value} in native/macos/apple/ax.h`);
  }
}
const names = namesOf(root);
for (const name of names) if (!table.names.has(name)) faults.push(`${PAGE}: does not name ${name}`);
for (const name of table.names) {
  if (!names.has(name)) faults.push(`${PAGE}: names ${name}, which ax_names.h has not`);
}
said.push(`${table.numbers.size} numbers and ${table.names.size} names of accessibility as on the page`);

/** What the built libraries ask the frameworks for: each is declared, and in its stub. */
const slices = ["arm64", "x86_64"].map((arch) => join(root, "native/build/macos", arch, "libbackstep.dylib"));
if (slices.every(existsSync)) {
  const headers = new Set(all.map((one) => one.name)), used = new Set<string>();
  for (const slice of slices) {
    const bound = execFileSync("llvm-objdump", ["--macho", "--bind", "--lazy-bind", slice], {
      encoding: "utf8",
    });
    for (const line of bound.split("\n")) {
      const [, library, symbol] =
        /\s(CoreFoundation|ApplicationServices|CoreGraphics|libobjc)\S*\s+_(\w+)$/.exec(line) ?? [];
      if (symbol === undefined || library === undefined) continue;
      used.add(symbol);
      const compiler =
        /^(__objc_personality_v0|OBJC_EHTYPE_id|objc_(begin|end)_catch|objc_terminate|objc_exception_\w+)$/;
      if (!headers.has(symbol) && !compiler.test(symbol)) {
        faults.push(`${slice} asks ${library} for ${symbol}, which no header declares`);
      }
    }
  }
  if (used.size < 50) faults.push(`only ${used.size} symbols of frameworks were found in the built library`);
  said.push(`${used.size} symbols used of ${headers.size} declared`);
} else said.push("used symbols skipped (make -C native macos)");

for (const fault of faults) console.error(fault);
console.log(`apple: ${said.join("; ")}`);
process.exitCode = faults.length === 0 ? 0 : 1;
