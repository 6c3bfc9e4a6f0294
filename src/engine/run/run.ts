import type { RunResult } from "../../contract/events.ts";
import type { Workflow } from "../model/step.ts";
import type { Program } from "./program.ts";
import { endRun } from "./end-run.ts";
import { openRun } from "./open-run.ts";
import type { Inside, RunOptions } from "./run-options.ts";
import { runParts } from "./run-parts.ts";

/**
 * Runs a workflow on a session's desktop and answers what came of it. What fails on the way is in the result.
 *
 * @throws {BackstepError} when it could not begin: `io` where the journal cannot be written.
 */
export function runWorkflow(workflow: Workflow, options: RunOptions): Promise<RunResult> {
  return runProgram(workflow, options, undefined);
}

/** `runWorkflow` for `recover` and for experiments. */
export function runWith(workflow: Workflow, options: RunOptions & Inside): Promise<RunResult> {
  return runProgram(workflow, options, undefined);
}

/** The same, of a workflow whose steps a program makes. */
export async function runProgram(
  workflow: Workflow,
  options: RunOptions & Inside,
  program: Program | undefined,
): Promise<RunResult> {
  const started = performance.now();
  const opened = await openRun(workflow, options);
  try {
    const error = await runParts(workflow, options, opened, program);
    const result = await endRun(workflow, options, opened, { error, started });
    opened.listener.throwIfBroken();
    return result;
  } finally {
    await opened.close();
  }
}
