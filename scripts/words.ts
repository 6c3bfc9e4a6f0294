/**
 * Checks the words of the project: names of identifiers and files, and phrases in texts, comments and Markdown. A name or
 * phrase that `scripts/words/rules.ts` forbids is printed with its place and with what to say. Markdown wraps at 120.
 *
 * Run by `deno task ok`; exits 1 when it finds something. `--wrap` wraps the Markdown first.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { faultsInCode, faultsInName } from "./words/code.ts";
import { faultsInPage, faultsInText } from "./words/pages.ts";
import { unusedExceptions } from "./words/exceptions.ts";
import { wrapped } from "./words/wrap.ts";

const root = resolve(import.meta.dirname ?? ".", "..");
const CODE = /^(?:src|scripts|tests)\/.*\.(?:ts|js|mjs)$|^(?:mod|bin)\.ts$/;
const PAGES = /^(?:docs\/.*|[A-Z]+)\.md$/;
/** What else people read. */
const OTHERS = /^(?:deno\.json|package\.json|workflows\/.*\.ya?ml|tools\/[^/]+\.sh|\.ci\/run)$/;
/** The rules themselves hold what they forbid. */
const OWN = /^scripts\/words/;

/** Every file that git knows, or would add. */
function trackedFiles(): string[] {
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  return stdout.split("\n").filter((file) => file !== "" && !OWN.test(file));
}

/** What is wrong in all of the files, as `file:line: what`. */
export function check(files: readonly string[], read: (file: string) => string | undefined): string[] {
  return files.flatMap((file) => {
    const names = faultsInName(file);
    const judge = CODE.test(file) ? faultsInCode : PAGES.test(file) ? faultsInPage : faultsInText;
    if (judge === faultsInText && !OTHERS.test(file)) return names;
    const text = read(file);
    return text === undefined ? [] : [...names, ...judge(file, text)];
  });
}

/** Undefined for a file that was removed and not committed yet. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const files = trackedFiles();
  for (const file of process.argv.includes("--wrap") ? files.filter((one) => PAGES.test(one)) : []) {
    const page = textOf(file);
    if (page !== undefined && wrapped(page) !== page) writeFileSync(join(root, file), wrapped(page));
  }
  const faults = [...check(files, textOf), ...unusedExceptions()];
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
