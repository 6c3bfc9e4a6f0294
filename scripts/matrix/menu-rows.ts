import { type More, press } from "./more.ts";

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
    acts: ({ app }) => [{ tool: "ax_click", args: { app, query: ITEM, mode: "focus" } }],
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
      { tool: "ax_click", args: { app, query: query("context"), click_type: "right", mode: "focus" } },
      { tool: "ax_key_press", args: { key: "Down Return" } },
    ],
  },
  {
    id: "ax_click right, then its item: context",
    by: "ax_click",
    control: "context",
    acts: ({ app, query }) => [
      { tool: "ax_click", args: { app, query: query("context"), click_type: "right", mode: "focus" } },
      { tool: "ax_click", args: { app, query: 'menuitem[name="Delete Here"]', mode: "focus" } },
    ],
  },
];
