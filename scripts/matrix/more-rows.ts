import type { Row, Stage } from "./rows.ts";

/** A row whose scene need not be said. */
export type More = Omit<Row, "scene"> & Partial<Pick<Row, "scene">>;

const press = (app: string, key: string) => ({ tool: "ax_key_press", args: { app, key } });

/** Keys to the default button of a dialog, or the submit button of a form, with the keys in its field. */
function field(control: "default" | "form", key: "answer" | "reason"): More[] {
  const scene = control === "default" ? { open: "dialog" } as const : { focus: key };
  const row = (by: string, way: string, acts: Row["acts"]): More => ({
    id: `${way}: ${control}`,
    by,
    control,
    scene,
    acts,
  });
  const input = { query: ({ query }: Stage) => query(key) };
  return [
    ...["Return", "kpenter", "re-turn", "KP_Enter", "shift+Home Return"].map((one) =>
      row("ax_key_press", `ax_key_press ${one}`, ({ app }) => [press(app, one)])
    ),
    row("ax_key_press", "ax_key_press without an application Return", () => [{
      tool: "ax_key_press",
      args: { key: "Return" },
    }]),
    ...["x\n", "\n", "\r", "x\r\n"].flatMap((text) => {
      const shown = JSON.stringify(text);
      return [
        row("ax_type", `ax_type ${shown} into the field`, (stage) => [{
          tool: "ax_type",
          args: { app: stage.app, query: input.query(stage), text, mode: "focus" },
        }]),
        row("ax_type", `ax_type ${shown}`, ({ app }) => [{ tool: "ax_type", args: { app, text } }]),
      ];
    }),
    row(
      "ax_click",
      "ax_click the field",
      (stage) => [{ tool: "ax_click", args: { app: stage.app, query: input.query(stage) } }],
    ),
    row("ax_set_value", "ax_set_value the field", (stage) => [{
      tool: "ax_set_value",
      args: { app: stage.app, query: input.query(stage), value: "x\n" },
    }]),
    row("ax_clipboard", "ax_clipboard, ctrl+v Return", ({ app }) => [
      { tool: "ax_clipboard", args: { action: "write", text: "x\n" } },
      press(app, "ctrl+v Return"),
    ]),
    row(
      "command",
      "command press numpadenter",
      () => [{ operation: "press", input: { keys: "numpadenter" } }],
    ),
    row("command", "command type into the field", (stage) => [{
      operation: "type",
      input: { text: "x\n", into: input.query(stage) },
    }]),
    row(
      "command",
      "command click the field",
      (stage) => [{ operation: "click", input: { target: input.query(stage) } }],
    ),
    row(
      "workflow file",
      "workflow type",
      (stage) => [{ steps: [{ type: { text: "x\n", into: input.query(stage) } }] }],
    ),
    row("workflow file", "workflow press Return", () => [{ steps: [{ press: "Return" }] }]),
  ];
}

/** The default button of a dialog, and of a form. */
export const DIALOG_ROWS: readonly More[] = [
  ...field("default", "answer"),
  ...field("form", "reason"),
  {
    id: "ax_click the button: default",
    by: "ax_click",
    control: "default",
    scene: { open: "dialog" },
    acts: ({ app }) => [{ tool: "ax_click", args: { app, query: 'button[name="Delete For Good"]' } }],
  },
];

const ITEM = 'menuitem[name="Delete Everything"]';

/** A menu item: its mnemonic, its accelerator, the open menu. */
export const MENU_ROWS: readonly More[] = [
  ...["alt+f d", "ctrl+d", "Control+D", "cmd+d", "alt+F D", "alt+f Down Return", "alt+f Up Return"].flatMap((
    key,
  ): More[] => [
    {
      id: `ax_key_press ${key}: menu`,
      by: "ax_key_press",
      control: "menu",
      acts: ({ app }) => [press(app, key)],
    },
    {
      id: `command press ${key}: menu`,
      by: "command",
      control: "menu",
      acts: () => [{ operation: "press", input: { keys: key } }],
    },
  ]),
  {
    id: "ax_key_press d with ctrl: menu",
    by: "ax_key_press",
    control: "menu",
    acts: ({ app }) => [{ tool: "ax_key_press", args: { app, key: "d", modifiers: ["ctrl"] } }],
  },
  {
    id: "ax_key_press without an application ctrl+d: menu",
    by: "ax_key_press",
    control: "menu",
    acts: () => [{ tool: "ax_key_press", args: { key: "ctrl+d" } }],
  },
  ...["d", "Return", "space", "Up Return", "Down Return"].map((key): More => ({
    id: `ax_key_press in the open menu ${key}: menu`,
    by: "ax_key_press",
    control: "menu",
    before: key === "Return" || key === "space" ? "walked" : "open",
    acts: () => [{ tool: "ax_key_press", args: { key } }],
  })),
  ...["d", "\n", " "].map((text): More => ({
    id: `ax_type in the open menu ${JSON.stringify(text)}: menu`,
    by: "ax_type",
    control: "menu",
    before: text === "d" ? "open" : "walked",
    acts: ({ app }) => [{ tool: "ax_type", args: { app, text } }],
  })),
  {
    id: "ax_click the item in the open menu: menu",
    by: "ax_click",
    control: "menu",
    before: "open",
    acts: ({ app }) => [{ tool: "ax_click", args: { app, query: ITEM } }],
  },
  {
    id: "ax_workflow, the menu then its item: menu",
    by: "ax_workflow",
    control: "menu",
    acts: ({ app }) => [{
      tool: "ax_workflow",
      args: {
        steps: [{ tool: "ax_key_press", args: { app, key: "alt+f" } }, {
          tool: "ax_key_press",
          args: { key: "d" },
        }],
      },
    }],
  },
  {
    id: "ax_key_press alt+f, then ax_key_press d: menu",
    by: "ax_key_press",
    control: "menu",
    acts: ({ app }) => [press(app, "alt+f"), { tool: "ax_key_press", args: { key: "d" } }],
  },
  {
    id: "command click the item in the open menu: menu",
    by: "command",
    control: "menu",
    before: "open",
    acts: () => [{ operation: "click", input: { target: ITEM } }],
  },
  {
    id: "workflow press alt+f, then d: menu",
    by: "workflow file",
    control: "menu",
    acts: () => [{ steps: [{ press: "alt+f" }, { press: "d" }] }],
  },
];

