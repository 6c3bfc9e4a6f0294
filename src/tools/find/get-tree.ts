import { asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { elementOrApp } from "../inputs.ts";
import { APP, AS_TASK, READS } from "../parts.ts";
import { inAx } from "../results.ts";

/** The elements of an application, as a tree. */
export const axGetTree = defineTool({
  name: "ax_get_tree",
  title: "Get element tree hierarchy",
  description:
    "Shows the tree of elements of an application or below one of them; what was left out is named in cut. compact is " +
    "an outline of roles and titles that costs a fraction of the tokens.",
  inputSchema: {
    type: "object",
    properties: {
      app: APP,
      root_query: { type: "string", description: "Start at this element instead of the application" },
      max_depth: { type: "integer", description: "Levels below the start (default: 5)", default: 5 },
      include_invisible: { type: "boolean", default: false },
      compact: {
        type: "boolean",
        description:
          "An outline of roles and titles instead of all attributes, as deep as the tree unless max_depth is given",
        default: false,
      },
      max_nodes: { type: "integer", description: "Elements shown at most (default: 2000)" },
      cursor: {
        type: "string",
        description: "Go on where an answer of the same application ended: its nextCursor",
      },
    },
    required: ["app"],
  },
  outputSchema: {
    type: "object",
    properties: {
      app: { type: "string", description: "The application, as it is connected" },
      nodes: { type: "integer", description: "Elements that were read" },
      cut: { type: "array", items: { type: "string" }, description: "What was left out; empty: nothing" },
      tree: {
        type: "object",
        description: "The first element with its children; truncated where there are more on a later page",
      },
      parts: {
        type: "array",
        items: {
          type: "object",
          properties: {
            at: { type: "string", description: "JSON pointer of what holds them in tree" },
            from: { type: "integer", description: "The first one's number, from 0" },
            children: { type: "array", items: { type: "object" } },
          },
        },
        description: "What belongs to earlier pages",
      },
      nextCursor: { type: "string", description: "There is more: call it again with this as cursor" },
    },
  },
  annotations: READS,
  execution: AS_TASK,
  toolset: "find",
  ours: { input: ["max_nodes", "cursor"] },
  traits: { sandboxed: true, searches: true },
  step: {
    kind: "operation",
    operation: "tree",
    amends: {
      max_depth: { minimum: 0, maximum: 255 },
      max_nodes: { minimum: 1, maximum: 100_000 },
    },
    // How it is written, and in how many pages, is the server's: the output of a step is always whole.
    toInput: ({ app, root_query: query, max_depth: depth, include_invisible: all, max_nodes: limit }) =>
      defined({ ...elementOrApp("target", defined({ app, query })), depth, all, limit }),
    // The root is one node among the rest, what was cut stands beside it.
    toResult: (output) => {
      const { app, nodes, cut, notation: _, ...root } = asMap(output);
      return defined({ app, nodes, cut, tree: inAx(root) });
    },
  },
});
