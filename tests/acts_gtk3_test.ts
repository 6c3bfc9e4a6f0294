import { type Act, verifyActs } from "./_acts.ts";

const entry = "textfield:visible:enabled:nth(3)";
const spin = "spinbutton:visible:enabled:nth(1)";

verifyActs({
  app: "gtk3-widget-factory",
  needs: ["/usr/bin/gtk3-widget-factory", "gtk-3-examples"],
  start: [{ launch: "gtk3-widget-factory" }, { wait: "checkbox:visible:nth(1)" }],
  acts: [
    {
      claim: "gtk3/check-box",
      method: "Action.DoAction(click)",
      was: [{ target: "checkbox:visible:enabled:nth(2)", checked: false }],
      do: { click: "checkbox:visible:enabled:nth(2)" },
      holds: [{ target: "checkbox:visible:enabled:nth(2)", checked: true }],
    },
    {
      claim: "gtk3/radio",
      method: "Action.DoAction(click)",
      was: [{ target: 'radio[name="radiobutton"]:enabled:nth(2)', checked: false }],
      do: { click: 'radio[name="radiobutton"]:enabled:nth(2)' },
      holds: [{ target: 'radio[name="radiobutton"]:enabled:nth(2)', checked: true }],
    },
    {
      claim: "gtk3/toggle",
      method: "Action.DoAction(click)",
      was: [{ target: 'toggle[name="togglebutton"]:enabled:nth(1)', checked: false }],
      do: { click: 'toggle[name="togglebutton"]:enabled:nth(1)' },
      holds: [{ target: 'toggle[name="togglebutton"]:enabled:nth(1)', checked: true }],
    },
    {
      claim: "gtk3/switch",
      method: "Action.DoAction(toggle)",
      was: [{ target: "toggle:not([name]):enabled:nth(1)", checked: false }],
      do: { set: { target: "toggle:not([name]):enabled:nth(1)", value: true } },
      holds: [{ target: "toggle:not([name]):enabled:nth(1)", checked: true }],
    },
    {
      claim: "gtk3/set-text",
      method: "EditableText.SetTextContents",
      was: [{ target: entry, text: "entry" }],
      do: { set: { target: entry, value: "Grüße, 世界" } },
      holds: [{ target: entry, text: "Grüße, 世界" }],
    },
    {
      claim: "gtk3/type-text",
      method: "XTEST keys",
      was: [{ target: entry, text: "Grüße, 世界" }],
      do: { type: { into: entry, text: " typed" } },
      holds: [{ target: entry, text: "Grüße, 世界 typed" }],
    },
    {
      claim: "gtk3/insert-text",
      method: "EditableText.InsertText",
      was: [{ target: entry, text: "Grüße, 世界 typed" }],
      do: { type: { into: entry, text: "!", background: true } },
      holds: [{ target: entry, text: { contains: "!" } }],
    },
    {
      claim: "gtk3/select-text",
      method: "Text.SetSelection",
      first: [{ set: { target: entry, value: "one two three" } }],
      was: [{ target: entry, text: "one two three" }],
      do: { select: { target: entry, text: "two" } },
    },
    {
      claim: "gtk3/context-menu",
      method: "XTEST right click",
      do: { click: { target: entry, button: "right" } },
      holds: [{ target: 'menuitem[name="Delete"]', enabled: true, visible: true }],
    },
    {
      claim: "gtk3/context-menu",
      method: "XTEST click",
      what: "choose",
      do: { click: 'menuitem[name="Delete"]' },
      holds: [{ target: entry, text: "one  three" }, { target: 'menuitem[name="Delete"]', exists: false }],
    },
    {
      claim: "gtk3/delete-text",
      method: "EditableText.SetTextContents",
      was: [{ target: entry, text: "one  three" }],
      do: { set: { target: entry, value: "" } },
      holds: [{ target: entry, text: "" }],
    },
    {
      claim: "gtk3/focus",
      method: "Component.GrabFocus",
      first: [{ focus: { target: entry } }],
      do: { focus: { target: spin } },
      holds: [{ target: spin, focused: true }],
    },
    {
      claim: "gtk3/spin",
      method: "Value.CurrentValue",
      was: [{ target: spin, value: "50" }],
      do: { set: { target: spin, value: 75 } },
      holds: [{ target: spin, value: "75" }],
    },
    {
      claim: "gtk3/slider",
      method: "Value.CurrentValue",
      was: [{ target: "slider:visible:enabled:nth(1)", value: "50" }],
      do: { set: { target: "slider:visible:enabled:nth(1)", value: 80 } },
      holds: [{ target: "slider:visible:enabled:nth(1)", value: "80" }],
    },
    {
      claim: "gtk3/combo",
      method: "Selection.SelectChild",
      was: [{ target: 'combobox[name="Left"]', count: 1 }],
      do: { set: { target: 'combobox[name="Left"]', value: "Right" } },
      holds: [{ target: 'combobox[name="Right"]', count: 2 }],
    },
    {
      claim: "gtk3/combo-entry",
      method: "Selection.SelectChild",
      what: "an item",
      do: { set: { target: "combobox:has(textfield):visible:enabled:nth(1)", value: "Mickey Mouse" } },
      holds: [{ target: "combobox:has(textfield):nth(1) textfield", text: "Mickey Mouse" }],
    },
    {
      claim: "gtk3/combo-entry",
      method: "EditableText.SetTextContents",
      what: "anything else",
      do: { set: { target: "combobox:has(textfield):visible:enabled:nth(1)", value: "Anything" } },
      holds: [{ target: "combobox:has(textfield):nth(1) textfield", text: "Anything" }],
    },
    {
      claim: "gtk3/tab",
      method: "Selection.SelectChild",
      was: [{ target: 'tab[name="page 2"]:nth(1)', selected: false }],
      do: { click: 'tab[name="page 2"]:nth(1)' },
      holds: [{ target: 'tab[name="page 2"]:nth(1)', selected: true }],
    },
    {
      claim: "gtk3/table-cell",
      method: "XTEST click",
      do: { click: 'cell[name="Orville"]' },
      holds: [{ target: 'cell[name="Orville"]', selected: true }],
    },
    {
      claim: "gtk3/scroll-by",
      method: "Value.CurrentValue",
      was: [{ target: 'scrollbar[value="120"]', exists: false }],
      do: { scroll: { target: "textarea:visible", direction: "down", amount: 120 } },
      holds: [{ target: 'scrollbar[value="120"]', exists: true }],
    },
    {
      claim: "gtk3/popover",
      method: "Action.DoAction(click)",
      do: { click: 'toggle[name="Menu"]' },
      holds: [{ target: 'button[name="About Widget Factory"]', visible: true }],
    },
    {
      claim: "gtk3/dialog",
      method: "XTEST click",
      what: "opens",
      do: { click: 'button[name="About Widget Factory"]' },
      holds: [{ target: 'dialog:has(button[name="Close"])', visible: true }],
    },
    {
      claim: "gtk3/button",
      method: "XTEST click",
      do: { click: 'dialog button[name="Close"]' },
      holds: [{ target: 'dialog:has(button[name="Close"]):visible', exists: false }],
      then: [{ click: 'toggle[name="Menu"]' }, { click: 'button[name="About Widget Factory"]' }],
    },
    {
      claim: "gtk3/dialog",
      method: "XTEST click",
      what: "closes",
      do: { click: 'dialog button[name="Close"]' },
      holds: [{ target: 'dialog:has(button[name="Close"]):visible', exists: false }],
    },
  ],
});

