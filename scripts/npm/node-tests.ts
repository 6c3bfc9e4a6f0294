/** The project's own unit tests on Node: see USAGE. */
import { spawn } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { emit, PRODUCT } from "./emit.ts";
import { type Runtime, runtimes, runtimesMissing } from "./runtimes.ts";
import { sameSources } from "./same.ts";
import { optionsOf } from "../options.ts";

const USAGE =
  `deno run -A scripts/npm/node-tests.ts [--only 22|24] [--into FOLDER] [--like FOLDER] [src/FOLDER…]

Emits \`src\` with its tests, and runs them with \`node --test\` over a \`Deno.test\` of four lines. Prints what failed, and as its
last line for each Node: \`node 24: 1825 passed, 3 skipped, 0 failed\`. Ends with 1 where one failed, or fewer passed than there
are. What cannot run there is listed with its reason, and that is checked: what passes is not listed.

  --into   a folder that stays
  --like   the installed package: what is tested must have the very bytes of its src
  --only   one version of Node`;

/** Passed tests of a whole run, at least. */
const FEWEST = 1_800;
/** Milliseconds that all of them may take on one Node. */
const LONGEST = 1_800_000;

const ROOT = new URL("../../", import.meta.url);
/** What tests read beside `src`. */
const READ_BY_TESTS = [
  "baselines",
  "deno.json",
  "docs",
  "native",
  "schema",
  "tests/fixtures",
  "tests/published-tools.json",
  "workflows",
];
/** What they import from elsewhere, and the suite of the adapters. */
const MORE = ["scripts/histories", "scripts/matrix", "scripts/words", "tests/ffi_test.ts"];

const SOURCES = "it reads the TypeScript sources, which are the same here";

/** Tests that cannot run from what was emitted, by their names, and why. */
const CANNOT: ReadonlyMap<string, string> = new Map([
  ["nothing but terminal.ts writes to the process' streams, so that none can forget what it does", SOURCES],
  ["every test that the threat model names is there", SOURCES],
  ["a tool is one file in the folder of its toolset, and one line of the list", SOURCES],
]);

const TestLine = z.object({
  file: z.string(),
  name: z.string(),
  status: z.enum(["passed", "failed", "skipped"]),
  error: z.string().optional(),
});
type TestLine = z.infer<typeof TestLine>;

/** Emits `src` with its tests into a folder, beside what the tests read. */
export function emitTests(folder: string): string {
  const { tree } = emit({ folder, tests: true, roots: [...PRODUCT, ...MORE] });
  mkdirSync(join(tree, "tests"), { recursive: true });
  for (const name of READ_BY_TESTS) {
    symlinkSync(fileURLToPath(new URL(name, ROOT)), join(tree, name));
  }
  return tree;
}

/**
 * Runs test files of an emitted tree; answers a line for each test, also for those of which Node says nothing. Node loses the last
 * quick tests of a file when it is to end it: such files run once more, and may end by themselves.
 */
export async function runTests(
  runtime: Runtime,
  tree: string,
  files: readonly string[],
): Promise<TestLine[]> {
  const { lines, lost } = await runOnce(runtime, tree, files, ["--test-force-exit"]);
  if (lost.length === 0) return lines;
  const incomplete = new Set(lost.map(({ file }) => resolve(tree, file)));
  const again = await runOnce(runtime, tree, [...incomplete].sort(), []);
  return [
    ...lines.filter(({ file }) => !incomplete.has(resolve(tree, file))),
    ...again.lines,
    ...again.lost,
  ];
}

/** What Node says of each test, and the tests that it says nothing of. */
async function runOnce(
  { program }: Runtime,
  tree: string,
  files: readonly string[],
  more: readonly string[],
): Promise<{ lines: TestLine[]; lost: TestLine[] }> {
  const noted = mkdtempSync(join(tmpdir(), "backstep-node-tests-")), register = join(noted, "registered");
  const script = (name: string) => new URL(`node/${name}`, import.meta.url).href;
  const args = [
    `--import=${script("deno-test.ts")}`,
    "--test",
    ...more,
    "--test-concurrency=2",
    `--test-reporter=${script("reporter.ts")}`,
    "--test-reporter-destination=stdout",
  ];
  const child = spawn(program, [...args, ...files], {
    cwd: tree,
    stdio: ["ignore", "pipe", "inherit"],
    timeout: LONGEST,
    env: { ...process.env, NODE_NO_WARNINGS: "1", BACKSTEP_TESTS_REGISTERED: register },
  });
  const over = new Promise<void>((done, reject) => {
    child.on("error", reject);
    child.on("close", () => done());
  });
  try {
    const lines: TestLine[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(TestLine.parse(JSON.parse(line)));
    }
    await over;
    const registered = existsSync(register) ? readFileSync(register, "utf8").trimEnd().split("\n") : [];
    return { lines, lost: unreported(registered, lines) };
  } finally {
    rmSync(noted, { recursive: true });
  }
}

