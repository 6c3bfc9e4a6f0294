import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Act, verifyActs } from "./_acts.ts";

const entry = 'textfield[name="GtkEntry"]:visible:enabled:nth(4)';
const spin = "spinbutton:visible:enabled:nth(1)";
const box = 'checkbox[name="checkbutton"]:visible:enabled:nth(2)';
const radio = 'checkbox[name="radiobutton"]:visible:enabled';
const toggle = 'button[name="togglebutton"]:visible:enabled:nth(1)';
const town = 'tab:has(> label[name="NYC"])';
const area = 'textarea[name="GtkTextView"]:visible';
const written = "combobox:has(textfield):visible:enabled:nth(1)";

verifyActs({
  app: "gtk4-widget-factory",
  needs: ["/usr/bin/gtk4-widget-factory", "gtk-4-examples"],
  start: [{ launch: "gtk4-widget-factory" }, { wait: "checkbox:visible:nth(1)" }],
  acts: [
    {
      claim: "gtk4/scroll-by",
      method: "Value.CurrentValue",
      do: { scroll: { target: "textarea:visible", direction: "down", amount: 120 } },
      holds: [{ target: 'scrollbar:has(filler[value="120"])', exists: true }],
    },
    {
      claim: "gtk4/check-box",
      method: "XTEST click",
      do: { click: box },
      holds: [{ target: box, checked: true }],
    },
    {
      claim: "gtk4/radio",
      method: "XTEST click",
      do: { click: `${radio}:nth(2)` },
      holds: [{ target: `${radio}:nth(2)`, checked: true }, { target: `${radio}:nth(1)`, checked: false }],
    },
    {
      claim: "gtk4/toggle",
      method: "XTEST click",
      what: "in",
      do: { click: toggle },
      holds: [{ target: toggle, checked: true }],
    },
    {
      claim: "gtk4/toggle",
      method: "XTEST click",
      what: "out",
      was: [{ target: toggle, checked: true }],
      do: { click: toggle },
      holds: [{ target: toggle, checked: false }],
    },
    {
      claim: "gtk4/switch",
      method: "XTEST click",
      do: { set: { target: 'checkbox[name="GtkSwitch"]:visible:enabled:nth(1)', value: true } },
      holds: [{ target: 'checkbox[name="GtkSwitch"]:visible:enabled:nth(1)', checked: true }],
    },
    {
      claim: "gtk4/set-text",
      method: "EditableText.SetTextContents",
      do: { set: { target: entry, value: "Grüße, 世界" } },
      holds: [{ target: entry, text: "Grüße, 世界" }],
    },
    {
      claim: "gtk4/type-text",
      method: "XTEST keys",
      do: { type: { into: entry, text: " typed" } },
      holds: [{ target: entry, text: "Grüße, 世界 typed" }],
    },
    {
      claim: "gtk4/insert-text",
      method: "EditableText.InsertText",
      do: { type: { into: entry, text: "!", background: true } },
      holds: [{ target: entry, text: { contains: "!" } }],
    },
    {
      claim: "gtk4/select-text",
      method: "Text.SetSelection",
      first: [{ set: { target: entry, value: "one two three" } }],
      do: { select: { target: entry, text: "two" } },
    },
    {
      claim: "gtk4/context-menu",
      method: "XTEST right click",
      first: [
        { set: { target: area, value: "one two three" } },
        { select: { target: area, text: "two" } },
      ],
      do: { click: { target: area, button: "right" } },
      holds: [{ target: 'menuitem[name="Delete"]', enabled: true, visible: true }],
    },
    {
      claim: "gtk4/context-menu",
      method: "XTEST click",
      what: "choose",
      do: { click: 'menuitem[name="Delete"]' },
      holds: [{ target: area, text: "one  three" }],
    },
    {
      claim: "gtk4/delete-text",
      method: "EditableText.SetTextContents",
      do: { set: { target: entry, value: "" } },
      holds: [{ target: entry, text: "" }],
    },
    {
      claim: "gtk4/focus",
      method: "XTEST click",
      first: [{ press: "Tab" }],
      do: { focus: { target: entry } },
      holds: [{ target: entry, focused: true }],
    },
    {
      claim: "gtk4/spin",
      method: "Value.CurrentValue",
      do: { set: { target: spin, value: 75 } },
      holds: [{ target: spin, value: "75" }],
    },
    {
      claim: "gtk4/slider",
      method: "Value.CurrentValue",
      do: { set: { target: "slider:visible:enabled:nth(1)", value: 80 } },
      holds: [{ target: "slider:visible:enabled:nth(1)", value: "80" }],
    },
    {
      claim: "gtk4/combo-entry",
      method: "EditableText.SetTextContents",
      do: { set: { target: written, value: "Anything" } },
      holds: [{ target: `${written} textfield`, text: "Anything" }],
    },
    {
      claim: "gtk4/tab",
      method: "Selection.SelectChild",
      do: { click: town },
      holds: [{ target: town, selected: true }],
    },
    {
      claim: "gtk4/window",
      method: "_NET_MOVERESIZE_WINDOW",
      what: "place",
      do: { window: { do: "place", x: 30, y: 40 } },
    },
    {
      claim: "gtk4/popover",
      method: "XTEST click",
      do: { click: 'button[name="GtkMenuButton"] > button[name="GtkMenuButton"]:visible' },
      holds: [{ target: 'menuitem[name="About Widget Factory"]', visible: true }],
      then: [{ press: "Escape" }],
    },
    { claim: "gtk4/window", method: "WM_CHANGE_STATE", what: "minimise", do: { window: "minimise" } },
    { claim: "gtk4/window", method: "_NET_ACTIVE_WINDOW", what: "restore", do: { window: "restore" } },
  ],
});