const test = 'menubar > menu[name^="test"]';
const nested = `${test} > menu[name="item  2 - 2"] > radiomenuitem[name="item  1 - 3"]`;
const icons = 'window[name="Icon View Basics"] panel:has(> icon)';
const rowNamed = (name: string) => `listitem:has(> label[name="${name}"])`;

/** One of GTK's demonstrations, in a window of its own. */
function demo(run: string, window: string, acts: readonly Act[]): void {
  verifyActs({
    app: "gtk3-demo",
    part: run,
    needs: ["/usr/bin/gtk3-demo", "gtk-3-examples"],
    start: [{ launch: { app: "gtk3-demo", args: [`--run=${run}`] } }, { wait: `window[name="${window}"]` }],
    acts,
  });
}

verifyActs({
  app: "gtk3-demo",
  needs: ["/usr/bin/gtk3-demo", "gtk-3-examples"],
  start: [{ launch: "gtk3-demo" }, { wait: 'cell[name="Assistant"]' }],
  acts: [
    {
      claim: "gtk3/tree-row",
      method: "Selection.SelectChild",
      do: { select: { target: 'cell[name="Clipboard"]' } },
      holds: [{ target: 'cell[name="Clipboard"]', selected: true }],
    },
    {
      claim: "gtk3/tree-expand",
      method: "Action.DoAction(expand or contract)",
      was: [{ target: 'cell[name="Benchmark"]', expanded: false }],
      do: { set: { target: 'cell:has(> cell[name="Benchmark"])', value: true } },
      holds: [{ target: 'cell[name="Fishbowl"]', exists: true }],
    },
    {
      claim: "gtk3/window",
      method: "_NET_MOVERESIZE_WINDOW",
      what: "place",
      do: { window: { do: "place", x: 30, y: 40, width: 900, height: 500 } },
    },
    {
      claim: "gtk3/window",
      method: "WM_CHANGE_STATE",
      what: "minimise",
      do: { window: "minimise" },
    },
    {
      claim: "gtk3/window",
      method: "_NET_ACTIVE_WINDOW",
      what: "restore",
      do: { window: "restore" },
    },
  ],
});

