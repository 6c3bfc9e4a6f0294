/**
 * Every test, or those in the files that are named: `deno task test [file…]`. Test files run at once, as threads of one
 * process; those that load the native core run after them, one after another, since it serves one thread of a process.
 *
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

const LOADS_THE_CORE =
  /\b(connectNative|openNative|verifyActs)\(|Core\.open\(|openSession\(\{ kind: "(isolated|attach)"/;

/** The files of `tests/` that load the native core in this process, by what they call. */
export function testsThatLoadTheCore(root: URL): string[] {
  return readdirSync(new URL("tests", root))
    .filter((name) => name.endsWith("_test.ts"))
    .filter((name) => LOADS_THE_CORE.test(readFileSync(new URL(`tests/${name}`, root), "utf8")))
    .map((name) => `tests/${name}`)
    .sort();
}

async function run(options: readonly string[]): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), { args: ["test", "-A", ...options] }).spawn();
  return (await child.status).code;
}

async function main(named: readonly string[]): Promise<number> {
  const apart = testsThatLoadTheCore(new URL("..", import.meta.url));
  const together = named.filter((file) => !apart.includes(file));
  const alone = named.length === 0 ? apart : named.filter((file) => apart.includes(file));
  const codes: number[] = [];
  // Beside paths of its own, `deno test` 2.9.5 overlooks --ignore: a whole run names none.
  if (named.length === 0) codes.push(await run(["--parallel", `--ignore=${apart.join(",")}`]));
  else if (together.length > 0) codes.push(await run(["--parallel", ...together]));
  if (alone.length > 0) codes.push(await run(alone));
  return codes.find((code) => code !== 0) ?? 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
