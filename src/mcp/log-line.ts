import type { Json } from "../base/error.ts";
import type { McpCall } from "./call.ts";
import type { ToolFailure } from "./failure.ts";
import type { Tool, ToolArguments } from "./tool.ts";
import { atDesktop } from "./under-way.ts";

/** A call that takes longer is told as a warning, in milliseconds. */
const SLOW = 100;
/** What of the arguments is told: never what is typed, set, run or copied. */
const TOLD = ["app", "query"] as const;
/** Of the start of a text. */
const LONGEST = 200;

/** Writes the log line of a call: on the logger "axterminator.tools.find", as info, warning (slow) or error. */
export function logged(
  { definition: { name } }: Tool,
  args: ToolArguments,
  call: McpCall,
  took: number,
  came: { readonly log?: { readonly [key: string]: Json } | undefined; readonly failure?: ToolFailure },
): void {
  const spent = atDesktop(call);
  const data: Record<string, Json> = { tool: name };
  for (const key of TOLD) {
    const value = args[key];
    if (typeof value === "string") data[key] = value.slice(0, LONGEST);
  }
  Object.assign(data, came.log);
  data["duration_ms"] = rounded(took);
  if (spent !== undefined) data["ax_duration_ms"] = rounded(spent);
  if (came.failure) {
    data["error"] = came.failure.kind;
    data["message"] = came.failure.message.slice(0, LONGEST);
  }
  const level = came.failure ? "error" : took > SLOW ? "warning" : "info";
  call.log(level, `axterminator.tools.${name.replace(/^ax_/, "")}`, data);
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
