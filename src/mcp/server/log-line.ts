import type { Json } from "../../base/error.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import type { McpCall } from "./call.ts";
import type { ToolFailure } from "./failure.ts";
import type { Tool } from "./tool.ts";
import { atDesktop } from "./under-way.ts";
import type { LogLevel } from "./wire.ts";

/** A call that takes longer is told as a warning, in milliseconds. */
const SLOW = 100;
/** What of the arguments is told: never what is typed, set, run or copied. */
const REPORTED = ["app", "query"] as const;
/** Of the start of a text. */
const LONGEST = 200;

/** Writes the log line of a call: on the logger "axterminator.tools.find", as info, notice (a fallback), warning (slow), error or critical. */
export function logged(
  { definition: { name } }: Tool,
  args: ToolArguments,
  call: McpCall,
  took: number,
  came: { readonly log?: { readonly [key: string]: Json } | undefined; readonly failure?: ToolFailure },
): void {
  const spent = atDesktop(call);
  const data: Record<string, Json> = { tool: name };
  for (const key of REPORTED) {
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
  if (data["cache_hit"] === true) {
    const { app = "", query = "" } = data;
    call.log("debug", "axterminator.cache", { tool: name, app, query, hit: true });
  }
  call.log(levelOf(data, took, came.failure), `axterminator.tools.${name.replace(/^ax_/, "")}`, data);
}

/** A fault of the server is critical; what was done in another way than the first is worth a notice. */
function levelOf(
  data: Readonly<Record<string, Json>>,
  took: number,
  failure: ToolFailure | undefined,
): LogLevel {
  if (failure) return failure.kind === "InternalError" ? "critical" : "error";
  if (took > SLOW) return "warning";
  return data["fallback"] === undefined ? "info" : "notice";
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
