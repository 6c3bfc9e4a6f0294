import { fileURLToPath } from "node:url";
import process from "node:process";
import { catalogue } from "../catalogue.ts";
import type { Json } from "../base/error.ts";
import type { Operation } from "../contract/operation.ts";
import type { RunResult } from "../contract/events.ts";
import { runProgram } from "../engine/run/run.ts";
import type { RunOptions } from "../engine/run/run-options.ts";
import { secretValues } from "../workflow/secret-values.ts";
import { resolveVariables } from "../workflow/values.ts";
import { programOf, workflowOf } from "./program.ts";
import type { Script } from "./workflow.ts";

/** What running a program is given; what is left out is as on the command line. */
export interface RunScriptOptions
  extends Partial<Omit<RunOptions, "session" | "vars">>, Pick<RunOptions, "session"> {
  /** Values for its variables, instead of their defaults. */
  readonly vars?: { readonly [name: string]: Json };
  /** The file that it is in, for messages: a path or a `file:` address; default: none. */
  readonly file?: string;
}

/**
 * Runs a workflow that is a program, and answers what came of it: the same result as a file's.
 *
 * @throws {BackstepError} when it could not begin: `usage` for a missing secret or variable, `io` for the journal.
 */
export async function runScript<V extends { readonly [name: string]: Json }>(
  script: Script<V>,
  options: RunScriptOptions,
): Promise<RunResult> {
  const { file: given = "script.ts", vars, ...rest } = options;
  const file = given.startsWith("file:") ? fileURLToPath(given) : given;
  const operations: Iterable<Operation> = rest.operations ?? catalogue;
  const environment = (name: string) => process.env[name];
  const workflow = workflowOf(script, file, script.steps.toString());
  const surroundings = rest.surroundings ??
    { env: environment, secret: await secretValues(workflow, { env: environment }) };
  const program = programOf(script, { file, operations, surroundings });
  return await runProgram(workflow, {
    ...rest,
    operations,
    vars: resolveVariables(workflow, vars === undefined ? {} : { file: vars }),
    surroundings,
    folder: rest.folder ?? ".",
  }, program);
}
