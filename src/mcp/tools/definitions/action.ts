import type { ToolDefinition } from "../../tool.ts";
import { ACTS, APP, QUERY, WHICH } from "./parts.ts";

const CLICK_TYPE = { type: "string", enum: ["single", "double", "right"], default: "single" } as const;
const MODE = {
  type: "string",
  enum: ["background", "focus"],
  default: "background",
  description: "Whether keyboard, pointer and place in front may be taken",
} as const;

/** Tools that act. */
export const action = {
  ax_click: {
    name: "ax_click",
    title: "Click UI element",
    description:
      "Clicks an element: through its accessible action where it has one, else with the pointer. Waits until it can be " +
      "clicked; several matches are an error that lists them.",
    inputSchema: {
      type: "object",
      properties: { app: APP, query: QUERY, click_type: CLICK_TYPE, mode: MODE, ...WHICH },
      required: ["app", "query"],
    },
    annotations: ACTS,
  },
  ax_click_at: {
    name: "ax_click_at",
    title: "Click at screen coordinates",
    description: "Clicks with the pointer at a place of the screen, whatever lies there. Prefer ax_click.",
    inputSchema: {
      type: "object",
      properties: { x: { type: "integer" }, y: { type: "integer" }, click_type: CLICK_TYPE },
      required: ["x", "y"],
    },
    annotations: ACTS,
  },
  ax_type: {
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
        ...WHICH,
      },
      required: ["app", "text"],
    },
    annotations: ACTS,
  },
  ax_set_value: {
    name: "ax_set_value",
    title: "Set element value",
    description:
      "Sets an element to a value and reads it back: a text, the number of a slider, true or false of a check box, " +
      "the name of an item of a list.",
    inputSchema: {
      type: "object",
      properties: { app: APP, query: QUERY, value: { type: "string" }, ...WHICH },
      required: ["app", "query", "value"],
    },
    annotations: { ...ACTS, idempotentHint: true },
  },
  ax_scroll: {
    name: "ax_scroll",
    title: "Scroll within element",
    description: "Scrolls what holds an element, or the window in front, and tells whether anything moved.",
    inputSchema: {
      type: "object",
      properties: {
        app: APP,
        query: { type: "string", description: "The element to scroll in; without it, the window in front" },
        direction: { type: "string", enum: ["up", "down", "left", "right"] },
        amount: { type: "integer", description: "Pixels (default: 100)", default: 100 },
        ...WHICH,
      },
      required: ["app", "direction"],
    },
    annotations: { ...ACTS, destructiveHint: false },
  },
  ax_drag: {
    name: "ax_drag",
    title: "Drag element or between positions",
    description:
      "Drags with the pointer from an element or a place of the screen to another, and drops there.",
    inputSchema: {
      type: "object",
      properties: {
        app: APP,
        from_query: { type: "string", description: "The element that is dragged" },
        to_query: { type: "string", description: "The element that it is dropped on" },
        from_x: { type: "integer" },
        from_y: { type: "integer" },
        to_x: { type: "integer" },
        to_y: { type: "integer" },
        duration_ms: { type: "integer", default: 500 },
      },
      required: ["app"],
    },
    annotations: ACTS,
  },
  ax_key_press: {
    name: "ax_key_press",
    title: "Send keyboard shortcut",
    description:
      "Presses a key, with modifiers or without. cmd is the key of shortcuts on every platform (Control where there is " +
      "no Command), opt is Alt.",
    inputSchema: {
      type: "object",
      properties: {
        app: { type: "string", description: "The application that comes to the front first" },
        key: { type: "string", description: "For example 'return', 'escape', 'a', 'F5'" },
        modifiers: { type: "array", items: { type: "string", enum: ["cmd", "ctrl", "opt", "shift"] } },
      },
      required: ["key"],
    },
    annotations: ACTS,
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;
