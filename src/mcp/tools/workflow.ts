import type { Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { CallFailed } from "../../script/call-failed.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { toolNamed } from "../../tools/all.ts";
import { axWorkflow } from "../../tools/compose/workflow.ts";
import { forModels } from "../server/errors.ts";
import { ToolFailure } from "../server/failure.ts";
import { checked } from "../server/schema-check.ts";
import type { McpSession } from "../server/call.ts";
import { served } from "./serve.ts";

/** Steps that one call may have. */
const MOST_STEPS = 200;

/** Several tools as one: all of their steps, or none that could be undone. */
export const workflow = served(axWorkflow, async (args, call) => {
  const steps = stepsOf(args, call.session);
  try {
    const { output } = await call.session.act(axWorkflow.name, { ...args, steps }, call);
    return { structured: withoutCommands(output) };
  } catch (thrown) {
    throw thrown instanceof CallFailed ? failed(thrown) : thrown;
  }
});

/** The steps, each a call that could be made by itself. Throws `InvalidValue` naming the first that could not. */
function stepsOf({ steps }: ToolArguments, session: McpSession): readonly Json[] {
  const list = isList(steps) ? steps : [];
  const refuse = (message: string, suggestion: string, data: { [key: string]: Json } = {}) => {
    throw new ToolFailure("InvalidValue", message, { suggestion, data });
  };
  if (list.length === 0 || list.length > MOST_STEPS) {
    refuse(`A workflow has 1 to ${MOST_STEPS} steps, not ${list.length}`, "Split it into several calls.");
  }
  for (const [index, step] of list.entries()) {
    if (!isMap(step)) continue;
    const { tool, args } = step;
    const name = String(tool);
    const at = { step: index + 1, tool: name };
    const view = toolNamed(name);
    if (view === axWorkflow) {
      refuse(`Step ${index + 1}: a workflow cannot hold another one`, "Write its steps out.", at);
    }
    const existing = session.host.inputOf(name);
    if (!existing) {
      refuse(`Step ${index + 1}: there is no tool "${name.slice(0, 60)}"`, "See tools/list.", at);
      continue;
    }
    if (view?.step === undefined) {
      refuse(`Step ${index + 1}: ${name} cannot be a step`, "Call it before the workflow.", at);
    }
    const found = checked(existing, args);
    const issue = "issues" in found
      ? found.issues.find(({ path }) => !holdsReference(args, path))
      : undefined;
    if (issue) {
      const where = issue.path === "" ? "" : `${issue.path}: `;
      refuse(`Step ${index + 1}: ${name}: ${where}${issue.message}`, "See its input schema in tools/list.", {
        ...at,
        path: `steps.${index}.args${issue.path === "" ? "" : `.${issue.path}`}`,
      });
    }
  }
  return list;
}

/** Whether what stands at a place is filled in from an earlier step: what it will be is known then. */
function holdsReference(args: Json | undefined, path: string): boolean {
  let here = args;
  for (const key of path === "" ? [] : path.split(".")) {
    here = isMap(here) ? here[key] : isList(here) ? here[Number(key)] : undefined;
  }
  return typeof here === "string" && /\{\{\s*step_\d/.test(here);
}

/** What the steps came to is told although it failed. */
function failed(error: CallFailed): ToolFailure | CallFailed {
  const output = error.answer?.output;
  if (!isMap(output)) return error;
  const { results, rolled_back: back, not_rolled_back: left, steps_total: total } = output;
  const at = isList(results) ? results.findIndex((one) => isMap(one) && one["status"] === "failed") + 1 : 0;
  const taken = back === true
    ? "Everything that was done before was rolled back, and read back."
    : isList(left)
    ? `Rolled back but for: ${left.map(String).join(", ")}.`
    : "What was done before was left as it is.";
  const done = `after step ${String(output["steps_completed"] ?? 0)}/${String(total)}`;
  if (error.code === "cancelled") {
    return new ToolFailure("Cancelled", `Workflow cancelled ${done}: ${error.message}`, {
      suggestion: `${taken} Call it again if it is still wanted.`,
      data: { error: error.message, code: error.code, rolled_back: back === true },
      structured: withoutCommands(output),
      cause: error,
    });
  }
  const where = at === 0 ? `Workflow failed ${done}` : `Step ${at}/${String(total)} failed`;
  return new ToolFailure("WorkflowFailed", `${where}: ${error.message}`, {
    suggestion: `${taken} ${forModels(error.hint) ?? ""}`.trim(),
    data: { step: at, error: error.message, code: error.code, rolled_back: back === true },
    structured: withoutCommands(output),
    cause: error,
  });
}

/** The same results, with hints for who has tools and no commands. */
function withoutCommands(output: ToolArguments): ToolArguments {
  const { results } = output;
  if (results === undefined || !isList(results)) return output;
  return {
    ...output,
    results: results.map((one) => {
      const error = isMap(one) ? one["error"] : undefined;
      if (!isMap(one) || error === undefined || !isMap(error)) return one;
      const { hint, ...rest } = error;
      const words = typeof hint === "string" ? forModels(hint) : undefined;
      return { ...one, error: { ...rest, ...defined({ hint: words }) } };
    }),
  };
}
