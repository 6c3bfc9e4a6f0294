import { defined } from "../base/defined.ts";
import { type ErrorJson, toBackstepError } from "../base/error.ts";
import { diffRuns, type RunDiff } from "../engine/journal/run-diff.ts";
import type { TestFile, TestFileResult, TestTryResult } from "../report/reporter.ts";
import { statusOf } from "./judge.ts";
import type { Selected } from "./select.ts";

/** A selected file as reports name it. */
export function testFile({ id, file, description, case: one, project, role }: Selected): TestFile {
  const { name = file, tags = [], properties } = description ?? {};
  return {
    id,
    file,
    name: one === undefined ? name : `${name} [${one}]`,
    tags,
    ...defined({ case: one, project, role, properties }),
  };
}

/** A file that is skipped, or that cannot be read. */
export function notRun(file: Selected): TestFileResult {
  const { reason, error } = file;
  return {
    ...testFile(file),
    status: error ? "failed" : "skipped",
    exit: error ? exitOfError(error) : 0,
    duration_ms: 0,
    tries: [],
    ...defined({ reason, error }),
  };
}

/** What came of a file by its tries. `note` is told why two of them cannot be compared. */
export function resultOf(
  file: Selected,
  tries: readonly TestTryResult[],
  note: (message: string) => void,
): TestFileResult {
  const last = tries.at(-1);
  const status = statusOf(tries);
  const divergence = status === "flaky" ? divergenceOf(tries, note) : undefined;
  return {
    ...testFile(file),
    status,
    exit: last?.exit ?? 1,
    duration_ms: tries.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
    tries,
    ...defined({ error: last?.error, divergence }),
  };
}

/** Where the last failing try and the passing one part. */
export function divergenceOf(
  tries: readonly TestTryResult[],
  note: (message: string) => void,
): RunDiff | undefined {
  const [failing, passing] = tries.slice(-2);
  if (!failing || !passing) return undefined;
  try {
    return diffRuns(passing.state, failing.folder, passing.folder);
  } catch (thrown) {
    note(`The tries of ${passing.file} cannot be compared: ${toBackstepError(thrown).message}`);
    return undefined;
  }
}

/** As `backstep run` would exit on what kept a file from running. */
export function exitOfError({ code }: ErrorJson): number {
  if (code === "cancelled") return 130;
  return ["usage", "workflow", "selector", "invalid"].includes(code) ? 2 : 1;
}