/** A failed test for each that was registered and not reported. */
function unreported(registered: readonly string[], lines: readonly TestLine[]): TestLine[] {
  const reported = new Set(lines.map(({ file, name }) => `${file}\t${name}`));
  return registered.filter((test) => !reported.has(test)).map((test) => {
    const [file = "", ...name] = test.split("\t");
    return { file, name: name.join("\t"), status: "failed", error: "Node said nothing of it" };
  });
}

async function main(): Promise<number> {
  const { values, positionals } = optionsOf(USAGE, {
    allowPositionals: true,
    options: { only: { type: "string" }, into: { type: "string" }, like: { type: "string" } },
  });
  if (runtimesMissing !== undefined) throw new Error(`Cannot run the tests on Node: ${runtimesMissing}`);
  const folder = values.into ?? mkdtempSync(join(tmpdir(), "backstep-node-tests-"));
  try {
    const tree = emitTests(folder);
    if (values.like !== undefined) {
      console.log(`the same as in the package: ${sameSources(tree, resolve(values.like))} files of src`);
    }
    const wanted = positionals.length > 0 ? positionals : ["src"];
    const files = wanted.flatMap((path) =>
      path.endsWith(".ts") ? [path.replace(/\.ts$/, ".js")] : globSync(`${path}/**/*_test.js`, { cwd: tree })
    ).sort();
    const nodes = runtimes.filter(({ name }) =>
      name.startsWith("node") && (values.only === undefined || name.endsWith(values.only))
    );
    // Side by side: a test waits more than it computes.
    const ran = await Promise.all(
      nodes.map(async (runtime) => ({ runtime, lines: await runTests(runtime, tree, files) })),
    );
    let code = 0;
    for (const { runtime, lines } of ran) {
      const silent = files.filter((file) =>
        !lines.some((line) => resolve(tree, line.file) === join(tree, file))
      );
      for (const file of silent) {
        lines.push({ file, name: "(the whole file)", status: "failed", error: "it reported no test" });
      }
      code = Math.max(code, report(runtime, tree, lines, positionals.length === 0));
    }
    return code;
  } finally {
    if (values.into === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints what one Node came to; answers the exit code. */
function report({ name }: Runtime, tree: string, lines: readonly TestLine[], whole: boolean): number {
  const nameOf = ({ file }: TestLine) => relative(tree, resolve(tree, file)).replace(/\.js$/, ".ts");
  const unable = lines.filter((line) => line.status === "failed" && CANNOT.has(line.name));
  const failed = lines.filter((line) => line.status === "failed" && !unable.includes(line));
  const count = (status: TestLine["status"]) => lines.filter((line) => line.status === status).length;
  for (const line of failed) {
    console.log(`failed on ${name}: ${nameOf(line)}: ${line.name}\n${line.error ?? ""}\n`);
  }
  let code = failed.length > 0 ? 1 : 0;
  for (const [test, why] of CANNOT) {
    const line = unable.find((one) => one.name === test);
    if (line !== undefined) console.log(`cannot run on ${name}: ${nameOf(line)}: ${test}: ${why}`);
    else if (whole) {
      console.log(`"${test}" runs on ${name}, or is no more: take it from the list of what cannot`);
      code = 1;
    }
  }
  if (whole && count("passed") < FEWEST) {
    console.log(`there are at least ${FEWEST} tests`);
    code = 1;
  }
  console.log(
    `${name}: ${count("passed")} passed, ${
      count("skipped")
    } skipped, ${unable.length} cannot run there, ${failed.length} failed`,
  );
  return code;
}

if (import.meta.main) process.exitCode = await main();
