import { fileURLToPath } from "node:url";
import { type Act, verifyActs } from "./_acts.ts";

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/quick/${name}`, import.meta.url));

const last = (name: string) => ({ target: `label[name="${name}"]`, exists: true });

const ACTS: readonly Act[] = [
  {
    claim: "quick/button",
    method: "XTEST click",
    // Qt 5 presses by its action what lies out of view; Qt 6 cannot.
    orMethod: "Action.DoAction(Press)",
    do: { click: 'button[name="Count"]' },
    holds: [last("pressed 1")],
  },
  {
    claim: "quick/check-box",
    method: "XTEST click",
    was: [{ target: 'checkbox[name="Box"]', checked: false }],
    do: { click: 'checkbox[name="Box"]' },
    holds: [{ target: 'checkbox[name="Box"]', checked: true }],
  },
  {
    claim: "quick/radio",
    method: "XTEST click",
    was: [{ target: 'radio[name="Second"]', checked: false }],
    do: { click: 'radio[name="Second"]' },
    holds: [{ target: 'radio[name="Second"]', checked: true }],
  },
  {
    claim: "quick/toggle",
    method: "XTEST click",
    was: [{ target: '[name="Bold"]', checked: false }],
    do: { click: '[name="Bold"]' },
    holds: [{ target: '[name="Bold"]', checked: true }],
  },
  {
    claim: "quick/switch",
    method: "XTEST click",
    was: [{ target: '[name="Power"]', checked: false }],
    do: { set: { target: '[name="Power"]', value: true } },
    holds: [{ target: '[name="Power"]', checked: true }],
  },
  {
    claim: "quick/set-text",
    method: "XTEST keys",
    was: [{ target: 'textfield[name="Name"]', text: "Ada" }],
    do: { set: { target: 'textfield[name="Name"]', value: "Grüße, 世界" } },
    holds: [{ target: 'textfield[name="Name"]', text: "Grüße, 世界" }],
  },
  {
    claim: "quick/type-text",
    method: "XTEST keys",
    was: [{ target: 'textfield[name="Name"]', text: "Grüße, 世界" }],
    do: { type: { into: 'textfield[name="Name"]', text: " typed" } },
    holds: [{ target: 'textfield[name="Name"]', text: "Grüße, 世界 typed" }],
  },
  {
    claim: "quick/type-text",
    method: "XTEST keys",
    what: "a line break",
    do: { type: { into: 'textfield[name="Notes"]', text: "\nfour" } },
    holds: [{ target: 'textfield[name="Notes"]', text: "one two three\nfour" }],
  },
  {
    claim: "quick/set-text",
    method: "XTEST keys",
    what: "lines",
    was: [{ target: 'textfield[name="Notes"]', text: "one two three\nfour" }],
    do: { set: { target: 'textfield[name="Notes"]', value: "one\ntwo\n\nthree" } },
    holds: [{ target: 'textfield[name="Notes"]', text: "one\ntwo\n\nthree" }],
  },
  {
    claim: "quick/delete-text",
    method: "XTEST keys",
    was: [{ target: 'textfield[name="Name"]', text: "Grüße, 世界 typed" }],
    do: { set: { target: 'textfield[name="Name"]', value: "" } },
    holds: [{ target: 'textfield[name="Name"]', text: "" }],
  },
  {
    claim: "quick/select-text",
    method: "XTEST keys",
    do: { select: { target: 'textfield[name="Notes"]', text: "two" } },
  },
  {
    claim: "quick/spin",
    method: "Value.CurrentValue",
    was: [{ target: 'spinbutton[name="Number"]', value: "3" }],
    do: { set: { target: 'spinbutton[name="Number"]', value: 75 } },
    holds: [{ target: 'spinbutton[name="Number"]', value: "75" }],
  },
  {
    claim: "quick/slider",
    method: "Value.CurrentValue",
    was: [{ target: 'slider[name="Volume"]', value: "40" }],
    do: { set: { target: 'slider[name="Volume"]', value: 80 } },
    holds: [{ target: 'slider[name="Volume"]', value: "80" }],
  },
  {
    claim: "quick/combo",
    method: "XTEST click",
    was: [{ target: 'combobox[name="Colour"] > textfield', text: "Red" }],
    do: { set: { target: 'combobox[name="Colour"]', value: "Blue" } },
    holds: [{ target: 'combobox[name="Colour"] > textfield', text: "Blue" }],
  },
  {
    claim: "quick/combo",
    method: "XTEST click",
    what: "far down its list",
    was: [{ target: 'combobox[name="Year"] > textfield', text: "year 0" }],
    do: { set: { target: 'combobox[name="Year"]', value: "year 15" } },
    holds: [{ target: 'combobox[name="Year"] > textfield', text: "year 15" }],
  },
  {
    claim: "quick/combo-entry",
    method: "XTEST click",
    what: "an item",
    was: [{ target: 'combobox[name="Town"] > textfield', text: "Oslo" }],
    do: { set: { target: 'combobox[name="Town"]', value: "Rome" } },
    holds: [{ target: 'combobox[name="Town"] > textfield', text: "Rome" }],
  },
  {
    claim: "quick/combo-entry",
    method: "XTEST keys",
    what: "no item",
    do: { set: { target: 'combobox[name="Town"]', value: "Paris" } },
    holds: [{ target: 'combobox[name="Town"] > textfield', text: "Paris" }],
  },
  {
    claim: "quick/tab",
    method: "XTEST click",
    was: [{ target: 'tab[name="One"]', selected: true }, { target: 'tab[name="Two"]', selected: false }],
    do: { click: 'tab[name="Two"]' },
    holds: [{ target: 'tab[name="Two"]', selected: true }],
  },
  {
    claim: "quick/list-row",
    method: "XTEST click",
    first: [{ select: { target: 'listitem[name="Apple"]' } }],
    was: [{ target: 'listitem[name="Pear"]', selected: false }],
    do: { select: { target: 'listitem[name="Pear"]' } },
    holds: [{ target: 'listitem[name="Pear"]', selected: true }],
  },
  {
    claim: "quick/menu-item",
    method: "XTEST click",
    first: [{ click: 'menubar[name="File"]' }],
    do: { click: 'menuitem[name="New"]' },
    holds: [last("chosen new")],
  },
  {
    claim: "quick/submenu",
    method: "XTEST click",
    first: [{ click: 'menubar[name="File"]' }, { click: '[name="Recent"]' }],
    do: { click: 'menuitem[name="Letter"]' },
    holds: [last("chosen letter")],
  },
  {
    claim: "quick/context-menu",
    method: "XTEST right click",
    do: { click: { target: 'button[name="Area"]', button: "right" } },
    holds: [{ target: 'menuitem[name="Cut it"]', visible: true }],
  },
  {
    claim: "quick/context-menu",
    method: "XTEST click",
    what: "choose",
    do: { click: 'menuitem[name="Cut it"]' },
    holds: [last("chosen cut")],
  },
  {
    claim: "quick/popover",
    method: "XTEST click",
    // Qt 5 presses by its action what lies out of view; Qt 6 cannot.
    orMethod: "Action.DoAction(Press)",
    do: { click: 'button[name="More"]' },
    holds: [{ target: 'button[name="Inside"]', visible: true }],
    then: [{ click: 'button[name="Inside"]' }, { assert: last("chosen inside") }],
  },
  {
    claim: "quick/dialog",
    method: "XTEST click",
    // Qt 5 presses by its action what lies out of view; Qt 6 cannot.
    orMethod: "Action.DoAction(Press)",
    what: "opens",
    do: { click: 'button[name="Ask"]' },
    holds: [{ target: 'dialog[name="Sure?"]', visible: true }],
  },
  {
    claim: "quick/dialog",
    method: "XTEST click",
    what: "closes",
    do: { click: 'button[name*="Yes"]' },
    holds: [last("said yes"), { target: 'button[name*="Yes"]', exists: false }],
  },
  {
    claim: "quick/scroll-to",
    method: "XTEST wheel",
    do: { scroll: 'button[name="Item 28"]' },
    holds: [{ target: 'button[name="Item 28"]', visible: true }],
  },
  {
    claim: "quick/off-screen",
    method: "XTEST click",
    // Qt 5 presses by its action what lies out of view; Qt 6 cannot.
    orMethod: "Action.DoAction(Press)",
    do: { click: 'button[name="Item 2"]' },
    holds: [last("item 2")],
  },
  {
    claim: "quick/off-screen",
    method: "XTEST click",
    what: "above its view nothing is scrolled",
    do: { click: 'button[name="Above"]' },
    holds: [last("above")],
  },
  {
    claim: "quick/scroll-by",
    method: "XTEST wheel",
    first: [{ scroll: 'button[name="Item 5"]' }],
    do: { scroll: { target: 'button[name="Item 5"]', direction: "down", amount: 120 } },
    moves: 'button[name="Item 5"]',
  },
  {
    claim: "quick/focus",
    method: "Component.GrabFocus",
    first: [{ focus: { target: 'textfield[name="Notes"]' } }],
    do: { focus: { target: 'textfield[name="Name"]' } },
    holds: [{ target: 'textfield[name="Name"]', focused: true }],
  },
  {
    claim: "quick/window",
    method: "_NET_MOVERESIZE_WINDOW",
    what: "place",
    do: { window: { do: "place", x: 30, y: 40, width: 700, height: 600 } },
  },
  {
    claim: "quick/window",
    method: "_NET_CLOSE_WINDOW",
    what: "close",
    do: { window: "close" },
  },
];

const MODULES = "/usr/lib/python3/dist-packages";

for (
  const [version, package_] of [["5", "python3-pyqt5.qtquick"], ["6", "python3-pyqt6.qtquick"]] as const
) {
  verifyActs({
    app: "host.py",
    part: `made with Qt Quick ${version}`,
    needs: [`${MODULES}/PyQt${version}/QtQuick.abi3.so`, package_],
    start: [
      { launch: { app: "/usr/bin/python3", args: [fixture("host.py"), version, fixture("form.qml")] } },
      { wait: 'textfield[name="Name"]' },
    ],
    acts: ACTS,
  });
}
