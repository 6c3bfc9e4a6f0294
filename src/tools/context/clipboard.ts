import { defineTool } from "../tool.ts";
import { COUNTS } from "../parts.ts";

/** Reads or writes the clipboard. */
export const axClipboard = defineTool({
  name: "ax_clipboard",
  title: "System clipboard",
  description: "Reads the text on the clipboard, or puts a text there and reads it back.",
  inputSchema: {
    type: "object",
    properties: {
      action: { type: "string", enum: ["read", "write"] },
      text: { type: "string", description: "What to write, where the action is write" },
    },
    required: ["action"],
  },
  outputSchema: {
    type: "object",
    properties: {
      text: { type: "string", description: "What is on the clipboard, after a read" },
      success: { type: "boolean" },
    },
    required: ["success"],
  },
  annotations: COUNTS,
  toolset: "context",
  step: {
    kind: "operation",
    operation: "clipboard",
    literal: ["action"],
    toInput: (args) => args,
    toResult: (output) => output,
  },
});