demo("menus", "Menus", [
  {
    claim: "gtk3/menu-item",
    method: "Action.DoAction(click)",
    do: { click: test },
    holds: [{ target: `${test} > menu[name="item  2 - 2"]`, visible: true }],
  },
  {
    claim: "gtk3/submenu",
    method: "Action.DoAction(click)",
    what: "opens",
    do: { click: `${test} > menu[name="item  2 - 2"]` },
    holds: [{ target: nested, visible: true, checked: false }],
  },
  {
    claim: "gtk3/submenu",
    method: "XTEST click",
    what: "choose",
    do: { click: nested },
    holds: [{ target: nested, visible: false, checked: true }],
  },
]);

demo("sidebar", "Stack Sidebar", [
  {
    claim: "gtk3/list-row",
    method: "Selection.SelectChild",
    was: [{ target: rowNamed("Scrolling"), selected: false }],
    do: { select: { target: rowNamed("Scrolling") } },
    holds: [{ target: rowNamed("Scrolling"), selected: true }],
  },
  {
    claim: "gtk3/scroll-to",
    method: "XTEST wheel",
    was: [{ target: rowNamed("Page 9"), visible: false }],
    do: { scroll: rowNamed("Page 9") },
    holds: [{ target: rowNamed("Page 9"), visible: true }],
    then: [{ click: rowNamed("Welcome to GTK+") }],
  },
  {
    claim: "gtk3/off-screen",
    method: "Selection.SelectChild",
    do: { select: { target: rowNamed("Page 9") } },
    holds: [{ target: rowNamed("Page 9"), selected: true }],
  },
]);

demo("iconview", "Icon View Basics", [
  {
    claim: "gtk3/several-rows",
    method: "Selection.SelectChild",
    do: { select: { target: icons, items: ["etc", "home"] } },
    holds: [{ target: 'icon:has-text("etc")', selected: true }, {
      target: 'icon:has-text("boot")',
      selected: false,
    }],
  },
]);

demo("iconview_edit", "Editing and Drag-and-Drop", [
  {
    claim: "gtk3/drag",
    method: "XTEST drag",
    do: { drag: { from: 'icon:has-text("Red")', to: 'icon:has-text("Yellow")' } },
    holds: [{ target: 'icon:nth(1):has-text("Green")', exists: true }],
  },
  {
    claim: "gtk3/window",
    method: "_NET_CLOSE_WINDOW",
    what: "close",
    do: { window: { do: "close", title: "Editing and Drag-and-Drop" } },
    holds: [{ target: 'window[name="Editing and Drag-and-Drop"]', exists: false }],
  },
]);
