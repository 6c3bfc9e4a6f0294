import type { ToolDefinition } from "../../tool.ts";
import { APP, AS_TASK, LOOKS, PAIR, QUERY, REGION, WHICH } from "./parts.ts";

/** Tools that look on. */
export const observe = {
  ax_screenshot: {
    name: "ax_screenshot",
    title: "Capture screenshot",
    description: "Pictures a window of an application, an element, or the whole screen, as a PNG.",
    inputSchema: {
      type: "object",
      properties: {
        app: { type: "string", description: "The application; without it, the whole screen" },
        window_index: {
          type: "integer",
          description: "Which of its windows, as ax_list_windows counts them (default: the one in front)",
          default: 0,
        },
        region: {
          type: "object",
          properties: REGION,
          description: "Only this part, from the upper left corner of the window or screen",
        },
        query: { type: "string", description: "Only this element of the application" },
        interpret: {
          type: "boolean",
          description: "Have the client's own model describe the picture too, where it offers sampling",
          default: false,
        },
      },
    },
    annotations: LOOKS,
  },
  ax_get_value: {
    name: "ax_get_value",
    title: "Get element value",
    description:
      "Reads what an element holds: a text, a number, true or false, the name of what is chosen. Of several matches the " +
      "first counts; found: false where there is none. Passwords are never read.",
    inputSchema: {
      type: "object",
      properties: { app: APP, query: QUERY, ...WHICH },
      required: ["app", "query"],
    },
    outputSchema: {
      type: "object",
      properties: {
        found: { type: "boolean" },
        value: { type: "string" },
        role: { type: "string" },
        title: { type: "string" },
        app: { type: "string", description: "The application that was searched" },
        count: { type: "integer", description: "How many elements match" },
        cut: { type: "boolean", description: "The text is longer than what was read" },
      },
      required: ["found"],
    },
    annotations: LOOKS,
  },
  ax_list_windows: {
    name: "ax_list_windows",
    title: "List application windows",
    description: "Lists the windows of an application, the one in front first.",
    inputSchema: { type: "object", properties: { app: APP }, required: ["app"] },
    outputSchema: {
      type: "object",
      properties: {
        windows: {
          type: "array",
          items: {
            type: "object",
            properties: {
              index: { type: "integer" },
              title: { type: "string" },
              position: PAIR,
              size: PAIR,
              focused: { type: "boolean" },
              minimized: { type: "boolean" },
            },
          },
        },
      },
      required: ["windows"],
    },
    annotations: LOOKS,
  },
  ax_wait_idle: {
    name: "ax_wait_idle",
    title: "Wait for application idle",
    description:
      "Waits until an application has been quiet for a while. It is heard of by events: poll_ms is accepted and not needed.",
    inputSchema: {
      type: "object",
      properties: {
        app: APP,
        timeout_ms: { type: "integer", default: 5000 },
        poll_ms: { type: "integer", default: 100 },
        quiet_ms: { type: "integer", description: "How long nothing may happen (default: 200)" },
      },
      required: ["app"],
    },
    annotations: LOOKS,
    execution: AS_TASK,
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;
