import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Act, type Step, verifyActs } from "./_acts.ts";

const examples = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets";

/** One of the examples of Qt 5, as Debian builds them. */
function example(path: string, ready: string, acts: readonly Act[], name?: string): void {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const app = name ?? file;
  const program = `${examples}/${path}/${file}`;
  const start: Step[] = [{ launch: program }, { wait: ready }];
  verifyActs({ app, needs: [program, "qtbase5-examples"], start, acts });
}

const area = "textarea:visible";
const spin = "spinbutton:nth(1)";

example("gallery", "dial", [
  {
    claim: "qt5/check-box",
    method: "XTEST click",
    was: [{ target: 'checkbox[name="Toggle Push Button"]', checked: true }],
    do: { click: 'checkbox[name="Toggle Push Button"]' },
    holds: [{ target: 'checkbox[name="Toggle Push Button"]', checked: false }],
  },
  {
    claim: "qt5/radio",
    method: "XTEST click",
    was: [{ target: 'radio[name="Radio button 1"]', checked: true }],
    do: { click: 'radio[name="Radio button 2"]' },
    holds: [{ target: 'radio[name="Radio button 2"]', checked: true }],
  },
  {
    claim: "qt5/spin",
    method: "Value.CurrentValue",
    was: [{ target: spin, value: "50" }],
    do: { set: { target: spin, value: 75 } },
    holds: [{ target: spin, value: "75" }],
  },
  {
    claim: "qt5/slider",
    method: "Value.CurrentValue",
    was: [{ target: "slider", value: "40" }],
    do: { set: { target: "slider", value: 80 } },
    holds: [{ target: "slider", value: "80" }],
  },
  {
    claim: "qt5/combo",
    method: "XTEST keys",
    was: [{ target: "combobox:nth(1)", title: "Fusion" }],
    do: { set: { target: "combobox:nth(1)", value: "Windows" } },
    holds: [{ target: "combobox:nth(1)", title: "Windows" }],
  },
  {
    claim: "qt5/focus",
    method: "Component.GrabFocus",
    do: { focus: { target: "slider" } },
    holds: [{ target: "slider", focused: true }],
  },
  {
    claim: "qt5/tab",
    method: "Action.DoAction(Press)",
    was: [{ target: 'tab[name="List"]', selected: false }],
    do: { click: 'tab[name="List"]' },
    holds: [{ target: 'tab[name="List"]', selected: true }],
  },
  {
    claim: "qt5/list-row",
    method: "Action.DoAction(Toggle)",
    was: [{ target: 'listitem[name="Computer"]:visible:selected', exists: false }],
    do: { select: { target: 'listitem[name="Computer"]:visible:nth(1)' } },
    holds: [{ target: 'listitem[name="Computer"]:visible:nth(1)', selected: true }],
  },
  {
    claim: "qt5/button",
    method: "XTEST click",
    do: { click: 'button[name="Text Edit"]' },
    holds: [{ target: area, exists: true }],
  },
  {
    claim: "qt5/set-text",
    method: "EditableText.SetTextContents",
    do: { set: { target: area, value: "Grüße, 世界" } },
    holds: [{ target: area, text: "Grüße, 世界" }],
  },
  {
    claim: "qt5/type-text",
    method: "XTEST keys",
    was: [{ target: area, text: "Grüße, 世界" }],
    do: { type: { into: area, text: " typed" } },
    holds: [{ target: area, text: "Grüße, 世界 typed" }],
  },
  {
    claim: "qt5/insert-text",
    method: "EditableText.InsertText",
    was: [{ target: area, text: "Grüße, 世界 typed" }],
    do: { type: { into: area, text: "!", background: true } },
    holds: [{ target: area, text: { contains: "!" } }],
  },
  {
    claim: "qt5/delete-text",
    method: "EditableText.SetTextContents",
    first: [{ set: { target: area, value: "one two three" } }],
    was: [{ target: area, text: "one two three" }],
    do: { set: { target: area, value: "" } },
    holds: [{ target: area, text: "" }],
  },
  {
    claim: "qt5/select-text",
    method: "Text.SetSelection",
    first: [{ set: { target: area, value: "one two three" } }],
    do: { select: { target: area, text: "two" } },
  },
]);

const chapter = 'cell[name="Getting Started"]';
const section = 'cell[name="Launching Designer"]';

example("itemviews/editabletreemodel", chapter, [
  {
    claim: "qt5/tree-expand",
    method: "XTEST click",
    was: [{ target: section, exists: false }],
    do: { set: { target: chapter, value: true } },
    holds: [{ target: section, visible: true }],
  },
  {
    claim: "qt5/tree-row",
    method: "XTEST click",
    do: { click: section },
    holds: [{ target: section, selected: true }],
  },
  {
    claim: "qt5/tree-expand",
    method: "XTEST click",
    what: "collapse",
    do: { set: { target: chapter, value: false } },
    holds: [{ target: section, exists: false }],
  },
]);