/** One of GTK's demonstrations, in a window of its own. */
function demo(run: string, window: string, acts: readonly Act[]): void {
  verifyActs({
    app: "gtk4-demo",
    part: run,
    needs: ["/usr/bin/gtk4-demo", "gtk-4-examples"],
    start: [{ launch: { app: "gtk4-demo", args: [`--run=${run}`] } }, { wait: `window[name="${window}"]` }],
    acts,
  });
}

const minutes = "combobox:nth(1)";

demo("dropdown", "Selections", [
  {
    claim: "gtk4/combo",
    method: "XTEST keys",
    was: [{ target: minutes, value: "1 minute" }],
    do: { set: { target: minutes, value: "5 minutes" } },
    holds: [{ target: minutes, value: "5 minutes" }],
  },
]);

demo("dialog", "Dialogs", [
  {
    claim: "gtk4/button",
    method: "XTEST click",
    do: { click: 'button:has(label[name="Message Dialog"])' },
    holds: [{ target: 'button:has(label[name="OK"]):visible', exists: true }],
    // The next one has a button of the same name: it is not to be taken for one that is about to go.
    then: [
      { click: 'button:has(label[name="OK"]):visible' },
      { assert: { target: 'button:has(label[name="OK"])', exists: false } },
    ],
  },
  {
    claim: "gtk4/dialog",
    method: "XTEST click",
    what: "opens",
    do: { click: 'button:has(label[name="Interactive Dialog"])' },
    holds: [{ target: 'button:has(label[name="OK"]):visible', exists: true }],
  },
  {
    claim: "gtk4/dialog",
    method: "XTEST click",
    what: "closes",
    do: { click: 'button:has(label[name="OK"]):visible' },
    holds: [{ target: 'button:has(label[name="OK"]):visible', exists: false }],
  },
  {
    claim: "gtk4/window",
    method: "_NET_CLOSE_WINDOW",
    what: "close",
    do: { window: "close" },
  },
]);

demo("dnd", "Drag-and-Drop", [
  {
    claim: "gtk4/drag",
    method: "XTEST drag",
    moves: 'label[name="Item 1"]',
    do: { drag: { from: 'label[name="Item 1"]', to: 'label[name="Item 3"]', duration: "1s" } },
  },
]);

demo("listview_ucd", "Characters", [
  {
    claim: "gtk4/table-cell",
    method: "Selection.SelectChild",
    do: { select: { target: 'cell:has(label[name="0x0005"])' } },
    holds: [{ target: 'cell:has(label[name="0x0005"])', selected: true }],
  },
]);

