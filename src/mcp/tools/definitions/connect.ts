import type { ToolDefinition } from "../../tool.ts";
import { LOOKS } from "./parts.ts";

/** Tools that say what can be driven, and choose from it. */
export const connect = {
  ax_is_accessible: {
    name: "ax_is_accessible",
    title: "Check accessibility permissions",
    description:
      "Tells whether this process may see and drive applications through accessibility. Other tools work only then; " +
      "otherwise the suggestion says what a person has to do.",
    inputSchema: { type: "object", additionalProperties: false },
    outputSchema: {
      type: "object",
      properties: {
        enabled: { type: "boolean" },
        process_name: { type: "string" },
        suggestion: { type: "string" },
      },
      required: ["enabled"],
    },
    annotations: LOOKS,
  },
  ax_connect: {
    name: "ax_connect",
    title: "Connect to a macOS application",
    description:
      "Connects to a running application, which the other tools then take by its name or alias. Connecting again " +
      "changes nothing but the alias.",
    inputSchema: {
      type: "object",
      properties: {
        app: {
          type: "string",
          description: "Name of the application, its id (com.apple.Safari, org.gnome.TextEditor), or its PID",
        },
        alias: { type: "string", description: "What later calls may call it" },
      },
      required: ["app"],
    },
    outputSchema: {
      type: "object",
      properties: {
        connected: { type: "boolean" },
        app_name: { type: "string" },
        pid: { type: "integer" },
        bundle_id: { type: "string" },
        windows: { type: "integer" },
        alias: { type: "string" },
      },
      required: ["connected", "app_name"],
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  ax_list_apps: {
    name: "ax_list_apps",
    title: "List running applications",
    description: "Lists the applications that run and have a window, and says which are connected.",
    inputSchema: { type: "object", additionalProperties: false },
    outputSchema: {
      type: "object",
      properties: {
        apps: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              pid: { type: "integer" },
              bundle_id: { type: "string" },
              connected: { type: "boolean" },
              accessible: { type: "boolean", description: "It answers to accessibility" },
            },
          },
        },
      },
      required: ["apps"],
    },
    annotations: LOOKS,
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;
