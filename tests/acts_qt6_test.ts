import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { verifyActs } from "./_acts.ts";

const spin = "spinbutton:visible:nth(1)";
const field = "dialog textfield";
const tabs = 'tablist:has(> tab[name="Interface"])';

verifyActs({
  app: "qt6ct",
  needs: ["/usr/bin/qt6ct", "qt6ct"],
  start: [{ launch: "qt6ct" }, { wait: "combobox:nth(1)" }],
  acts: [
    {
      claim: "qt6/combo",
      method: "XTEST keys",
      was: [{ target: "combobox:nth(1)", title: "Fusion" }],
      do: { set: { target: "combobox:nth(1)", value: "Windows" } },
      holds: [{ target: "combobox:nth(1)", title: "Windows" }],
    },
    {
      claim: "qt6/radio",
      method: "XTEST click",
      was: [{ target: 'radio[name="Custom"]', checked: false }],
      do: { click: 'radio[name="Custom"]' },
      holds: [{ target: 'radio[name="Custom"]', checked: true }],
    },
    {
      claim: "qt6/tab",
      method: "Action.DoAction(Press)",
      what: "by its row of tabs",
      was: [{ target: 'tab[name="Interface"]', selected: false }],
      do: { set: { target: tabs, value: "Interface" } },
      holds: [{ target: 'tab[name="Interface"]', selected: true }],
    },
    {
      claim: "qt6/spin",
      method: "Value.CurrentValue",
      was: [{ target: spin, value: "400" }],
      do: { set: { target: spin, value: 500 } },
      holds: [{ target: spin, value: "500" }],
    },
    {
      claim: "qt6/focus",
      method: "Component.GrabFocus",
      do: { focus: { target: 'checkbox[name="Menus have icons"]' } },
      holds: [{ target: 'checkbox[name="Menus have icons"]', focused: true }],
    },
    {
      claim: "qt6/check-box",
      method: "XTEST click",
      was: [{ target: 'checkbox[name="Menus have icons"]', checked: true }],
      do: { click: 'checkbox[name="Menus have icons"]' },
      holds: [{ target: 'checkbox[name="Menus have icons"]', checked: false }],
    },
    {
      claim: "qt6/list-row",
      method: "Action.DoAction(Toggle)",
      first: [{ click: 'tab[name="Style Sheets"]' }],
      was: [{ target: 'listitem[name="fusion-fixes.qss"]', selected: false }],
      do: { select: { target: 'listitem[name="fusion-fixes.qss"]' } },
      holds: [{ target: 'listitem[name="fusion-fixes.qss"]', selected: true }],
    },
    {
      claim: "qt6/button",
      method: "XTEST click",
      do: { click: 'button[name="Create"]' },
      holds: [{ target: "dialog", title: "Enter Style Sheet Name" }],
    },
    {
      claim: "qt6/set-text",
      method: "EditableText.SetTextContents",
      was: [{ target: field, text: "" }],
      do: { set: { target: field, value: "Grüße, 世界" } },
      holds: [{ target: field, text: "Grüße, 世界" }],
    },
    {
      claim: "qt6/type-text",
      method: "XTEST keys",
      was: [{ target: field, text: "Grüße, 世界" }],
      do: { type: { into: field, text: " typed" } },
      holds: [{ target: field, text: "Grüße, 世界 typed" }],
    },
    {
      claim: "qt6/delete-text",
      method: "EditableText.SetTextContents",
      do: { set: { target: field, value: "" } },
      holds: [{ target: field, text: "" }],
    },
    {
      claim: "qt6/dialog",
      method: "XTEST click",
      do: { click: 'dialog[name="Enter Style Sheet Name"] button[name="Cancel"]' },
      holds: [{ target: 'dialog[name="Enter Style Sheet Name"]', exists: false }],
    },
    {
      claim: "qt6/tree-row",
      method: "Action.DoAction(Toggle)",
      first: [{ click: 'tab[name="Icon Theme"]' }],
      do: { select: { target: 'cell[name="Adwaita"]' } },
      holds: [{ target: 'cell[name="Adwaita"]', selected: true }],
    },
    {
      claim: "qt6/window",
      method: "_NET_MOVERESIZE_WINDOW",
      what: "place",
      do: { window: { do: "place", x: 30, y: 40 } },
    },
    { claim: "qt6/window", method: "WM_CHANGE_STATE", what: "minimise", do: { window: "minimise" } },
    { claim: "qt6/window", method: "_NET_ACTIVE_WINDOW", what: "restore", do: { window: "restore" } },
    { claim: "qt6/window", method: "_NET_CLOSE_WINDOW", what: "close", do: { window: "close" } },
  ],
});

const widgets = fileURLToPath(new URL("fixtures/widgets-qt", import.meta.url));
const names = 'list[name="Names"]';
const name = (n: number) => `listitem[name="Name ${n}"]`;
const area = 'textarea[name="Notes"]';
const harbour = 'cell[name="Harbour"]';
const inn = 'cell[name="Harbour inn"]';

