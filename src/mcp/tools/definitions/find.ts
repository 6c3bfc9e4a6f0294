import type { ToolDefinition } from "../../tool.ts";
import { APP, AS_TASK, LOOKS, PAIR, QUERY, WHICH } from "./parts.ts";

/** Tools that find elements and tell what they are. */
export const find = {
  ax_find: {
    name: "ax_find",
    title: "Find UI element",
    description:
      "Finds an element by its title, role, identifier, a selector or an XPath, without waiting. Answers the first match " +
      "in the order of the tree and how many there are; found: false where there is none. element_ref names it in later calls.",
    inputSchema: {
      type: "object",
      properties: {
        app: APP,
        query: QUERY,
        strategy: {
          type: "string",
          enum: ["auto", "exact", "contains", "regex", "role", "identifier", "xpath"],
          description: "How the query is meant; auto, which is the default, tries all seven",
        },
        ...WHICH,
      },
      required: ["app", "query"],
    },
    outputSchema: {
      type: "object",
      properties: {
        found: { type: "boolean" },
        method: { type: "string", description: "What found it: accessibility or visual" },
        strategy: { type: "string", description: "How the query was understood: title_exact, role_title…" },
        role: { type: "string" },
        title: { type: "string" },
        value: { type: "string" },
        position: { ...PAIR, description: "[x, y] on the screen" },
        size: { ...PAIR, description: "[width, height]" },
        enabled: { type: "boolean" },
        focused: { type: "boolean" },
        element_ref: {
          type: "string",
          description: "Names this element in later calls, as long as it lives",
        },
        app: { type: "string", description: "The application that was searched" },
        count: { type: "integer", description: "How many elements match" },
        visible: { type: "boolean", description: "It shows on the screen" },
        identifier: { type: "string", description: "The accessible identifier" },
        path: { type: "string", description: "A query that finds this one of several matches" },
      },
      required: ["found"],
    },
    annotations: LOOKS,
  },
  ax_find_visual: {
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
    annotations: { ...LOOKS, openWorldHint: true },
    execution: AS_TASK,
  },
  ax_get_tree: {
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
      },
      required: ["app"],
    },
    annotations: LOOKS,
    execution: AS_TASK,
  },
  ax_get_attributes: {
    name: "ax_get_attributes",
    title: "Get all element attributes",
    description:
      "Tells everything that is known of one element: role, states, actions, place, text caret, what the toolkit adds.",
    inputSchema: {
      type: "object",
      properties: { app: APP, query: QUERY, ...WHICH },
      required: ["app", "query"],
    },
    annotations: LOOKS,
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;
