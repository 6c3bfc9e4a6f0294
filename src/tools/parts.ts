import type { ToolHints } from "./tool.ts";

/** It changes nothing. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** It may change what is there, anew at each call. */
export const WRITES: ToolHints = {
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

/** What an act answers: what was done to what, by what means, and whether that was seen. */
export const ACTED = {
  type: "object",
  properties: {
    action: { type: "string", description: "What was done: click, type, set_value…" },
    app: { type: "string", description: "The application, as it is connected" },
    element: { type: "string", description: "What it was done to" },
    method: { type: "string", description: "What really ran; none: it was so already" },
    verdict: {
      type: "string",
      enum: ["already", "verified", "accepted"],
      description: "verified: the effect was read back; accepted: the platform took it, no more is known",
    },
    moved: { type: "boolean", description: "Of scrolling: whether anything moved" },
    effect: {
      type: "string",
      enum: ["read", "restorable", "observed", "compensable", "irreversible"],
      description: "What ax_undo can do about it",
    },
  },
  required: ["action", "method", "verdict", "effect"],
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

/** A rectangle of which nothing may be left out. */
export const WHOLE_REGION = { required: ["x", "y", "w", "h"] } as const;

/** How often, and with which button. */
export const CLICK_TYPE = { type: "string", enum: ["single", "double", "right"], default: "single" } as const;

/** Whether keyboard and pointer may be taken. */
export const MODE = {
  type: "string",
  enum: ["background", "focus"],
  default: "background",
  description: "background takes neither keyboard nor pointer nor the place in front; focus may",
} as const;

/** Each call of it counts: calling it again is something else. */
export const COUNTS: ToolHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** An application by its id. */
export const ID = {
  type: "object",
  properties: {
    bundleId: {
      type: "string",
      description: "Id of the application (com.apple.Safari, org.gnome.TextEditor)",
    },
  },
  required: ["bundleId"],
} as const;

/** Milliseconds that a check may take to come true. */
export const PATIENCE = { minimum: 0, maximum: 600_000 } as const;

/** Milliseconds that a check waits which is called by itself. */
export const ONCE = 1_000;