example("itemviews/spreadsheet", 'cell[name="Taxi"]', [
  {
    claim: "qt5/table-cell",
    method: "Action.DoAction(Toggle)",
    was: [{ target: 'cell[name="Taxi"]', selected: false }],
    do: { select: { target: 'cell[name="Taxi"]' } },
    holds: [{ target: 'cell[name="Taxi"]', selected: true }],
  },
  {
    claim: "qt5/several-rows",
    method: "Action.DoAction(Toggle)",
    do: { select: { target: "table", items: ["Dinner", "Lunch"] } },
    holds: [{ target: "table > cell:selected", count: 2 }],
  },
]);

example("mainwindows/menus", "menubar", [
  {
    claim: "qt5/menu-item",
    method: "XTEST click",
    first: [{ click: 'menubar > menuitem[name="File"]' }],
    do: { click: 'menuitem[name="New"]' },
    holds: [{ target: 'label[name*="File|New"]', exists: true }],
  },
  {
    claim: "qt5/submenu",
    method: "XTEST click",
    first: [{ click: 'menubar > menuitem[name="Edit"]' }, { click: 'menuitem[name="Format"]' }],
    do: { click: 'menuitem[name="Bold"]' },
    holds: [{ target: 'label[name*="Edit|Format|Bold"]', exists: true }],
  },
  {
    // Its items are not in the tree: they are chosen with the keyboard.
    claim: "qt5/context-menu",
    method: "XTEST right click",
    do: { click: { target: 'label[name*="Format"]', button: "right" } },
    then: [{ press: "Down Down Return" }, { assert: { target: 'label[name*="Edit|Copy"]' } }],
  },
  {
    claim: "qt5/window",
    method: "_NET_MOVERESIZE_WINDOW",
    what: "place",
    do: { window: { do: "place", x: 30, y: 40 } },
  },
  { claim: "qt5/window", method: "WM_CHANGE_STATE", what: "minimise", do: { window: "minimise" } },
  { claim: "qt5/window", method: "_NET_ACTIVE_WINDOW", what: "restore", do: { window: "restore" } },
  { claim: "qt5/window", method: "_NET_CLOSE_WINDOW", what: "close", do: { window: "close" } },
]);

example("mainwindows/application", "textarea", [
  {
    claim: "qt5/dialog",
    method: "XTEST click",
    do: { click: 'toolbar button[name="Open"]' },
    holds: [{ target: 'dialog[name="Open"]', visible: true }],
  },
  {
    claim: "qt5/dialog",
    method: "XTEST click",
    what: "answer it",
    do: { click: 'dialog[name="Open"] button[name="Cancel"]' },
    holds: [{ target: 'dialog[name="Open"]', exists: false }],
  },
  {
    claim: "qt5/scroll-by",
    method: "Value.CurrentValue",
    first: [{ set: { target: "textarea", value: "line\n".repeat(200) } }],
    do: { scroll: { target: "textarea", direction: "down", amount: 20 } },
    holds: [{ target: 'scrollbar[value="20"]', exists: true }],
  },
], "Application Example");

example("draganddrop/draggabletext", 'label[name="paper"]', [
  {
    claim: "qt5/drag",
    method: "XTEST drag",
    moves: 'label[name="paper"]',
    do: { drag: { from: 'label[name="paper"]', to: 'label[name="articles"]', duration: "1s" } },
  },
]);

const widgets = fileURLToPath(new URL("fixtures/widgets-qt", import.meta.url));
const bindings = "/usr/lib/python3/dist-packages/PyQt5";
const name = (n: number) => `listitem[name="Name ${n}"]`;

verifyActs({
  app: "widgets-qt5",
  part: "(PyQt5)",
  needs: [existsSync(bindings) ? widgets : bindings, "python3-pyqt5"],
  start: [{ launch: { app: widgets, args: ["5"] } }, { wait: "slider" }],
  acts: [
    {
      claim: "qt5/toggle",
      method: "XTEST click",
      was: [{ target: 'checkbox[name="Bold"]', checked: false }],
      do: { click: 'checkbox[name="Bold"]' },
      holds: [{ target: 'checkbox[name="Bold"]', checked: true }],
    },
    {
      claim: "qt5/combo-entry",
      method: "XTEST keys",
      was: [{ target: "combobox", title: "one" }],
      do: { set: { target: "combobox", value: "two" } },
      holds: [{ target: "combobox", title: "two" }],
    },
    {
      claim: "qt5/combo-entry",
      method: "EditableText.SetTextContents",
      do: { set: { target: "combobox", value: "something else" } },
      holds: [{ target: "combobox", title: "something else" }],
    },
    {
      claim: "qt5/scroll-to",
      method: "XTEST wheel",
      first: [{ click: 'tab[name="Items"]' }],
      was: [{ target: name(40), visible: false }],
      do: { scroll: { target: name(40) } },
      holds: [{ target: name(40), visible: true }],
    },
    {
      claim: "qt5/off-screen",
      method: "XTEST click",
      first: [{ assert: { target: name(2), visible: false } }],
      do: { click: name(2) },
      holds: [{ target: name(2), selected: true }],
    },
  ],
});
