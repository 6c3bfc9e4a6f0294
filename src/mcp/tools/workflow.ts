import type { Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import { CallFailed } from "../../script/call-failed.ts";
import { TOOLS } from "../../workflow/tools.ts";
import { forModels } from "../errors.ts";
import { ToolFailure } from "../failure.ts";
import { findTool } from "../listed.ts";
import { checked } from "../schema-check.ts";
import type { McpSession } from "../session.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import type { Tool, ToolArguments } from "../tool.ts";

/** Steps that one call may have. */
const MOST_STEPS = 200;

/** Several tools as one: all of their steps, or none that could be taken back. */
export const workflow: Tool = {
  toolset: "compose",
  definition: DEFINITIONS.ax_workflow,
  async run(args, call) {
    const steps = stepsOf(args, call.session);
    try {
      const { output } = await call.session.act("ax_workflow", { ...args, steps }, call);
      return { structured: withoutCommands(output) };
    } catch (thrown) {
      throw thrown instanceof CallFailed ? failed(thrown) : thrown;
    }
  },
};

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
    if (name === "ax_workflow") {
      refuse(`Step ${index + 1}: a workflow cannot hold another one`, "Write its steps out.", at);
    }
    const known = findTool(session.host, name);
    if (!known) {
      refuse(`Step ${index + 1}: there is no tool "${name.slice(0, 60)}"`, "See tools/list.", at);
      continue;
    }
    if (!Object.hasOwn(TOOLS, name) && name !== "ax_undo") {
      refuse(`Step ${index + 1}: ${name} cannot be a step`, "Call it before the workflow.", at);
    }
    const found = checked(known.definition.inputSchema, args);
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
    ? "Everything that was done before was taken back, and read back."
    : isList(left)
    ? `Taken back but for: ${left.map(String).join(", ")}.`
    : "What was done before was left as it is.";
  return new ToolFailure("WorkflowFailed", `Step ${at}/${String(total)} failed: ${error.message}`, {
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
      return { ...one, error: { ...rest, ...(words === undefined ? {} : { hint: words }) } };
    }),
  };
}