verifyActs({
  app: "widgets-qt6",
  part: "(PyQt6)",
  needs: [
    existsSync("/usr/lib/python3/dist-packages/PyQt6") ? widgets : "/usr/lib/python3/dist-packages/PyQt6",
    "python3-pyqt6",
  ],
  start: [{ launch: { app: widgets, args: ["6"] } }, { wait: "slider" }],
  acts: [
    {
      claim: "qt6/toggle",
      method: "XTEST click",
      was: [{ target: 'checkbox[name="Bold"]', checked: false }],
      do: { click: 'checkbox[name="Bold"]' },
      holds: [{ target: 'checkbox[name="Bold"]', checked: true }],
    },
    {
      claim: "qt6/slider",
      method: "Value.CurrentValue",
      was: [{ target: "slider", value: "40" }],
      do: { set: { target: "slider", value: 80 } },
      holds: [{ target: "slider", value: "80" }],
    },
    {
      claim: "qt6/combo-entry",
      method: "XTEST keys",
      was: [{ target: "combobox", title: "one" }],
      do: { set: { target: "combobox", value: "two" } },
      holds: [{ target: "combobox", title: "two" }],
    },
    {
      claim: "qt6/combo-entry",
      method: "EditableText.SetTextContents",
      do: { set: { target: "combobox", value: "something else" } },
      holds: [{ target: "combobox", title: "something else" }],
    },
    {
      claim: "qt6/menu-item",
      method: "XTEST click",
      first: [{ click: 'menubar > menuitem[name="Things"]' }],
      do: { click: 'menuitem[name="First"]' },
      holds: [{ target: 'label[name="chosen: First"]', exists: true }],
    },
    {
      claim: "qt6/submenu",
      method: "XTEST click",
      first: [{ click: 'menubar > menuitem[name="Things"]' }, { click: 'menuitem[name="More"]' }],
      do: { click: 'menuitem[name="Second"]' },
      holds: [{ target: 'label[name="chosen: Second"]', exists: true }],
    },
    {
      claim: "qt6/context-menu",
      method: "XTEST right click",
      do: { click: { target: 'label[name="Volume"]', button: "right" } },
      then: [{ press: "Down Down Return" }, { assert: { target: 'label[name="chosen: Fourth"]' } }],
    },
    {
      claim: "qt6/several-rows",
      method: "Action.DoAction(Toggle)",
      first: [{ click: 'tab[name="Items"]' }],
      do: { select: { target: names, items: ["Name 1", "Name 3"] } },
      holds: [{ target: `${names} > listitem:selected`, count: 2 }],
    },
    {
      claim: "qt6/scroll-to",
      method: "XTEST wheel",
      was: [{ target: name(40), visible: false }],
      do: { scroll: { target: name(40) } },
      holds: [{ target: name(40), visible: true }],
    },
    {
      claim: "qt6/off-screen",
      method: "XTEST click",
      first: [{ assert: { target: name(2), visible: false } }],
      do: { click: name(2) },
      holds: [{ target: name(2), selected: true }],
    },
    {
      claim: "qt6/tree-expand",
      method: "XTEST click",
      was: [{ target: inn, exists: false }],
      do: { set: { target: harbour, value: true } },
      holds: [{ target: inn, visible: true }],
    },
    {
      claim: "qt6/tree-expand",
      method: "XTEST click",
      what: "collapse",
      do: { set: { target: harbour, value: false } },
      holds: [{ target: inn, exists: false }],
    },
    {
      claim: "qt6/table-cell",
      method: "Action.DoAction(Toggle)",
      was: [{ target: 'cell[name="price 1 0"]', selected: false }],
      do: { select: { target: 'cell[name="price 1 0"]' } },
      holds: [{ target: 'cell[name="price 1 0"]', selected: true }],
    },
    {
      claim: "qt6/insert-text",
      method: "EditableText.InsertText",
      first: [{ click: 'tab[name="Text"]' }],
      do: { type: { into: area, text: "one two three", background: true } },
      holds: [{ target: area, text: "one two three" }],
    },
    {
      claim: "qt6/select-text",
      method: "Text.SetSelection",
      do: { select: { target: area, text: "two" } },
    },
    {
      claim: "qt6/scroll-by",
      method: "Value.CurrentValue",
      first: [{ set: { target: area, value: "line\n".repeat(200) } }],
      do: { scroll: { target: area, direction: "down", amount: 20 } },
      holds: [{ target: 'scrollbar[value="20"]', exists: true }],
    },
    {
      claim: "qt6/drag",
      method: "XTEST drag",
      first: [{ click: 'tab[name="Boxes"]' }],
      moves: 'label[name="here"]',
      do: { drag: { from: 'label[name="here"]', to: 'label[name="there"]', duration: "1s" } },
    },
  ],
});
