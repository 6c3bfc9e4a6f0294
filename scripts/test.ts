/**
 * Every test, or those in the files that are named: `deno task test [file…]`. Test files run at once, two for each
 * processor, as threads of one process; those that load the native core run after them, as many, in processes of their own,
 * since it serves one thread of a process.
 * Files that failed run once more, alone: what passes then is reported as flaky, by name (docs/decisions/0013).
 * Before the last line stand the files that took longest. The last line counts: `tests: 1425 passed, 1 flaky, 0 failed`.
 *
 * @module
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { testsOfTheirOwn } from "./test/files.ts";
import { type Outcome, outcomeOf, together, worthAnotherTry } from "./test/outcome.ts";
import { isBusy, keepTimes, tooLong, tooLongText } from "./test/times.ts";

/** How many of the slowest files are printed at the end. */
const SLOWEST = 10;

/**
 * Files that run at once. One on real desktops takes 0.4 to 0.5 of a processor, and waits for the rest of its time; so do
 * those that start programs. No more than eight: each may have a display, a bus and applications.
 */
const LANES = Math.min(8, 2 * cpus().length);

/** Hands on what it reads as it comes, or whole at the end, and keeps it. */
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
      env: { ...colour, DENO_JOBS: String(LANES) },
    }).spawn();
    const [output, { code }] = await Promise.all([tee(child.stdout, whole), child.status]);
    return outcomeOf(code, output, existsSync(junit) ? readFileSync(junit, "utf8") : "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whether all of them are sound, at once: each by itself takes as long as all together. */
async function checked(files: readonly string[]): Promise<boolean> {
  const { success } = await new Deno.Command(Deno.execPath(), { args: ["check", "--quiet", ...files] })
    .spawn().status;
  return success;
}

/** Each file by itself, `LANES` at once. Its time is that of its whole process. */
async function inLanes(files: readonly string[]): Promise<Outcome> {
  // What is not sound is checked again beside its file, which names it among the failed.
  const sound = await checked(files) ? ["--no-check"] : [];
  const left = [...files];
  const outcomes: Outcome[] = [];
  const lane = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      const began = performance.now();
      const outcome = await run([...sound, file], { whole: true });
      outcomes.push({ ...outcome, seconds: new Map([[file, (performance.now() - began) / 1_000]]) });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return together(outcomes);
}

function slowestText(seconds: ReadonlyMap<string, number>): string {
  return [...seconds].sort(([, one], [, other]) => other - one).slice(0, SLOWEST)
    .map(([file, took]) => `${took.toFixed(1).padStart(7)} s  ${file}`).join("\n");
}

async function main(named: readonly string[]): Promise<number> {
  // What only nightly runs need is left out, whatever this machine has: tests/_installed.ts.
  if (named.length === 0) process.env["BACKSTEP_WHOLE_RUN"] = "1";
  const busy = isBusy();
  const apart = testsOfTheirOwn(new URL("..", import.meta.url));
  const rest = named.filter((file) => !apart.includes(file));
  const alone = named.length === 0 ? apart : named.filter((file) => apart.includes(file));
  const outcomes: Outcome[] = [];
  // Beside paths of its own, `deno test` 2.9.5 overlooks --ignore: a whole run names none.
  if (named.length === 0) outcomes.push(await run(["--parallel", `--ignore=${apart.join(",")}`]));
  else if (rest.length > 0) outcomes.push(await run(["--parallel", ...rest]));
  if (alone.length > 0) outcomes.push(await inLanes(alone));

  let failed = 0, flaky = 0, code = 0;
  for (const outcome of outcomes) {
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
  const { passed, ignored, seconds } = together(outcomes);
  if (named.length === 0) {
    console.log(`\nThe files that took longest:\n${slowestText(seconds)}`);
    const slow = tooLong(seconds);
    if (slow.length > 0) console.log(tooLongText(slow) + (busy ? " (the machine was busy)" : ""));
    // Times of a busy machine say nothing about the files.
    if (!busy) keepTimes(seconds);
  }
  if (ignored > 0) console.log(`not run: ${ignored}, which are nightly or need a package that is missing`);
  console.log(`tests: ${passed} passed, ${flaky} flaky, ${failed} failed`);
  return code;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
