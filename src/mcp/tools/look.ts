import { BackstepError, type Json } from "../../base/error.ts";
import { asMap } from "../../base/json.ts";
import type { ToolArguments, ToolView } from "../../tools/tool.ts";
import type { McpCall } from "../server/call.ts";
import { withApps } from "../session/with-app.ts";
import { requireArguments } from "./arguments.ts";

/** How a look is made. */
export interface Looking {
  /** Milliseconds for all of it; default: the operation's. */
  readonly timeout?: number;
  /** Changes the operation's input. */
  readonly input?: (input: Json) => Json;
}

/** What a tool that only reads found: the operation's own output, and the same in the tool's shape. */
export interface Looked {
  readonly output: ToolArguments;
  readonly result: ToolArguments;
}

/** Reads by the operation of a tool, through the gate. */
export async function look(
  tool: ToolView,
  args: ToolArguments,
  call: McpCall,
  options: Looking = {},
): Promise<Looked> {
  requireArguments(tool, args);
  const { step } = tool;
  if (step?.kind !== "operation") {
    throw new BackstepError("internal", `Cannot read by ${tool.name}: it is no operation`);
  }
  const { args: mapped } = withApps(call.session, tool.name, args);
  const made = (step.toLook ?? step.toInput)(mapped);
  const input = options.input ? options.input(made) : made;
  const { output } = await call.session.look(
    { operation: step.operation, input },
    call,
    options.timeout === undefined ? {} : { timeout: options.timeout },
  );
  const json = asMap(JSON.parse(JSON.stringify(output)));
  return { output: json, result: asConnected(asMap(step.toResult(json)), args, call) };
}

/** A result with the name that its application is connected by, in the place of what that calls itself on the bus. */
export function asConnected(
  result: ToolArguments,
  { app }: ToolArguments,
  { session: { connections } }: McpCall,
): ToolArguments {
  const connection = typeof app === "string" ? connections.find(app) : undefined;
  if (connection === undefined || result["app"] !== connection.application.name) return result;
  return { ...result, app: connection.appName };
}
