import { verifyActs } from "./_acts.ts";

/** Dialogs of LibreOffice are made of GTK's own widgets; its sheets and tool bars are not. */
const inOptions = (part: string) => `dialog ${part}`;
const page = (name: string) => inOptions(`cell[name="${name}"]`);
const name = inOptions('textfield[name="First name"]:visible');
const data = 'menubar:nth(1) > menu[name="Data"]';
const sheet = 'menubar:nth(1) > menu[name="Sheet"]';
const edit = 'menubar:nth(1) > menu[name="Edit"]';
const cell = (name: string) => `table cell[name="${name}"]`;

verifyActs({
  app: "libreoffice-calc",
  part: "in its dialogs",
  needs: ["/usr/bin/localc", "libreoffice-calc"],
  // The dialog of its options is as large.
  screen: { width: 1_000, height: 700 },
  start: [{ launch: "libreoffice-calc" }, { wait: cell("A1") }],
  acts: [
    {
      claim: "libreoffice/insert-text",
      method: "EditableText.InsertText",
      first: [{ press: "alt+F12" }, { wait: "dialog" }],
      do: { type: { into: name, text: "Ada", background: true } },
      holds: [{ target: name, text: "Ada" }],
    },
    {
      claim: "libreoffice/set-text",
      method: "EditableText.SetTextContents",
      what: "of a field",
      do: { set: { target: name, value: "Ada L" } },
      holds: [{ target: name, text: "Ada L" }],
    },
    {
      claim: "libreoffice/select-text",
      method: "Text.SetSelection",
      do: { select: { target: name, start: 0, end: 3 } },
    },
    {
      claim: "libreoffice/tree-expand",
      method: "Action.DoAction(expand or contract)",
      do: { set: { target: page("Load/Save"), value: true } },
      holds: [{ target: page("HTML Compatibility"), exists: true }],
      then: [{ set: { target: page("LibreOffice Calc"), value: true } }],
    },
    {
      claim: "libreoffice/tree-row",
      method: "Selection.SelectChild",
      do: { select: page("Fonts") },
      holds: [{ target: page("Fonts"), selected: true }],
    },
    {
      claim: "libreoffice/scroll-by",
      method: "Value.CurrentValue",
      what: "a list of a dialog",
      do: { scroll: { target: inOptions("treetable"), direction: "down", amount: 60 } },
      holds: [{ target: inOptions('scrollbar[value="60"]'), exists: true }],
    },
    {
      claim: "libreoffice/scroll-to",
      method: "XTEST wheel",
      do: { scroll: page("Internet") },
      holds: [{ target: page("Internet"), visible: true }],
    },
    {
      claim: "libreoffice/off-screen",
      method: "Selection.SelectChild",
      do: { select: page("User Data") },
      holds: [{ target: page("User Data"), selected: true }],
      then: [{ press: "Escape" }],
    },
    {
      claim: "libreoffice/radio",
      method: "Action.DoAction(click)",
      first: [{ click: data }, { click: `${data} menuitem[name="Sort..."]` }, { wait: "dialog" }],
      do: { click: inOptions('radio[name="Left to right (sort columns)"]') },
      holds: [{ target: inOptions('radio[name="Left to right (sort columns)"]'), checked: true }],
      then: [{ press: "Escape" }],
    },
    {
      claim: "libreoffice/several-rows",
      method: "Selection.SelectChild",
      first: [
        { click: sheet },
        { click: `${sheet} > menuitem[name="Insert Sheet at End..."]` },
        { click: inOptions('button[name="OK"]') },
        { click: edit },
        { click: `${edit} menuitem[name="Select Sheets..."]` },
        { wait: page("Sheet1") },
      ],
      do: { select: { target: inOptions("treetable"), items: ["Sheet1", "Sheet2"] } },
      holds: [{ target: page("Sheet1"), selected: true }, { target: page("Sheet2"), selected: true }],
      then: [{ press: "Escape" }],
    },
  ],
});
