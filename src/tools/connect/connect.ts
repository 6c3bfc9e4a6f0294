import { defineTool } from "../tool.ts";

/** Connects to an application that runs. */
export const axConnect = defineTool({
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
  toolset: "connect",
  traits: { sandboxed: true },
});
