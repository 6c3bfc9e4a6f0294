import { defineTool } from "../tool.ts";
import { AS_TASK, WRITES } from "../parts.ts";

/** Runs a program of the caller. */
export const axRunScript = defineTool({
  name: "ax_run_script",
  title: "Run AppleScript/JXA",
  description:
    "Runs AppleScript or JavaScript for Automation, which exist on macOS only, and answers what it printed. What it does " +
    "cannot be undone; in safe mode it is refused.",
  inputSchema: {
    type: "object",
    properties: {
      script: { type: "string", description: "The source" },
      language: { type: "string", enum: ["applescript", "jxa"], default: "applescript" },
      timeout_ms: { type: "integer", default: 10000 },
    },
    required: ["script"],
  },
  outputSchema: {
    type: "object",
    properties: {
      output: { type: "string", description: "What it printed" },
      language: { type: "string", enum: ["applescript", "jxa"] },
      cut: { type: "boolean", description: "It printed more than is answered" },
    },
    required: ["output"],
  },
  annotations: { ...WRITES, openWorldHint: true },
  execution: AS_TASK,
  toolset: "script",
  traits: { limit: "script" },
  step: {
    kind: "operation",
    operation: "run-script",
    literal: ["language"],
    amends: { timeout_ms: { minimum: 1 } },
    toInput: (args) => args,
    toResult: (output) => output,
  },
});
