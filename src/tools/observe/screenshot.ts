import { asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { area, target } from "../inputs.ts";
import { READS, REGION, WHOLE_REGION } from "../parts.ts";

/** Pictures a window, an element or the screen. */
export const axScreenshot = defineTool({
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
  outputSchema: {
    type: "object",
    properties: {
      width: { type: "integer" },
      height: { type: "integer" },
      mime_type: { type: "string", enum: ["image/png"] },
    },
    required: ["width", "height"],
  },
  annotations: READS,
  toolset: "observe",
  ours: { input: ["query", "interpret"] },
  traits: { sandboxed: true },
  step: {
    kind: "operation",
    operation: "screenshot",
    literal: ["region"],
    amends: { window_index: { minimum: 0 }, region: WHOLE_REGION },
    // Nobody describes the picture of a step: a file has no client whose model could be asked.
    toInput: ({ app, window_index: window, region: given, query }) => {
      const region = given && area(given);
      if (query !== undefined) return defined({ target: target(defined({ app, query })), region });
      return defined({ app, window, region });
    },
    // The picture itself goes beside it.
    toResult: (output) => {
      const { data: _, ...rest } = asMap(output);
      return rest;
    },
  },
});
