import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { elementOrApp } from "../inputs.ts";
import { ACTED, APP, MODE, WHICH, WRITES } from "../parts.ts";
import { done } from "../results.ts";
import { modeOf, queryOrApp } from "../wording.ts";

/** Types text. */
export const axType = defineTool({
  name: "ax_type",
  title: "Type text into element",
  description:
    "Types text into an element, or into what has the focus in the application, and reads it back. A line break " +
    "in a field of one line is Return.",
  inputSchema: {
    type: "object",
    properties: {
      app: APP,
      query: { type: "string", description: "The element; without it, what has the focus" },
      text: { type: "string" },
      clear_first: { type: "boolean", description: "Empty the element first", default: false },
      mode: MODE,
      shows: {
        type: "string",
        description: "What the element makes of the text, where it rewrites it (7*6 shows as 7×6)",
      },
      ...WHICH,
    },
    required: ["app", "text"],
  },
  outputSchema: ACTED,
  annotations: WRITES,
  toolset: "action",
  ours: { input: ["nth", "within", "shows"] },
  step: {
    kind: "operation",
    operation: "type",
    literal: ["mode"],
    toInput: ({ text, clear_first: clear, mode, shows, ...args }) =>
      defined({
        ...elementOrApp("into", args),
        text,
        clear,
        shows,
        background: mode !== "focus",
      }),
    toArguments: ({ into, app, text, clear: clear_first, shows, ...input }) =>
      defined({ ...queryOrApp(into, app), text, clear_first, shows, ...modeOf(input) }),
    toResult: done("type"),
  },
});
