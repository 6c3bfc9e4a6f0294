/**
 * Workflow files as cases of `deno test` or `node --test`: a test a file, its steps as the test's steps. What those do with tests
 * (filters, shards, JUnit) works on them.
 *
 * @example
 * ```ts ignore
 * import { workflows } from "backstep/testing";
 *
 * workflows("./workflows", { session: "isolated" });
 * ```
 *
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BackstepError, type ErrorJson, toBackstepError } from "../base/error.ts";
import { compileRegex } from "../base/regex.ts";
import { defined } from "../base/defined.ts";
import type { RunResult } from "../contract/events.ts";
import { newRunId } from "../engine/run/run-id.ts";
import { errorLines } from "../report/error.ts";
import { PLAIN } from "../report/style.ts";
import { isProgram, loadScript } from "../script/load-script.ts";
import { loadYaml } from "../script/load-file.ts";
import { describe, type Description, reasonToSkip } from "./description.ts";
import { Desk } from "./desk.ts";
import { findFiles, type FoundFile } from "./find-files.ts";
import { historyKey } from "./history.ts";
import { judge } from "./judge.ts";
import { registerHere } from "./register/register.ts";
import type { TestCase } from "./register/test-case.ts";
import { runFile } from "./run-file.ts";
import { type StepContext, Steps } from "./steps.ts";

export type { TestCase } from "./register/test-case.ts";
export type { StepContext } from "./steps.ts";

/** How the files of a folder are registered. */
export interface WorkflowsOptions {
  /** Which desktop, whatever the files say: "isolated", "attach", "simulated", or the id of one that was kept. */
  readonly session?: string;
  /** Only files with one of these tags. */
  readonly tags?: readonly string[];
  /** Only files whose path and name match this regular expression. */
  readonly grep?: string;
  /** Values of variables, as text. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Milliseconds for each file's flow, instead of what it says. */
  readonly timeout?: number;
  /** What a relative path is relative to: the folder one is in, or `import.meta.url`; default: the folder one is in. */
  readonly from?: string;
  /** Folder for the journals; default: one that is removed after each test. */
  readonly state?: string;
  /** Registers a test; default: `Deno.test`, on Node and Bun `test` of `node:test`. */
  readonly register?: (test: TestCase) => void;
}

/**
 * Registers each workflow file below `path` (a folder, or a file) as a test: every file with a desktop of its own, which is
 * ended with the test. A file passes when it ends as its `expect:` says, else when it passes. YAML files are read now, and what is
 * wrong with one is a test that fails; the code of programs is run by their tests.
 *
 * @throws {BackstepError} `usage` for a path that is not there, and where there is no workflow.
 */
export function workflows(path: string, options: WorkflowsOptions = {}): void {
  const register = options.register ?? registerHere;
  for (const test of casesOf(path, options)) register(test);
}

function casesOf(path: string, options: WorkflowsOptions): TestCase[] {
  const { from, grep, tags } = options;
  const whole = from?.startsWith("file:") ? fileURLToPath(new URL(path, from)) : resolve(from ?? ".", path);
  const pattern = grep === undefined ? undefined : compileRegex(grep);
  return findFiles([whole], process.cwd()).flatMap((found): TestCase[] => {
    const existing = isProgram(found.path) ? undefined : described(found.file);
    const description = existing && "tags" in existing ? existing : undefined;
    if (tags && description && !tags.some((tag) => description.tags.includes(tag))) return [];
    const reason = description && reasonToSkip(description, options.session);
    return (description?.cases ?? [undefined]).flatMap((one): TestCase[] => {
      const id = historyKey(found.file, one);
      const name = description ? `${id}: ${description.name}` : id;
      if (pattern && !pattern.test(name)) return [];
      return [{
        name: reason === undefined ? name : `${name} (skipped: ${reason})`,
        ignore: reason !== undefined,
        fn: async (context) => {
          if (existing && "code" in existing) throw failure(existing);
          await runTest(found, one, options, context);
        },
      }];
    });
  });
}

function described(file: string): Description | ErrorJson {
  try {
    return describe(loadYaml(file));
  } catch (thrown) {
    return toBackstepError(thrown).toJSON();
  }
}

/** A file, or one of its cases; of a program each, since its cases are not known before. */
async function runTest(
  found: FoundFile,
  one: string | undefined,
  options: WorkflowsOptions,
  context: StepContext,
): Promise<void> {
  if (!isProgram(found.path)) return await runOnce(found, one, options, context);
  const { session, tags } = options;
  // Only now: its code runs by being read.
  const { workflow } = await loadScript(found.file);
  if (tags && !tags.some((tag) => workflow.tags.includes(tag))) return;
  if (reasonToSkip(describe(workflow), session) !== undefined) return;
  const cases = workflow.cases?.map(({ name }) => name) ?? [undefined];
  for (const each of cases) await runOnce(found, each, options, context);
}

async function runOnce(
  found: FoundFile,
  one: string | undefined,
  options: WorkflowsOptions,
  context: StepContext,
): Promise<void> {
  const { session, vars = {}, timeout } = options;
  const state = options.state ?? mkdtempSync(join(tmpdir(), "backstep-test-"));
  const notes: string[] = [];
  const desk = new Desk((message) => notes.push(message));
  const steps = new Steps(context);
  let result: RunResult;
  try {
    result = await runFile({
      file: found.file,
      run: newRunId(),
      state,
      vars: { ...vars },
      ...defined({ session, timeout, case: one }),
    }, {
      take: (choice) => desk.take(choice, {}),
      listener: (event) => steps.reported(event),
    });
    await steps.end(judge(found.file, result).status === "passed");
  } catch (thrown) {
    await steps.end(false);
    throw failure(toBackstepError(thrown).toJSON());
  } finally {
    await desk.close();
    if (options.state === undefined) rmSync(state, { recursive: true, force: true });
  }
  if (notes.length > 0) throw new BackstepError("internal", notes.join("; "));
  const judged = judge(found.file, result);
  if (judged.status !== "passed") throw failure(judged.error);
}

/** What a test fails with: the message as a run's report shows it, with its place, and no stack of ours. */
function failure(error: ErrorJson | undefined): Error {
  const thrown = new Error(error ? errorLines(error, PLAIN).join("\n") : "the workflow failed");
  thrown.name = error?.code ?? "failed";
  const { place } = error ?? {};
  thrown.stack = `${thrown.name}: ${thrown.message}${
    place ? `\n    at ${pathToFileURL(resolve(place.file)).href}:${place.line}:${place.column}` : ""
  }`;
  return thrown;
}
