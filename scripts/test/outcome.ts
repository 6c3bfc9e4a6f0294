/** What a run of `deno test` came to, read from its output and from its JUnit file. @module */

/** More than this that fails is no coincidence: it is not tried again. */
const MAY_BE_FLAKY = 5;

/** What one run of `deno test` came to. */
export interface Outcome {
  /** Deno's own: 0 where all passed. */
  readonly code: number;
  readonly passed: number;
  readonly failed: number;
  /** Tests that were not run: the nightly ones, and those that need a package that is missing. */
  readonly ignored: number;
  /** The tests that failed, as "file: name". A file that could not be loaded has none. */
  readonly failures: readonly { readonly file: string; readonly name: string }[];
  /** Seconds that the tests of a file took, by file. */
  readonly seconds: ReadonlyMap<string, number>;
}

function plain(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll(
    "&apos;",
    "'",
  )
    .replaceAll("&amp;", "&");
}

/**
 * The file of a test: JUnit names the one that calls `Deno.test`, which may be a helper. Then it is the one under which the
 * output lists the test, "" where nobody can say.
 */
function fileOf(name: string, file: string, output: string): string {
  if (file.endsWith("_test.ts")) return file;
  const at = (text: string) => text.split("\n").some((line) => line.startsWith(`${name} ...`));
  const listed = output.split(/^running \d+ tests? from /m).slice(1).find(at);
  return listed?.split("\n")[0] ?? "";
}

/** A path from the root of the project, as people write it. */
const fromRoot = (file: string) => file.replace(/^\.\//, "");

/** Reads the last count of `deno test`, and its JUnit file, which knows the files. */
export function outcomeOf(code: number, output: string, junit: string): Outcome {
  // deno-lint-ignore no-control-regex -- the colours of a terminal
  const text = output.replace(/\x1b\[[0-9;]*m/g, "");
  const lines = text.matchAll(/^(?:ok|FAILED) \| (\d+) passed.*? \| (\d+) failed(?:.*? \| (\d+) ignored)?/gm);
  const [, passed = "0", failed = "0", ignored = "0"] = [...lines].at(-1) ?? [];
  const failures: { file: string; name: string }[] = [];
  const seconds = new Map<string, number>();
  for (
    const [, name = "", file = "", time = "0", inside = ""] of junit.matchAll(
      /<testcase name="([^"]*)" classname="([^"]*)"(?: time="([\d.]+)")?[^>]*>([^]*?)<\/testcase>/g,
    )
  ) {
    const test = { file: fileOf(plain(name), plain(file), text), name: plain(name) };
    if (/<(failure|error)\b/.test(inside)) failures.push(test);
    // A step's time is in its test's.
    if (test.name.includes(" > ")) continue;
    const path = fromRoot(test.file);
    seconds.set(path, (seconds.get(path) ?? 0) + Number(time));
  }
  return {
    code,
    passed: Number(passed),
    failed: Number(failed),
    ignored: Number(ignored),
    failures,
    seconds,
  };
}

/** The files to try again; none where that would hide what is broken. */
export function worthAnotherTry(outcome: Outcome): string[] {
  const whole = outcome.failures.filter(({ name }) => !name.includes(" > "));
  if (outcome.code === 0 || outcome.failed === 0 || outcome.failed > MAY_BE_FLAKY) return [];
  // A file that could not be loaded, or a process that died: not all that failed is known by name.
  if (whole.length !== outcome.failed || whole.some(({ file }) => file === "")) return [];
  return [...new Set(whole.map(({ file }) => fromRoot(file)))];
}

/** Several runs as one. */
export function together(outcomes: readonly Outcome[]): Outcome {
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((all, outcome) => all + of(outcome), 0);
  return {
    code: outcomes.find(({ code }) => code !== 0)?.code ?? 0,
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    ignored: sum(({ ignored }) => ignored),
    failures: outcomes.flatMap(({ failures }) => failures),
    seconds: new Map(outcomes.flatMap(({ seconds }) => [...seconds])),
  };
}
