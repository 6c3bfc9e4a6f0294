import { defineTool } from "../tool.ts";
import { COUNTS } from "../parts.ts";

/** Undoes the last actions of a session, or of a flow. */
export const axUndo = defineTool({
  name: "ax_undo",
  title: "Undo last actions",
  description:
    "Undoes the last actions of this session, the last one first, and reads back what it restored. What cannot be " +
    "undone, such as a click on a command or a key, is skipped and named, as is what somebody else has changed.",
  inputSchema: {
    type: "object",
    properties: { count: { type: "integer", description: "How many acts (default: 1)", default: 1 } },
  },
  outputSchema: {
    type: "object",
    properties: {
      undone: { type: "integer" },
      skipped: { type: "integer" },
      actions: {
        type: "array",
        items: {
          type: "object",
          properties: {
            tool: { type: "string" },
            status: { type: "string", enum: ["undone", "skipped_irreversible"] },
            verdict: {
              type: "string",
              description: "Why it is not undone: unrestorable, conflict, unknown, failed, drift",
            },
          },
        },
      },
    },
    required: ["undone", "skipped"],
  },
  annotations: COUNTS,
  toolset: "context",
  ours: { output: ["actions[].verdict"] },
  step: { kind: "undo", amends: { count: { minimum: 1 } } },
});
