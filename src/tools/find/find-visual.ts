import { defineTool } from "../tool.ts";
import { APP, AS_TASK, PAIR, READS } from "../parts.ts";

/** Has somebody look for an element in a picture. */
export const axFindVisual = defineTool({
  name: "ax_find_visual",
  title: "Find element using AI vision",
  description:
    "Finds an element in a picture of the application by what it looks like, where accessibility does not tell of it. " +
    "Answers its place, and the picture with the place marked.",
  inputSchema: {
    type: "object",
    properties: {
      app: APP,
      description: { type: "string", description: "The element in your own words" },
      screenshot: { type: "string", description: "A PNG in base64 to search instead of a new picture" },
    },
    required: ["app", "description"],
  },
  outputSchema: {
    type: "object",
    properties: {
      found: { type: "boolean" },
      position: PAIR,
      size: PAIR,
      confidence: { type: "number" },
      vlm_backend: { type: "string" },
      center: { ...PAIR, description: "Where to click, for ax_click_at" },
      tried: { type: "array", items: { type: "object" }, description: "Who could not look, and why" },
    },
    required: ["found"],
  },
  annotations: { ...READS, openWorldHint: true },
  execution: AS_TASK,
  toolset: "find",
  ours: { output: ["center", "tried"] },
  traits: { sandboxed: true, limit: "vision", helps: "picture" },
  step: {
    kind: "operation",
    operation: "find-visual",
    toInput: (args) => args,
    toResult: (output) => output,
  },
});
