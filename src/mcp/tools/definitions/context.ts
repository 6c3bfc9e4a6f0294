import type { ToolDefinition } from "../../tool.ts";
import { LOOKS } from "./parts.ts";

const COUNTS = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;

/** Tools about what was done, and around it. */
export const context = {
  ax_undo: {
    name: "ax_undo",
    title: "Undo last actions",
    description:
      "Takes back the last acts of this session, the last one first, and reads back what it put back. What cannot be " +
      "taken back, such as a click on a command or a key, is skipped and named.",
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
                description: "Why it was neither undone nor skipped: conflict, unknown, failed…",
              },
            },
          },
        },
      },
      required: ["undone", "skipped"],
    },
    annotations: COUNTS,
  },
  ax_clipboard: {
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
  },
  ax_session_info: {
    name: "ax_session_info",
    title: "Session information",
    description:
      "Tells what this session has: connected applications, acts done and those that could be undone, subscriptions, mode.",
    inputSchema: { type: "object", additionalProperties: false },
    outputSchema: {
      type: "object",
      properties: {
        connected_apps: { type: "array", items: { type: "string" } },
        action_count: { type: "integer" },
        undo_stack_depth: { type: "integer" },
        subscriptions: { type: "integer" },
        uptime_seconds: { type: "number" },
        security_mode: { type: "string", enum: ["normal", "safe", "sandboxed"] },
        run: { type: "string", description: "The run that the acts belong to, as `backstep runs` lists it" },
      },
      required: ["connected_apps", "action_count"],
    },
    annotations: LOOKS,
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;
