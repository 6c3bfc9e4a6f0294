import type { Json } from "../base/error.ts";
import { isList, isMap } from "../base/json.ts";
import type { RunResult } from "../contract/events.ts";
import type { Workflow } from "../engine/step.ts";
import { type ParseOptions, parseWorkflow } from "./parse.ts";

/** A call of a tool of the tool specification. */
export interface ToolCall {
  /** "ax_click", "ax_workflow"… */
  readonly tool: string;
  /** As the tool's schema has them; nothing in them is a placeholder but `{{step_N.field}}` in the steps of `ax_workflow`. */
  readonly args?: Json;
}

/**
 * Calls of tools as a workflow, one after another, so that they have the engine's journal and way back: `ax_workflow` takes
 * its steps back where they say `on_fail: rollback`, `ax_undo` takes back the calls before it. A call that fails ends it,
 * and by itself takes nothing back. Throws `workflow` for what the tools do not take.
 *
 * @example
 * ```ts
 * import { parseToolCalls } from "./tool-calls.ts";
 * const workflow = parseToolCalls([{ tool: "ax_undo", args: { count: 2 } }], { operations: [] });
 * if (workflow.steps[0]?.kind !== "undo") throw new Error();
 * ```
 */
export function parseToolCalls(
  calls: readonly ToolCall[],
  options: Pick<ParseOptions, "operations" | "checkSelector"> & { readonly name?: string },
): Workflow {
  const steps = calls.map(({ tool, args }) => ({
    tool,
    args: literal(args ?? {}, tool === "ax_workflow" ? NO_REFERENCE : BRACES),
  }));
  const file = JSON.stringify(
    { name: options.name ?? "tool calls", on_failure: "stop", steps },
    undefined,
    1,
  );
  // JSON is YAML; faults are told with their places in it.
  return parseWorkflow(file, { ...options, file: "tool-calls.json" });
}

/** What the call of this number (from 1) answered; undefined: it failed before it could, or was not reached. */
export function answerOf(call: number, result: RunResult): Json | undefined {
  return result.steps.findLast(({ path }) => path === String(call))?.output;
}

const BRACES = /\{\{/g;
/**
 * Braces that do not begin the answer of an earlier step, `{{step_2.value}}`, and the four that make even that a text. Both
 * become four, which is how a template writes two.
 */
const NO_REFERENCE = new RegExp(
  String.raw`\{\{\{\{(?=REF)|\{\{(?!REF)`.replaceAll(
    "REF",
    String.raw`\s*step_[1-9]\d*(?:\.[\p{L}\p{N}_-]+)*\s*\}\}`,
  ),
  "gu",
);

/** What looks like a placeholder is text. */
function literal(value: Json, braces: RegExp): Json {
  if (typeof value === "string") return value.replaceAll(braces, "{{{{");
  if (isList(value)) return value.map((item) => literal(item, braces));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, literal(item, braces)] as const),
  );
}
