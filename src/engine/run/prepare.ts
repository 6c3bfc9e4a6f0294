import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Program } from "./program.ts";
import { runProgram } from "./run.ts";
import type { RunOptions } from "./run-options.ts";
import type { Workflow } from "../model/step.ts";

/**
 * Does `before:` of a workflow and nothing else, journalled like any run: so that a plan on a private desktop has
 * something to look at. Throws why it failed.
 */
export async function prepareFor(
  workflow: Workflow,
  options: RunOptions,
  program: Program | undefined,
): Promise<void> {
  const { expect: _, ...bare } = workflow;
  const result = await runProgram(
    { ...bare, steps: [], after: [] },
    options,
    program && {
      run: (part, at, run) => part === "before" ? program.run(part, at, run) : Promise.resolve(),
      plan: () => Promise.resolve(undefined),
    },
  );
  if (!result.error) return;
  const { code, message, hint, details, place } = result.error;
  throw new BackstepError(code, message, defined({ hint, details, place }));
}
