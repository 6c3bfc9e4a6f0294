import { Role } from "../../desktop/roles.ts";

/** What a person presses. */
export const BUTTONS = [Role.pushButton, Role.pushButtonMenu] as const;
/** What a person switches. */
export const TOGGLES = [Role.checkBox, Role.radioButton, Role.switch, Role.toggleButton] as const;
/** Fields that hold a text. */
export const TEXT_FIELDS = [Role.entry, Role.text, Role.passwordText, Role.editbar, Role.dateEditor] as const;
/** Commands of menus. */
export const MENU_ITEMS = [
  Role.menuItem,
  Role.checkMenuItem,
  Role.radioMenuItem,
  Role.tearoffMenuItem,
] as const;

/** What a person acts on, each a control of its own. */
export const CONTROLS: ReadonlySet<number> = new Set<number>([
  ...BUTTONS,
  ...TOGGLES,
  ...TEXT_FIELDS,
  ...MENU_ITEMS,
  Role.link,
  Role.comboBox,
  Role.spinButton,
  Role.slider,
  Role.dial,
  Role.pageTab,
  Role.listItem,
  Role.treeItem,
]);

/** Boxes that mean nothing: what is in them counts as if it were in what holds them. */
export const BOXES: ReadonlySet<number> = new Set<number>([
  Role.panel,
  Role.filler,
  Role.section,
  Role.viewport,
  Role.scrollPane,
  Role.layeredPane,
  Role.grouping,
  Role.redundantObject,
  Role.unknown,
  Role.paragraph,
]);
