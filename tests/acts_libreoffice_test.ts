import { verifyActs } from "./_acts.ts";

const sheet = (name: string) => `table cell[name="${name}"]`;
const menu = (name: string) => `menubar:nth(1) > menu[name="${name}"]`;
const dialog = 'dialog[name="Format Cells"]';
verifyActs({
  app: "libreoffice-calc",
  needs: ["/usr/bin/localc", "libreoffice-calc"],
  screen: { width: 800, height: 480 },
  start: [{ launch: "libreoffice-calc" }, { wait: sheet("A1") }],
  acts: [
    {
      claim: "libreoffice/table-cell",
      method: "Component.GrabFocus",
      do: { click: sheet("C3") },
      holds: [{ target: sheet("C3"), focused: true }],
    },
    {
      claim: "libreoffice/set-cell",
      method: "XTEST keys",
      was: [{ target: sheet("B2"), text: "" }],
      do: { set: { target: sheet("B2"), value: "Grüße, 世界" } },
      holds: [{ target: sheet("B2"), text: "Grüße, 世界" }],
    },
    {
      claim: "libreoffice/set-cell",
      method: "XTEST keys",
      what: "that computes",
      first: [{ set: { target: sheet("B3"), value: "=6*7" } }, {
        assert: { target: sheet("B3"), text: "42" },
      }],
      do: { set: { target: sheet("B3"), value: "1.50" } },
      holds: [{ target: sheet("B3"), text: "1.5" }],
    },
    {
      claim: "libreoffice/delete-text",
      method: "XTEST keys",
      do: { set: { target: sheet("B2"), value: "" } },
      holds: [{ target: sheet("B2"), text: "" }],
    },
    {
      claim: "libreoffice/type-text",
      method: "XTEST keys",
      do: { type: { into: sheet("D4"), text: "typed\n" } },
      holds: [{ target: sheet("D4"), text: "typed" }],
    },
    {
      claim: "libreoffice/focus",
      method: "Component.GrabFocus",
      do: { focus: { target: sheet("A5") } },
      holds: [{ target: sheet("A5"), focused: true }],
    },
    {
      claim: "libreoffice/toggle",
      method: "Action.DoAction(press)",
      do: { click: 'togglebutton[name="Bold"]' },
      holds: [{ target: 'togglebutton[name="Bold"]', checked: true }],
    },
    {
      claim: "libreoffice/button",
      method: "Action.DoAction(click)",
      first: [{ click: menu("Sheet") }, {
        click: `${menu("Sheet")} > menuitem[name="Insert Sheet at End..."]`,
      }],
      do: { click: 'dialog button[name="OK"]' },
      holds: [{ target: 'tab[name="Sheet2"]', exists: true }],
    },
    {
      claim: "libreoffice/tab",
      method: "Selection.SelectChild",
      first: [{ click: 'tab[name="Sheet2"]' }],
      do: { click: 'tab[name="Sheet1"]' },
      holds: [{ target: 'tab[name="Sheet1"]', selected: true }, { target: sheet("D4"), text: "typed" }],
    },
    {
      claim: "libreoffice/menu-item",
      method: "Action.DoAction(click)",
      first: [{ click: menu("Edit") }],
      do: { click: `${menu("Edit")} > menuitem[name="Select All"]` },
    },
    {
      claim: "libreoffice/submenu",
      method: "Action.DoAction(click)",
      first: [{ click: sheet("D4") }, { click: menu("Format") }],
      do: { click: `${menu("Format")} menuitem[name="UPPERCASE"]` },
      holds: [{ target: sheet("D4"), text: "TYPED" }],
    },
    {
      claim: "libreoffice/context-menu",
      method: "XTEST right click",
      do: { click: { target: sheet("D4"), button: "right" } },
      holds: [{ target: 'menuitem[name="Copy"]:visible', exists: true }],
      then: [{ press: "Escape" }],
    },
    {
      claim: "libreoffice/dialog",
      method: "Action.DoAction(click)",
      first: [{ click: sheet("D4") }, { press: "ctrl+1" }, { wait: dialog }],
      do: { click: `${dialog} button[name="Cancel"]` },
      holds: [{ target: dialog, exists: false }],
    },
    {
      claim: "libreoffice/list-row",
      method: "Selection.SelectChild",
      first: [{ press: "ctrl+1" }, { wait: dialog }],
      do: { select: `${dialog} cell[name="Percent"]` },
      holds: [{ target: `${dialog} cell[name="Percent"]`, selected: true }],
    },
    {
      claim: "libreoffice/spin",
      method: "Value.CurrentValue",
      what: "of a dialog",
      do: { set: { target: `${dialog} spinbutton:visible:nth(2)`, value: 3 } },
      holds: [{ target: `${dialog} spinbutton:visible:nth(2)`, value: "3" }],
    },
    {
      claim: "libreoffice/check-box",
      method: "Action.DoAction(click)",
      do: { click: `${dialog} checkbox[name="Negative numbers red"]` },
      holds: [{ target: `${dialog} checkbox[name="Negative numbers red"]`, checked: true }],
      then: [{ click: `${dialog} button[name="Cancel"]` }, { assert: { target: dialog, exists: false } }],
    },
    { claim: "libreoffice/window", method: "WM_CHANGE_STATE", what: "minimise", do: { window: "minimise" } },
    { claim: "libreoffice/window", method: "_NET_ACTIVE_WINDOW", what: "restore", do: { window: "restore" } },
  ],
});
