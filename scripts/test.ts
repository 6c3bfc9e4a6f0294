/**
 * Every test, or those in the files that are named: `deno task test [file…]`. Test files run at once, as threads of one
 * process; those that load the native core run after them, two at once in processes of their own, since it serves one
 * thread of a process.
 * Files that failed run once more, alone: what passes then is reported as flaky, by name (docs/decisions/0013).
 * The last line counts: `tests: 1425 passed, 1 flaky, 0 failed`.
 *
 * @module
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const LOADS_THE_CORE =
  /\b(?:Matrix|Stage|Desk)\.open\(|\bMatrixRun\.on\(|\b(?:onToolkit|connectNative|openNative|verifyActs|playMany)\(|Core\.open\(|openSession\(\{ kind: "(?:isolated|attach)"/;

/** The files of `tests/` that load the native core in this process, by what they call. */
export function testsThatLoadTheCore(root: URL): string[] {
  return readdirSync(new URL("tests", root))
    .filter((name) => name.endsWith("_test.ts"))
    .filter((name) => LOADS_THE_CORE.test(readFileSync(new URL(`tests/${name}`, root), "utf8")))
    .map((name) => `tests/${name}`)
    .sort();
}

/** Compiles and runs the core's own suites: minutes on one processor, which the real desktops beside it leave idle. */
const LONGEST = "tests/native_core_test.ts";

/** More than this that fails is no coincidence: it is not tried again. */
const MAY_BE_FLAKY = 3;

/** What one run of `deno test` came to. */
export interface Outcome {
  /** Deno's own: 0 where all passed. */
  readonly code: number;
  readonly passed: number;
  readonly failed: number;
  /** The tests that failed, as "file: name". A file that could not be loaded has none. */
  readonly failures: readonly { readonly file: string; readonly name: string }[];
}

function plain(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll(
    "&apos;",
    "'",
  )
    .replaceAll("&amp;", "&");
}

/**
 * The file of a test: JUnit names the one that calls `Deno.test`, which may be a helper. Then it is the one that the test
 * was told under, "" where nobody can say.
 */
function fileOf(name: string, file: string, output: string): string {
  if (file.endsWith("_test.ts")) return file;
  const at = (text: string) => text.split("\n").some((line) => line.startsWith(`${name} ...`));
  const told = output.split(/^running \d+ tests? from /m).slice(1).find(at);
  return told?.split("\n")[0] ?? "";
}

/** Reads what `deno test` said last on its output, and its JUnit file, which knows the files. */
export function outcomeOf(code: number, output: string, junit: string): Outcome {
  // deno-lint-ignore no-control-regex -- the colours of a terminal
  const text = output.replace(/\x1b\[[0-9;]*m/g, "");
  const lines = text.matchAll(
    /^(?:ok|FAILED) \| (\d+) passed.* \| (\d+) failed/gm,
  );
  const [, passed = "0", failed = "0"] = [...lines].at(-1) ?? [];
  const failures: { file: string; name: string }[] = [];
  for (
    const [, name = "", file = "", inside = ""] of junit.matchAll(
      /<testcase name="([^"]*)" classname="([^"]*)"[^>]*>([^]*?)<\/testcase>/g,
    )
  ) {
    if (/<(failure|error)\b/.test(inside)) {
      failures.push({ file: fileOf(plain(name), plain(file), text), name: plain(name) });
    }
  }
  return { code, passed: Number(passed), failed: Number(failed), failures };
}

/** The files to try again; none where that would hide what is broken. */
export function worthAnotherTry(outcome: Outcome): string[] {
  const whole = outcome.failures.filter(({ name }) => !name.includes(" > "));
  if (outcome.code === 0 || outcome.failed === 0 || outcome.failed > MAY_BE_FLAKY) return [];
  // A file that could not be loaded, or a process that died: not all that failed is known by name.
  if (whole.length !== outcome.failed || whole.some(({ file }) => file === "")) return [];
  return [...new Set(whole.map(({ file }) => file.replace(/^\.\//, "")))];
}

/** Hands on what it reads as it comes, unless it is to be told whole at the end, and keeps it. */
async function tee(from: ReadableStream<Uint8Array>, whole: boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of from) {
    if (!whole) process.stdout.write(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  if (whole) process.stdout.write(text);
  return text;
}

/** Runs `deno test`; `whole` where others print beside it. */
async function run(options: readonly string[], { whole = false } = {}): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-test-"));
  try {
    const junit = join(folder, "junit.xml");
    const colour = process.stdout.isTTY && process.env["NO_COLOR"] === undefined ? { FORCE_COLOR: "1" } : {};
    const child = new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", `--junit-path=${junit}`, ...options],
      stdout: "piped",
      env: colour,
    }).spawn();
    const [output, { code }] = await Promise.all([tee(child.stdout, whole), child.status]);
    return outcomeOf(code, output, existsSync(junit) ? readFileSync(junit, "utf8") : "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Files on real desktops that run at once, each as a process of its own: they wait more than they compute. */
const LANES = 2;

/** Each file by itself, `LANES` at once. */
async function inLanes(files: readonly string[]): Promise<Outcome> {
  const left = [...files];
  const outcomes: Outcome[] = [];
  const lane = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      outcomes.push(await run([file], { whole: true }));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return {
    code: outcomes.find(({ code }) => code !== 0)?.code ?? 0,
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
}

async function main(named: readonly string[]): Promise<number> {
  const apart = [LONGEST, ...testsThatLoadTheCore(new URL("..", import.meta.url))];
  const together = named.filter((file) => !apart.includes(file));
  const alone = named.length === 0 ? apart : named.filter((file) => apart.includes(file));
  const outcomes: Outcome[] = [];
  // Beside paths of its own, `deno test` 2.9.5 overlooks --ignore: a whole run names none.
  if (named.length === 0) outcomes.push(await run(["--parallel", `--ignore=${apart.join(",")}`]));
  else if (together.length > 0) outcomes.push(await run(["--parallel", ...together]));
  if (alone.length > 0) outcomes.push(await inLanes(alone));

  let passed = 0, failed = 0, flaky = 0, code = 0;
  for (const outcome of outcomes) {
    passed += outcome.passed;
    const files = worthAnotherTry(outcome);
    const again = files.length === 0 ? undefined : await run(files);
    if (again?.code === 0 && again.passed >= outcome.failed) {
      flaky += outcome.failed;
      for (const { file, name } of outcome.failures) {
        console.log(`flaky: ${file}: ${name}: failed, then passed`);
      }
    } else {
      failed += outcome.failed;
      code ||= outcome.code;
    }
  }
  console.log(`tests: ${passed} passed, ${flaky} flaky, ${failed} failed`);
  return code;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