const row = (name: string) => `listitem:has(label[name="${name}"])`;

verifyActs({
  app: "gtk4-demo",
  needs: ["/usr/bin/gtk4-demo", "gtk-4-examples"],
  start: [{ launch: "gtk4-demo" }, { wait: row("Assistant") }],
  acts: [
    {
      claim: "gtk4/list-row",
      method: "Selection.SelectChild",
      do: { select: { target: row("Assistant") } },
      holds: [{ target: row("Assistant"), selected: true }],
    },
    {
      claim: "gtk4/tree-row",
      method: "Selection.SelectChild",
      do: { select: { target: row("Clipboard") } },
      holds: [{ target: row("Clipboard"), selected: true }],
    },
    {
      claim: "gtk4/tree-expand",
      method: "Action.DoAction(listitem.collapse)",
      do: { set: { target: 'panel[name="Benchmark"]', value: false } },
      holds: [{ target: row("Fishbowl"), exists: false }],
    },
    {
      claim: "gtk4/scroll-to",
      method: "XTEST wheel",
      do: { scroll: row("Header Bar") },
    },
    {
      claim: "gtk4/off-screen",
      method: "Selection.SelectChild",
      do: { select: { target: row("Menu") } },
      holds: [{ target: row("Menu"), selected: true }],
    },
  ],
});

verifyActs({
  app: "gtk4-demo-application",
  needs: ["/usr/bin/gtk4-demo-application", "gtk-4-examples"],
  start: [{ launch: "gtk4-demo-application" }, { wait: 'menuitem[name="File"]' }],
  acts: [
    {
      claim: "gtk4/menu-item",
      method: "XTEST click",
      what: "opens",
      do: { click: 'menuitem[name="Application"]' },
      holds: [{ target: 'menuitem[name="Save"]', visible: true }],
    },
    {
      claim: "gtk4/menu-item",
      method: "XTEST click",
      what: "choose",
      do: { click: 'menuitem[name="Save"]' },
      holds: [{ target: 'label[name*="activated action"]', exists: true }],
    },
    {
      claim: "gtk4/submenu",
      method: "XTEST click",
      what: "opens",
      first: [{ click: 'menuitem[name="File"]' }],
      do: { click: 'menuitem[name="Color"]' },
      holds: [{ target: 'menuitem[name="Green"]', visible: true }],
    },
    {
      claim: "gtk4/submenu",
      method: "XTEST click",
      what: "choose",
      do: { click: 'menuitem[name="Green"]' },
      holds: [{ target: 'menuitem[name="Green"]', exists: false }],
      then: [
        { click: 'menuitem[name="File"]' },
        { click: 'menuitem[name="Color"]' },
        { assert: { target: 'menuitem[name="Green"]', checked: true } },
        { click: 'menuitem[name="Red"]' },
      ],
    },
    {
      claim: "gtk4/submenu",
      method: "XTEST click",
      what: "choose what tells of it",
      first: [{ click: 'menuitem[name="File"]' }, { click: 'menuitem[name="Shape"]' }],
      do: { click: 'menuitem[name="Square"]' },
      holds: [{ target: 'label[name*="Current value: square"]', visible: true }],
    },
  ],
});

const widgets = fileURLToPath(new URL("fixtures/widgets-gtk4", import.meta.url));
const bindings = "/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-4.0.typelib";

verifyActs({
  app: "widgets-gtk4",
  part: "(PyGObject)",
  needs: [
    existsSync(bindings) ? "/usr/lib/python3/dist-packages/gi" : bindings,
    "python3-gi and gir1.2-gtk-4.0",
  ],
  start: [{ launch: { app: widgets } }, { wait: row("Name 5") }],
  acts: [
    {
      claim: "gtk4/several-rows",
      method: "Selection.SelectChild",
      do: { select: { target: "list", items: ["Name 1", "Name 3"] } },
      holds: [{ target: "list > listitem:selected", count: 2 }],
    },
  ],
});
