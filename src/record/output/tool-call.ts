import { BackstepError, type Json } from "../../base/error.ts";
import { asMap, toJson } from "../../base/json.ts";
import { equalJson } from "../../contract/participant.ts";
import { milliseconds } from "../../operations/duration.ts";
import { parseKeys } from "../../operations/keys.ts";
import { TOOLS } from "../../tools/all.ts";
import { argumentsOf } from "../../tools/arguments.ts";
import type { ToolArguments, ToolView } from "../../tools/tool.ts";
import type { FileInput } from "./model.ts";

/** A call of a tool. */
export interface Call {
  readonly tool: string;
  readonly args: ToolArguments;
}

/** The tool that says each operation. */
const TOOL_OF: ReadonlyMap<string, ToolView> = new Map(
  TOOLS.flatMap((tool) =>
    tool.step?.kind === "operation" && tool.step.toArguments ? [[tool.step.operation, tool] as const] : []
  ),
);

/** Can a call of a tool be read as this operation, and written again? */
export function hasTool(operation: string): boolean {
  return TOOL_OF.has(operation);
}

/** Does the tool of an operation take an application beside what it acts on? */
export function takesApp(operation: string): boolean {
  const tool = TOOL_OF.get(operation) ??
    TOOLS.find(({ step }) => step?.kind === "operation" && step.standsFor?.[operation]);
  return "app" in asMap(tool?.definition.inputSchema["properties"]);
}

/**
 * The call that says an input. What it says is read back by the tool itself: `invalid` where that is anything else than the
 * input, with what the tool cannot say.
 */
export function toolCallOf(operation: string, input: FileInput): Call {
  const view = TOOL_OF.get(operation);
  if (view?.step?.kind !== "operation" || view.step.toArguments === undefined) {
    throw new BackstepError("invalid", `no tool of ax_workflow does \`${operation}\``);
  }
  const meant = plainInput(input);
  const args = asMap(toJson(view.step.toArguments(meant)));
  const said = plainInput(asMap(view.step.toInput(args)));
  const lost = [...new Set([...Object.keys(meant), ...Object.keys(said)])]
    .filter((key) => !equalJson(meant[key] ?? null, said[key] ?? null));
  const parsed = argumentsOf(view).safeParse(args);
  if (lost.length === 0 && parsed.success) return { tool: view.name, args };
  const [issue] = parsed.success ? [] : parsed.error.issues;
  const what = lost.length > 0 ? lost.join(", ") : issue?.path.map(String).join(".") || "this input";
  throw new BackstepError("invalid", `${view.name} cannot say \`${what}\` of \`${operation}\` as it is here`);
}

/**
 * A call that does what an input of an operation does in the words of another one: read back it is not the same input.
 * Undefined: there is none.
 */
export function standInFor(operation: string, input: FileInput): Call | undefined {
  for (const { name, step } of TOOLS) {
    if (step?.kind !== "operation") continue;
    const said = step.standsFor?.[operation]?.(plainInput(input));
    if (said !== undefined) return { tool: name, args: asMap(toJson(said)) };
  }
  return undefined;
}

/** An input in one of the ways in which it can be written. */
export function plainInput(input: FileInput): FileInput {
  const { background, ...rest } = input;
  const plain: { [key: string]: Json } = { ...rest };
  // A tool in the mode `focus` says so; an operation that says nothing has the mode of the run.
  if (background === true || (background !== undefined && !("text" in rest))) {
    plain["background"] = background;
  }
  for (const key of ["duration", "timeout"]) if (key in plain) plain[key] = time(plain[key]) ?? null;
  if ("value" in plain) plain["value"] = worded(plain["value"]) ?? null;
  if ("keys" in plain) plain["keys"] = keysText(plain["keys"]);
  for (const key of ["target", "into", "from", "to"]) {
    const { selector, ...others } = asMap(plain[key]);
    if (selector !== undefined && Object.keys(others).length === 0) plain[key] = selector;
  }
  return plain;
}

/** The tools take every value as a text, and read numbers and booleans in it. */
function worded(value: Json | undefined): Json | undefined {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

function time(duration: Json | undefined): Json | undefined {
  const text = typeof duration === "string" && /^\d+(\.\d+)?(ms|s|m)$/.test(duration);
  return text ? milliseconds(duration) : duration;
}

function keysText(keys: Json | undefined): string {
  return typeof keys === "string" ? parseKeys(keys).map((names) => names.join("+")).join(" ") : "";
}
