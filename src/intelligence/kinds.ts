import { Role } from "../desktop/roles.ts";
import { hasState, State } from "../desktop/states.ts";

/** What an element is for, whatever its toolkit calls it. */
export const kinds = [
  "button",
  "toggle",
  "combo",
  "field",
  "area",
  "password",
  "number",
  "progress",
  "spinner",
  "table",
  "list",
  "header",
  "cell",
  "row",
  "item",
  "tab",
  "tabs",
  "toolbar",
  "menubar",
  "menu",
  "status",
  "label",
  "heading",
  "link",
  "icon",
  "chooser",
  "picker",
  "form",
  "landmark",
  "document",
  "filler",
  "dialog",
  "panel",
] as const;
/** What an element is for. */
export type Kind = (typeof kinds)[number];

const BY_ROLE: ReadonlyMap<number, Kind> = new Map<number, Kind>([
  [Role.pushButton, "button"],
  [Role.pushButtonMenu, "button"],
  [Role.checkBox, "toggle"],
  [Role.radioButton, "toggle"],
  [Role.toggleButton, "toggle"],
  [Role.switch, "toggle"],
  [Role.comboBox, "combo"],
  [Role.text, "field"],
  [Role.entry, "field"],
  [Role.editbar, "field"],
  [Role.autocomplete, "field"],
  [Role.dateEditor, "field"],
  [Role.passwordText, "password"],
  [Role.spinButton, "number"],
  [Role.slider, "number"],
  [Role.dial, "number"],
  [Role.progressBar, "progress"],
  [Role.animation, "spinner"],
  [Role.table, "table"],
  [Role.treeTable, "table"],
  [Role.tree, "table"],
  [Role.list, "list"],
  [Role.listBox, "list"],
  [Role.columnHeader, "header"],
  [Role.tableColumnHeader, "header"],
  [Role.tableCell, "cell"],
  [Role.tableRow, "row"],
  [Role.listItem, "item"],
  [Role.treeItem, "item"],
  [Role.icon, "icon"],
  [Role.image, "icon"],
  [Role.pageTab, "tab"],
  [Role.pageTabList, "tabs"],
  [Role.toolBar, "toolbar"],
  [Role.menuBar, "menubar"],
  [Role.menu, "menu"],
  [Role.statusBar, "status"],
  [Role.infoBar, "status"],
  [Role.label, "label"],
  [Role.static, "label"],
  [Role.paragraph, "label"],
  [Role.heading, "heading"],
  [Role.link, "link"],
  [Role.fileChooser, "chooser"],
  [Role.directoryPane, "chooser"],
  [Role.colorChooser, "picker"],
  [Role.fontChooser, "picker"],
  [Role.calendar, "picker"],
  [Role.form, "form"],
  [Role.landmark, "landmark"],
  [Role.documentWeb, "document"],
  [Role.documentFrame, "document"],
  [Role.documentText, "document"],
  [Role.filler, "filler"],
  [Role.dialog, "dialog"],
  [Role.alert, "dialog"],
  [Role.panel, "panel"],
  [Role.grouping, "panel"],
]);

const byRole: (Kind | undefined)[] = [];
for (const [role, kind] of BY_ROLE) byRole[role] = kind;

/** What an element of this role and these states is for; undefined: nothing that a detector asks for. */
export function kindOf(role: number, low: number, high: number): Kind | undefined {
  const kind = byRole[role];
  if (kind === "field") {
    // What cannot be edited only shows something: a display, a log, the source of a demonstration.
    if (role === Role.text && !isEditable(low, high)) return "label";
    return hasState(low, 0, State.multiLine) ? "area" : "field";
  }
  if (kind === "document" && role !== Role.documentWeb && isEditable(low, high)) return "area";
  return kind;
}

function isEditable(low: number, high: number): boolean {
  return hasState(low, high, State.editable) && !hasState(low, high, State.readOnly);
}
