import { asMap } from "../../base/json.ts";
import { defineTool } from "../tool.ts";
import { target } from "../inputs.ts";
import { APP, PAIR, QUERY, READS, WHICH } from "../parts.ts";
import { inAx } from "../results.ts";

/** All that is known of an element. */
export const axGetAttributes = defineTool({
  name: "ax_get_attributes",
  title: "Get all element attributes",
  description:
    "Tells everything that is known of one element: role, states, actions, place, text caret, what the toolkit adds.",
  inputSchema: {
    type: "object",
    properties: { app: APP, query: QUERY, ...WHICH },
    required: ["app", "query"],
  },
  outputSchema: {
    type: "object",
    properties: {
      role: { type: "string" },
      subrole: { type: "string" },
      name: { type: "string" },
      id: { type: "string" },
      description: { type: "string" },
      value: { type: ["string", "number", "boolean"] },
      position: PAIR,
      size: PAIR,
      enabled: { type: "boolean" },
      focused: { type: "boolean" },
      visible: { type: "boolean" },
      states: {
        type: "array",
        items: { type: "string" },
        description: "What differs from a plain element",
      },
      app: { type: "string", description: "The application, as it is connected" },
      toolkit: { type: "string" },
      actions: { type: "array", items: { type: "string" } },
      interfaces: { type: "array", items: { type: "string" } },
      all_states: { type: "array", items: { type: "string" } },
      attributes: { type: "object", description: "What the toolkit adds" },
      children: { type: "integer" },
      caret: { type: "integer", description: "In characters" },
      text_selection: PAIR,
      selected_children: { type: "array", items: { type: "integer" } },
      element_ref: { type: "string" },
      count: { type: "integer", description: "How many elements match" },
    },
    required: ["role", "name", "element_ref"],
  },
  annotations: READS,
  toolset: "find",
  ours: { input: ["nth", "within"] },
  traits: { sandboxed: true, searches: true },
  step: {
    kind: "operation",
    operation: "attributes",
    toInput: (args) => ({ target: target(args) }),
    toResult: (output) => inAx(asMap(output)),
  },
});
