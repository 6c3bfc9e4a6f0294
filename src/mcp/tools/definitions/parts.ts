import type { ToolHints } from "../../tool.ts";

/** It changes nothing. */
export const LOOKS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** It may change what is there, anew at each call. */
export const ACTS: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** A call of it may run as a task. */
export const AS_TASK = { taskSupport: "optional" } as const;

/** The connected application. */
export const APP = { type: "string", description: "Name or alias of a connected application" } as const;

/** What finds the element. */
export const QUERY = {
  type: "string",
  description:
    'The element: its title, role:AXButton title:Save, button[name="Save"], an XPath, or an element_ref',
} as const;

/** Ours: which of several, and where. */
export const WHICH = {
  nth: { type: "integer", description: "Which of several matches, from 1; -1 is the last" },
  within: { type: "string", description: "Look only inside the element that this query finds" },
} as const;

/** A rectangle. */
export const REGION = {
  x: { type: "integer" },
  y: { type: "integer" },
  w: { type: "integer" },
  h: { type: "integer" },
} as const;

/** Two whole numbers. */
export const PAIR = { type: "array", items: { type: "integer" } } as const;
