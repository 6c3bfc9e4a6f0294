import type { ToolArguments } from "../../tools/tool.ts";
import type { McpCall } from "./call.ts";

const spent = new WeakMap<McpCall, number>();

/** Counts what it takes as the desktop's part of a call. */
export async function timed<R>(call: McpCall, action: () => Promise<R>): Promise<R> {
  const began = performance.now();
  try {
    return await action();
  } finally {
    spent.set(call, (spent.get(call) ?? 0) + performance.now() - began);
  }
}

/** Milliseconds that a call spent at the desktop; undefined: it did not go there. */
export function atDesktop(call: McpCall): number | undefined {
  return spent.get(call);
}

const called = new WeakMap<
  McpCall,
  { readonly tool: string; readonly args: ToolArguments; readonly written: ReadonlySet<string> }
>();

/** Says which tool a call is of, so that what looks for it can be judged; `raw` are its arguments without defaults. */
export function begin(call: McpCall, tool: string, args: ToolArguments, raw: unknown): void {
  const written = new Set(typeof raw === "object" && raw !== null ? Object.keys(raw) : []);
  called.set(call, { tool, args, written });
}

/** Did the client write this argument itself, or is it the schema's default? */
export function isWritten(call: McpCall, argument: string): boolean {
  return called.get(call)?.written.has(argument) === true;
}

/** The tool that a call is of; undefined: it is no call of a tool. */
export function underWay(call: McpCall): { readonly tool: string; readonly args: ToolArguments } | undefined {
  return called.get(call);
}