/** A menu that opens on a control. */
export const CONTEXT_ROWS: readonly More[] = [
  ...["Menu Down Return", "shift+F10 Down Return", "Menu Return"].flatMap((key): More[] => [
    {
      id: `ax_key_press ${key}: context`,
      by: "ax_key_press",
      control: "context",
      scene: { focus: "context" },
      acts: ({ app }) => [press(app, key)],
    },
    {
      id: `command press ${key}: context`,
      by: "command",
      control: "context",
      scene: { focus: "context" },
      acts: () => [{ operation: "press", input: { keys: key } }],
    },
  ]),
  {
    id: "ax_click right, then Down Return: context",
    by: "ax_click",
    control: "context",
    acts: ({ app, query }) => [
      { tool: "ax_click", args: { app, query: query("context"), click_type: "right" } },
      { tool: "ax_key_press", args: { key: "Down Return" } },
    ],
  },
  {
    id: "ax_click right, then its item: context",
    by: "ax_click",
    control: "context",
    acts: ({ app, query }) => [
      { tool: "ax_click", args: { app, query: query("context"), click_type: "right" } },
      { tool: "ax_click", args: { app, query: 'menuitem[name="Delete Here"]' } },
    ],
  },
];

/** What is set, chosen, dropped, scrolled over, taken back, removed by a key. */
export const OTHER_ROWS: readonly More[] = [
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
      { tool: "ax_click", args: { app, query: query("combo") } },
      { tool: "ax_click", args: { app, query: '[name="Erase everything"]' } },
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

const AT = ({ place }: Stage) => {
  const { x, y } = place("mute");
  return { x, y };
};
const BESIDE = { beside: "mute" } as const;

/** A window of which accessibility tells nothing, by the pointer, and with the keys in it. */
export const MUTE_ROWS: readonly More[] = [
  {
    id: "ax_click_at: mute",
    by: "ax_click_at",
    control: "mute",
    acts: (stage) => [{ tool: "ax_click_at", args: AT(stage) }],
  },
  {
    id: "ax_drag by two pixels: mute",
    by: "ax_drag",
    control: "mute",
    acts: (stage) => {
      const { x, y } = AT(stage);
      return [{
        tool: "ax_drag",
        args: { app: stage.app, from_x: x, from_y: y, to_x: x + 2, to_y: y + 1, duration_ms: 20 },
      }];
    },
  },
  {
    id: "command click-at: mute",
    by: "command",
    control: "mute",
    acts: (stage) => [{ operation: "click-at", input: AT(stage) }],
  },
  {
    id: "workflow click_at: mute",
    by: "workflow file",
    control: "mute",
    acts: (stage) => [{ steps: [{ click_at: AT(stage) }] }],
  },
  ...["Return", "spacebar", "kpenter"].map((key): More => ({
    id: `ax_key_press without an application ${key}: mute`,
    by: "ax_key_press",
    control: "mute",
    scene: BESIDE,
    acts: () => [{ tool: "ax_key_press", args: { key } }],
  })),
  {
    id: "ax_workflow of ax_key_press without an application space: mute",
    by: "ax_workflow",
    control: "mute",
    scene: BESIDE,
    acts:
      () => [{ tool: "ax_workflow", args: { steps: [{ tool: "ax_key_press", args: { key: "space" } }] } }],
  },
];

function ends({ place }: Stage) {
  const [from, to] = [place("document"), place("trash")];
  return { from_x: from.x, from_y: from.y, to_x: to.x, to_y: to.y };
}
