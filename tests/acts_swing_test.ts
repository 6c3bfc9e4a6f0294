import { fileURLToPath } from "node:url";
import { verifyActs } from "./_acts.ts";
import { isInstalled } from "./_installed.ts";

const form = fileURLToPath(new URL("fixtures/swing/Form.java", import.meta.url));
const field = 'textfield[name="Name"]';
const list = 'list[name="Fruit"]';
const fruit = (name: string) => `listitem[name="${name}"]`;
const place = (name: string) => `treeitem[name="${name}"]`;
const menu = 'menu[name="Order"]';
const colour = "combobox:nth(1)";
const city = "combobox:nth(2)";

verifyActs({
  app: "java",
  part: "form",
  needs: isInstalled("/usr/share/java/java-atk-wrapper.jar")
    ? ["/usr/bin/javac", "default-jdk"]
    : ["/usr/share/java/java-atk-wrapper.jar", "libatk-wrapper-java"],
  start: [{ launch: { app: "java", args: [form] } }, { wait: field }],
  acts: [
    {
      claim: "swing/set-text",
      method: "EditableText.SetTextContents",
      do: { set: { target: field, value: "Grüße, 世界" } },
      holds: [{ target: field, text: "Grüße, 世界" }],
    },
    {
      claim: "swing/type-text",
      method: "XTEST keys",
      do: { type: { into: field, text: "!" } },
      holds: [{ target: field, text: "Grüße, 世界!" }],
    },
    {
      claim: "swing/select-text",
      method: "Text.SetSelection",
      do: { select: { target: field, start: 0, end: 3 } },
    },
    {
      claim: "swing/delete-text",
      method: "EditableText.SetTextContents",
      do: { set: { target: field, value: "" } },
      holds: [{ target: field, text: "" }],
    },
    {
      claim: "swing/focus",
      method: "Component.GrabFocus",
      do: { focus: { target: 'textarea[name="Notes"]' } },
      holds: [{ target: 'textarea[name="Notes"]', focused: true }],
    },
    {
      claim: "swing/check-box",
      method: "Action.DoAction(click)",
      do: { click: 'checkbox[name="Wrap"]' },
      holds: [{ target: 'checkbox[name="Wrap"]', checked: true }],
    },
    {
      claim: "swing/toggle",
      method: "Action.DoAction(click)",
      do: { click: 'togglebutton[name="Bold"]' },
      holds: [{ target: 'togglebutton[name="Bold"]', checked: true }],
    },
    {
      claim: "swing/radio",
      method: "Action.DoAction(click)",
      do: { click: 'radio[name="Large"]' },
      holds: [{ target: 'radio[name="Large"]', checked: true }],
    },
    {
      claim: "swing/combo",
      method: "Selection.SelectChild",
      do: { set: { target: colour, value: "Blue" } },
      holds: [{ target: colour, value: "Blue" }],
    },
    {
      claim: "swing/combo-entry",
      method: "Selection.SelectChild",
      do: { set: { target: city, value: "Rome" } },
      holds: [{ target: city, value: "Rome" }],
    },
    {
      claim: "swing/combo-entry",
      method: "XTEST keys",
      what: "what is none of its items",
      do: { set: { target: city, value: "Bergen" } },
      holds: [{ target: city, value: "Bergen" }],
    },
    {
      claim: "swing/spin",
      method: "Action.DoAction(increment)",
      do: { set: { target: 'spinbutton[name="Count"]', value: 7 } },
      holds: [{ target: 'spinbutton[name="Count"]', value: "7" }],
    },
    {
      claim: "swing/slider",
      method: "Action.DoAction(decrement)",
      do: { set: { target: 'slider[name="Volume"]', value: 12 } },
      holds: [{ target: 'slider[name="Volume"]', value: "12" }],
    },
    {
      claim: "swing/list-row",
      method: "Selection.SelectChild",
      do: { select: fruit("Cherry") },
      holds: [{ target: fruit("Cherry"), selected: true }],
    },
    {
      claim: "swing/several-rows",
      method: "Selection.SelectChild",
      do: { select: { target: list, items: ["Apple", "Date"] } },
      holds: [
        { target: fruit("Apple"), selected: true },
        { target: fruit("Date"), selected: true },
        { target: fruit("Cherry"), selected: false },
      ],
    },
    {
      claim: "swing/table-cell",
      method: "Selection.SelectChild",
      do: { select: 'cell[name="Milk"]' },
      holds: [{ target: 'cell[name="Milk"]', selected: true }],
    },
    {
      claim: "swing/tree-expand",
      method: "Action.DoAction(toggleexpand)",
      do: { set: { target: place("Europe"), value: true } },
      holds: [{ target: place("Italy"), exists: true }],
    },
    {
      claim: "swing/tree-row",
      method: "Selection.SelectChild",
      do: { select: place("Italy") },
      holds: [{ target: place("Italy"), selected: true }],
    },
    {
      claim: "swing/tab",
      method: "Selection.SelectChild",
      do: { click: 'tab[name="Delivery"]' },
      holds: [{ target: 'tab[name="Delivery"]', selected: true }],
      then: [{ click: 'tab[name="Order"]' }],
    },
    {
      claim: "swing/context-menu",
      method: "XTEST right click",
      first: [{ assert: { target: 'menuitem[name="Peel"]', exists: false } }],
      do: { click: { target: fruit("Banana"), button: "right" } },
      holds: [{ target: 'popupmenu menuitem[name="Peel"]', exists: true }],
    },
    {
      claim: "swing/context-menu",
      method: "Action.DoAction(click)",
      what: "and choose",
      do: { click: 'checkmenuitem[name="Ripe"]' },
      then: [
        { click: { target: fruit("Banana"), button: "right" } },
        { assert: { target: 'checkmenuitem[name="Ripe"]', checked: true } },
        { press: "Escape" },
      ],
    },
    {
      claim: "swing/menu-item",
      method: "Action.DoAction(click)",
      first: [{ click: menu }],
      do: { click: 'checkmenuitem[name="Urgent"]' },
      holds: [{ target: 'checkmenuitem[name="Urgent"]', checked: true }],
    },
    {
      claim: "swing/submenu",
      method: "Action.DoAction(click)",
      first: [{ click: menu }, { click: 'menu[name="More"]' }],
      do: { click: 'menuitem[name="Duplicate"]' },
    },
    {
      claim: "swing/drag",
      method: "XTEST drag",
      first: [{ set: { target: 'textarea[name="Notes"]', value: "" } }],
      do: { drag: { from: fruit("Elder"), to: 'textarea[name="Notes"]', duration: "1s" } },
      holds: [{ target: 'textarea[name="Notes"]', text: { contains: "Elder" } }],
    },
    {
      claim: "swing/scroll-by",
      method: "XTEST wheel",
      first: [{
        set: { target: 'textarea[name="Notes"]', value: "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14" },
      }],
      // The end is what shows of a text that was written.
      do: { scroll: { target: 'textarea[name="Notes"]', direction: "up", amount: 60 } },
      moves: 'textarea[name="Notes"]',
    },
    {
      claim: "swing/button",
      method: "Action.DoAction(click)",
      do: { click: 'button[name="Ask"]' },
      holds: [{ target: 'dialog[name="Question"]', exists: true }],
    },
    {
      claim: "swing/dialog",
      method: "Action.DoAction(click)",
      do: { click: 'dialog button[name="No"]' },
      holds: [{ target: 'dialog[name="Question"]', exists: false }],
    },
    {
      claim: "swing/insert-text",
      method: "EditableText.InsertText",
      do: { type: { into: field, text: "!", background: true } },
      holds: [{ target: field, text: "!" }],
    },
    { claim: "swing/window", method: "WM_CHANGE_STATE", what: "minimise", do: { window: "minimise" } },
    { claim: "swing/window", method: "_NET_ACTIVE_WINDOW", what: "restore", do: { window: "restore" } },
  ],
});
