/**
 * How long each test file took, kept for `deno task ok`: a file that takes longer than a minute on a machine with nothing
 * else to do fails it, unless it is listed here with its reason.
 *
 * @module
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";

/** Seconds that a file may take. */
export const MOST = 60;

/** Where the times of the last whole run are; git does not keep it. */
const KEPT = new URL("../../.test-times.json", import.meta.url);

/** A busy machine says nothing about a file: the load before the run, for each processor. */
const BUSY = 0.75;

/** The files that may take longer, the longest first, and why. */
export const MAY_TAKE_LONGER: Readonly<Record<string, string>> = {
  "tests/matrix_world_test.ts": "five columns and a twin for some 130 rows on four toolkits",
  "tests/truth_test.ts": "each verdict on five toolkits, and each waits until late effects would have shown",
  "tests/native_core_test.ts": "compiles the native core and all of its suites",
  "tests/npm_test.ts": "emits, packs and installs the npm package, and runs what is in it",
  "tests/swing_test.ts": "each control of a Swing form, in a Java that starts slowly",
  "tests/attack_test.ts": "50 plays, and each waits until late effects would have shown",
  "tests/dialogs_test.ts": "waits for applications that do not answer until it is said that they do not",
  "tests/acts_libreoffice_test.ts":
    "LibreOffice answers slowly: a cell that is set takes ten seconds and more",
  "tests/acts_quick_test.ts": "33 acts on Qt 5 and on Qt 6, half of them rolled back and done again",
  "tests/acts_qt5_test.ts": "34 acts one after the other, each rolled back and done again",
  "tests/cli_clean_test.ts": "ten runs one after another, and programs that are interrupted and waited for",
  "tests/runtimes_test.ts": "emits the project, and a rollback on each of three runtimes",
  "tests/recover_test.ts": "runs on real applications that are killed and recovered",
  "tests/truth_actions_test.ts": "every action of five toolkits, done and clicked beside it",
  "tests/workflows_test.ts": "every example workflow on its real application",
  "tests/quick_test.ts": "a form that is filled and rolled back on Qt 5 and Qt 6, on X11 and Wayland",
};

/** The files that took too long and are not listed, the slowest first. */
export function tooLong(seconds: Iterable<readonly [file: string, seconds: number]>): [string, number][] {
  return [...seconds]
    .filter(([file, took]) => took > MOST && MAY_TAKE_LONGER[file] === undefined)
    .map(([file, took]): [string, number] => [file, took])
    .sort(([, one], [, other]) => other - one);
}

/** Whether the machine has something else to do. */
export function isBusy(): boolean {
  return (loadavg()[0] ?? 0) > BUSY * cpus().length;
}

/** Keeps the times of a whole run. */
export function keepTimes(seconds: ReadonlyMap<string, number>): void {
  writeFileSync(KEPT, JSON.stringify(Object.fromEntries(seconds), null, 1));
}

/** The times of the last whole run on a quiet machine; none where there was no such run. */
export function keptTimes(): [string, number][] {
  if (!existsSync(KEPT)) return [];
  const kept: unknown = JSON.parse(readFileSync(KEPT, "utf8"));
  if (typeof kept !== "object" || kept === null) return [];
  return Object.entries(kept).flatMap(([file, took]): [string, number][] =>
    typeof took === "number" ? [[file, took]] : []
  );
}

/** What is said of files that take too long. */
export function tooLongText(slow: readonly [string, number][]): string {
  return slow.map(([file, took]) =>
    `slow: ${file} took ${
      Math.round(took)
    } s of ${MOST}: split it, move a part of it to the nightly tests, or list it with its reason in scripts/test/times.ts`
  ).join("\n");
}
