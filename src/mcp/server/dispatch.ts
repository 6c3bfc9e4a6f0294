import { closest } from "../../base/closest.ts";
import { type Json, toBackstepError } from "../../base/error.ts";
import { isComposed } from "../../tools/all.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import type { McpCall } from "./call.ts";
import { ToolFailure } from "./failure.ts";
import type { Host } from "./host.ts";
import { findTool, listTools, seekManager } from "./listed.ts";
import { logged } from "./log-line.ts";
import { requireTexts } from "./requested.ts";
import { checked } from "./schema-check.ts";
import { limited } from "./time-limit.ts";
import type { Tool, ToolAnswer } from "./tool.ts";
import { toolErrorOf } from "./errors.ts";
import { begin } from "./under-way.ts";
import { DATA_MARK, ERROR_MARK, quoted } from "./untrusted.ts";
import { type Content, INVALID_PARAMS, ProtocolError } from "./wire.ts";

export { listTools, seekManager };

/** A tool's result as the protocol carries it. */
export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: { readonly [key: string]: Json };
  readonly isError?: boolean;
}

/**
 * Calls a tool. What the tool could not do is in the result (`isError`); a call that cannot be is a `ProtocolError`: a tool
 * that is not offered, arguments that its schema does not take (-32602), one call too many (-32000).
 */
export async function callTool(host: Host, name: string, args: unknown, call: McpCall): Promise<ToolResult> {
  // A client may call without having listed, and so may the steps of a call.
  if (host.desktop.windowManager && (isComposed(name) || findTool(host, name) === undefined)) {
    await seekManager(host, { signal: call.signal });
  }
  const tool = findTool(host, name) ?? unknown(host, name);
  const given = argumentsOf(tool, args ?? {});
  const done = host.limiter?.take(name, call);
  const began = performance.now();
  let own = call;
  try {
    const answer = await limited(tool, given, call, (inner) => {
      own = inner;
      begin(own, name, given, args);
      const run = (these: ToolArguments) => tool.run(these, inner);
      return host.around?.(name, given, inner, run) ?? run(given);
    });
    const result = resultOf(tool, answer);
    logged(tool, given, own, performance.now() - began, { log: answer.log });
    return result;
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const late = own.signal.aborted && !call.signal.aborted && toBackstepError(thrown).code === "cancelled";
    const failure = toolErrorOf(late ? own.signal.reason : thrown);
    logged(tool, given, own, performance.now() - began, { failure });
    return failed(tool, failure);
  } finally {
    done?.();
  }
}

function unknown(host: Host, name: string): never {
  const names = listTools(host).map((one) => one.name);
  const near = closest(name, names);
  throw new ProtocolError(
    INVALID_PARAMS,
    `Unknown tool: ${name.slice(0, 100)}${near.length > 0 ? `. Did you mean ${near.join(" or ")}?` : ""}`,
    { tool: name.slice(0, 100), near },
  );
}

/** Throws `ProtocolError` with each fault and its place. */
function argumentsOf({ definition }: Tool, args: unknown): ToolArguments {
  const found = checked(definition.inputSchema, args);
  if ("value" in found) {
    requireTexts(definition.name, found.value);
    return found.value;
  }
  const [first] = found.issues;
  const where = first && first.path !== "" ? `${first.path}: ` : "";
  throw new ProtocolError(
    INVALID_PARAMS,
    `Invalid arguments for ${definition.name}: ${where}${first?.message ?? "they cannot be read"}`,
    { tool: definition.name, issues: found.issues.map((issue) => ({ ...issue })) },
  );
}

function resultOf({ definition, traits }: Tool, answer: ToolAnswer): ToolResult {
  const { structured, content = [] } = answer;
  const { outputSchema, name } = definition;
  if (outputSchema) {
    const found = structured
      ? checked(outputSchema, structured)
      : { issues: [{ path: "", message: "it is missing" }] };
    if ("issues" in found) throw strange(name, found.issues);
  }
  const mark = traits?.ownWords === true ? [] : [DATA_MARK];
  if (!structured) return { content: [...mark, ...content] };
  const mirror: Content = { type: "text", text: JSON.stringify(structured) };
  return { content: [...mark, mirror, ...content], structuredContent: structured };
}

/** A fault of ours: a client would refuse the answer. */
function strange(name: string, issues: readonly { path: string; message: string }[]): ToolFailure {
  const [first] = issues;
  return new ToolFailure(
    "InternalError",
    `${name} answered otherwise than it declares: ${first?.path ?? ""}: ${first?.message ?? ""}`,
    {
      suggestion: "This is a fault of the server: report it.",
      data: { issues: issues.map((issue) => ({ ...issue })) },
    },
  );
}

/** What went wrong as a text for the model, marked as what may quote applications, and once more for programs. */
function failed({ definition: { outputSchema } }: Tool, failure: ToolFailure): ToolResult {
  const { kind, message, suggestion, data, structured } = failure;
  const tried = data["strategies_tried"];
  const more = Array.isArray(tried) ? `\n\nStrategies tried: ${quoted(tried.join(", "))}` : "";
  const fits = structured && outputSchema && "value" in checked(outputSchema, structured);
  return {
    isError: true,
    content: [
      {
        type: "text",
        text: `Error: ${quoted(message)}${more}\n\nSuggestion: ${quoted(suggestion)}\n\n${ERROR_MARK}`,
      },
      { type: "text", text: JSON.stringify({ error: { kind, message, suggestion, ...data } }) },
      // Who reads only texts hears what came of the steps of a workflow too.
      ...(fits ? [DATA_MARK, { type: "text" as const, text: JSON.stringify(structured) }] : []),
    ],
    ...(fits ? { structuredContent: structured } : {}),
  };
}
