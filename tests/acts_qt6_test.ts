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
      method: "Action.DoAction(Toggle)",
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
      method: "Action.DoAction(Toggle)",
      was: [{ target: 'checkbox[name="Menus have icons"]', checked: true }],
      do: { click: 'checkbox[name="Menus have icons"]' },
      holds: [{ target: 'checkbox[name="Menus have icons"]', checked: false }],
    },
    {
      claim: "qt6/list-row",
      method: "XTEST click",
      first: [{ click: 'tab[name="Style Sheets"]' }],
      do: { click: 'listitem[name="fusion-fixes.qss"]' },
      holds: [{ target: 'listitem[name="fusion-fixes.qss"]', selected: true }],
    },
    {
      claim: "qt6/button",
      method: "Action.DoAction(Press)",
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
      method: "Action.DoAction(Press)",
      do: { click: 'dialog[name="Enter Style Sheet Name"] button[name="Cancel"]' },
      holds: [{ target: 'dialog[name="Enter Style Sheet Name"]', exists: false }],
    },
    {
      claim: "qt6/tree-row",
      method: "XTEST click",
      first: [{ click: 'tab[name="Icon Theme"]' }],
      do: { click: 'cell[name="Adwaita"]' },
      holds: [{ target: 'cell[name="Adwaita"]', selected: true }],
    },
  ],
});
