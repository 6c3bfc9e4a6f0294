import type { Invocation } from "../../contract/operation.ts";
import { toolNamed } from "../../tools/all.ts";
import { argumentsOf } from "../../tools/arguments.ts";
import type { ToolArguments, ToolView } from "../../tools/tool.ts";
import { INVALID_PARAMS, ProtocolError } from "../server/wire.ts";

/** Issues of one call that are named. */
const MOST = 10;

/** The arguments as the tool amends its schema. Throws `ProtocolError` (-32602) with each issue and its place. */
export function requireArguments(tool: ToolView, args: ToolArguments): void {
  const parsed = argumentsOf(tool).safeParse(args);
  if (parsed.success) return;
  const issues = parsed.error.issues.slice(0, MOST).map(({ path, message }) => ({
    path: path.map(String).join(".").slice(0, 200),
    message: message.slice(0, 300),
  }));
  const [first] = issues;
  throw new ProtocolError(
    INVALID_PARAMS,
    `Invalid arguments for ${tool.name}: ${first?.path ?? ""}: ${first?.message ?? "they cannot be"}`,
    { tool: tool.name, issues },
  );
}

/** What a tool calls, as a step of a workflow does; undefined: it is no operation, or its arguments are not known yet. */
export function invocationOf(name: string, args: ToolArguments): Invocation | undefined {
  const tool = toolNamed(name);
  if (tool?.step?.kind !== "operation" || !argumentsOf(tool).safeParse(args).success) return undefined;
  return { operation: tool.step.operation, input: tool.step.toInput(args) };
}
