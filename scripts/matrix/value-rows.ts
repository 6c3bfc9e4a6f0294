import type { More } from "./more.ts";

/** What is set, chosen, scrolled over, rolled back. */
export const VALUE_ROWS: readonly More[] = [
  ...(["check", "toggle", "switch"] as const).flatMap((control): More[] => [
    ...["true", "on", "1"].map((value): More => ({
      id: `ax_set_value ${value}: ${control}`,
      by: "ax_set_value",
      control,
      acts: ({ app, query }) => [{ tool: "ax_set_value", args: { app, query: query(control), value } }],
    })),
    {
      id: `ax_workflow of ax_set_value: ${control}`,
      by: "ax_workflow",
      control,
      acts: ({ app, query }) => [{
        tool: "ax_workflow",
        args: { steps: [{ tool: "ax_set_value", args: { app, query: query(control), value: "true" } }] },
      }],
    },
    {
      id: `command set: ${control}`,
      by: "command",
      control,
      acts: ({ query }) => [{ operation: "set", input: { target: query(control), value: true } }],
    },
    {
      id: `workflow set: ${control}`,
      by: "workflow file",
      control,
      acts: ({ query }) => [{ steps: [{ set: { target: query(control), value: true } }] }],
    },
    {
      id: `ax_undo: ${control}`,
      by: "ax_undo",
      control,
      first: (
        { app, query },
      ) => [{ tool: "ax_set_value", args: { app, query: query(control), value: "true" } }],
      acts: () => [{ tool: "ax_undo", args: { count: 1 } }],
    },
  ]),
  {
    id: "ax_set_value Erase everything: combo",
    by: "ax_set_value",
    control: "combo",
    acts: (
      { app, query },
    ) => [{ tool: "ax_set_value", args: { app, query: query("combo"), value: "Erase everything" } }],
  },
  {
    id: "ax_click the item: combo",
    by: "ax_click",
    control: "combo",
    acts: ({ app, query }) => [
      { tool: "ax_click", args: { app, query: query("combo"), mode: "focus" } },
      { tool: "ax_click", args: { app, query: '[name="Erase everything"]', mode: "focus" } },
    ],
  },
  {
    id: "ax_click, then Down Return: combo",
    by: "ax_click",
    control: "combo",
    acts: ({ app, query }) => [
      { tool: "ax_click", args: { app, query: query("combo"), mode: "focus" } },
      { tool: "ax_key_press", args: { key: "Down Return" } },
    ],
  },
  {
    // Once it was open, Qt says of an item that it has the keys.
    id: "ax_key_press spacebar, then Escape, then Down: combo",
    by: "ax_key_press",
    control: "combo",
    scene: { focus: "combo" },
    acts: () => ["spacebar", "Escape", "Down"].map((key) => ({ tool: "ax_key_press", args: { key } })),
  },
  {
    id: "ax_type its first letter: combo",
    by: "ax_type",
    control: "combo",
    scene: { focus: "combo" },
    acts: ({ app }) => [{ tool: "ax_type", args: { app, text: "e" } }],
  },
  ...(["down", "right"] as const).map((direction): More => ({
    id: `ax_scroll ${direction}: combo`,
    by: "ax_scroll",
    control: "combo",
    acts: (
      { app, query },
    ) => [{ tool: "ax_scroll", args: { app, query: query("combo"), direction, amount: 30 } }],
  })),
  {
    id: "command set: combo",
    by: "command",
    control: "combo",
    acts: ({ query }) => [{ operation: "set", input: { target: query("combo"), value: "Erase everything" } }],
  },
  {
    id: "command scroll: combo",
    by: "command",
    control: "combo",
    acts: (
      { query },
    ) => [{ operation: "scroll", input: { target: query("combo"), direction: "down", amount: 30 } }],
  },
  {
    id: "workflow set: combo",
    by: "workflow file",
    control: "combo",
    acts: ({ query }) => [{ steps: [{ set: { target: query("combo"), value: "Erase everything" } }] }],
  },
  {
    id: "ax_undo: combo",
    by: "ax_undo",
    control: "combo",
    first: ({ app, query }) => [
      { tool: "ax_set_value", args: { app, query: query("combo"), value: "Erase everything" } },
      { tool: "ax_set_value", args: { app, query: query("combo"), value: "Keep some" } },
    ],
    acts: () => [{ tool: "ax_undo", args: { count: 1 } }],
  },
];
