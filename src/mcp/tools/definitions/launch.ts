import type { ToolDefinition } from "../../tool.ts";
import { ACTS, LOOKS } from "./parts.ts";

const ID = {
  type: "object",
  properties: {
    bundleId: {
      type: "string",
      description: "Id of the application (com.apple.Safari, org.gnome.TextEditor)",
    },
  },
  required: ["bundleId"],
} as const;

/** Tools that start and end applications. */
export const launch = {
  launch_application: {
    name: "launch_application",
    title: "Launch application",
    description:
      "Starts the application of an id and waits for its window; one that runs already comes to the front. Answers its " +
      "process id and name.",
    inputSchema: ID,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  quit_application: {
    name: "quit_application",
    title: "Quit application",
    description:
      "Closes an application as a person would. Where it asks about unsaved work the question stays open, and the error says so.",
    inputSchema: ID,
    annotations: ACTS,
  },
  list_applications: {
    name: "list_applications",
    title: "List applications",
    description:
      "Lists the running applications that have a user interface, with id, name and process id; background processes are left out.",
    inputSchema: { type: "object", properties: {} },
    annotations: LOOKS,
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;
