import { BackstepError } from "../../base/error.ts";
import type { OperationStep } from "../../engine/model/step.ts";
import type { LoadedFile } from "../workflow-file.ts";

/** A step that was typed, as it would stand in a file. Throws `workflow` for what is none, and for one that holds others. */
export async function typedStep(
  text: string,
  { operations, workflow }: Pick<LoadedFile, "operations" | "workflow">,
): Promise<OperationStep> {
  const { parseWorkflow } = await import("../../workflow/parse.ts");
  const app = workflow.app === undefined ? "" : `app: ${JSON.stringify(workflow.app)}\n`;
  const parsed = parseWorkflow(`name: typed\n${app}steps:\n- ${text}\n`, { file: "typed", operations });
  const [step, ...more] = parsed.steps;
  if (step?.kind === "operation" && more.length === 0) return step;
  throw new BackstepError("workflow", "Cannot do what was typed: it is not one step that acts or reads", {
    hint: "For instance: do click: 'button[name=\"Save\"]'",
  });
}
