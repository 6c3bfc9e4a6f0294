import { asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { target } from "../inputs.ts";
import { APP, QUERY, READS, WHICH } from "../parts.ts";
import { text } from "../results.ts";
import { queryOf } from "../wording.ts";

/** Reads what an element holds. */
export const axGetValue = defineTool({
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
  annotations: READS,
  toolset: "observe",
  ours: { input: ["nth", "within"], output: ["app", "count", "cut"] },
  traits: { sandboxed: true, searches: true },
  step: {
    kind: "operation",
    operation: "value",
    // The first of several, as the tool answers by itself.
    toInput: (args) => ({ target: target({ nth: 1, ...args }) }),
    toLook: (args) => ({ target: target(args) }),
    toArguments: ({ target }) => queryOf(target),
    // What has no value has none here.
    toResult: (output) => {
      const { value, role, name: title, app, truncated: cut } = asMap(output);
      return defined({ found: true, value: text(value), role, title, app, cut });
    },
  },
});
