import { type More, press } from "./more.ts";
import type { Stage } from "./rows.ts";

/** What is dropped on something, removed by a key, chosen in a list, run in a terminal. */
export const DROP_ROWS: readonly More[] = [
  ...["Delete", "del", "DEL", "de-l"].flatMap((key): More[] => [
    {
      id: `ax_key_press ${key}: removed`,
      by: "ax_key_press",
      control: "removed",
      scene: { focus: "row" },
      acts: ({ app }) => [press(app, key)],
    },
    {
      id: `command press ${key}: removed`,
      by: "command",
      control: "removed",
      scene: { focus: "row" },
      acts: () => [{ operation: "press", input: { keys: key } }],
    },
  ]),
  {
    id: "ax_type \\u007f: removed",
    by: "ax_type",
    control: "removed",
    scene: { focus: "row" },
    acts: ({ app }) => [{ tool: "ax_type", args: { app, text: "\u007f" } }],
  },
  {
    id: "ax_drag an element onto an element: trash",
    by: "ax_drag",
    control: "trash",
    acts: (
      { app, query },
    ) => [{ tool: "ax_drag", args: { app, from_query: query("document"), to_query: query("trash") } }],
  },
  {
    id: "ax_drag a place onto a place: trash",
    by: "ax_drag",
    control: "trash",
    acts: (stage) => [{ tool: "ax_drag", args: { app: stage.app, ...ends(stage) } }],
  },
  {
    id: "ax_drag an element onto a place: trash",
    by: "ax_drag",
    control: "trash",
    acts: (stage) => {
      const { to_x, to_y } = ends(stage);
      return [{ tool: "ax_drag", args: { app: stage.app, from_query: stage.query("document"), to_x, to_y } }];
    },
  },
  {
    id: "command drag: trash",
    by: "command",
    control: "trash",
    acts: ({ query }) => [{ operation: "drag", input: { from: query("document"), to: query("trash") } }],
  },
  {
    id: "workflow drag: trash",
    by: "workflow file",
    control: "trash",
    acts: ({ query }) => [{ steps: [{ drag: { from: query("document"), to: query("trash") } }] }],
  },
  {
    id: "ax_set_value: row",
    by: "ax_set_value",
    control: "row",
    acts: (
      { app },
    ) => [{ tool: "ax_set_value", args: { app, query: 'list[name="Rows"]', value: "Delete the rows" } }],
  },
  {
    id: "command select: row",
    by: "command",
    control: "row",
    acts: () => [{ operation: "select", input: { target: 'list[name="Rows"]', items: ["Delete the rows"] } }],
  },
  {
    id: "ax_type a line into it: terminal",
    by: "ax_type",
    control: "terminal",
    acts: (
      { app, query },
    ) => [{ tool: "ax_type", args: { app, query: query("terminal"), text: "ls\n", mode: "focus" } }],
  },
  {
    id: "ax_clipboard, ctrl+v Return: terminal",
    by: "ax_clipboard",
    control: "terminal",
    scene: { focus: "terminal" },
    acts: ({ app }) => [
      { tool: "ax_clipboard", args: { action: "write", text: "ls" } },
      press(app, "ctrl+v Return"),
    ],
  },
];

function ends({ place }: Stage) {
  const [from, to] = [place("document"), place("trash")];
  return { from_x: from.x, from_y: from.y, to_x: to.x, to_y: to.y };
}
