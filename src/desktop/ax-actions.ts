/** AX actions by the letters of what toolkits call theirs. */
const NAMES: Readonly<Record<string, string>> = {
  click: "AXPress",
  clicked: "AXPress",
  press: "AXPress",
  activate: "AXPress",
  toggle: "AXPress",
  check: "AXPress",
  uncheck: "AXPress",
  select: "AXPress",
  jump: "AXPress",
  open: "AXPress",
  expandorcontract: "AXPress",
  menu: "AXShowMenu",
  menupopup: "AXShowMenu",
  popup: "AXShowMenu",
  popupmenu: "AXShowMenu",
  togglepopup: "AXShowMenu",
  showmenu: "AXShowMenu",
  showcontextmenu: "AXShowMenu",
  contextmenu: "AXShowMenu",
  increase: "AXIncrement",
  increment: "AXIncrement",
  decrease: "AXDecrement",
  decrement: "AXDecrement",
  cancel: "AXCancel",
  dismiss: "AXCancel",
  raise: "AXRaise",
  scrolltovisible: "AXScrollToVisible",
};

/** In a field, to activate means to be done with it. */
const TEXTS: ReadonlySet<string> = new Set(["AXTextField", "AXTextArea", "AXComboBox"]);

/**
 * The AX actions that a platform's actions stand for, each once, in their order. `role` is the element's AX role. What AX
 * knows no name for (GTK 4's "clipboard.copy") is left out, and Chromium's "doDefault", which everything has. Those of
 * macOS are what they are.
 *
 * @example
 * ```ts
 * import { axActions } from "./ax-actions.ts";
 * if (axActions(["Press", "ShowMenu", "SetFocus"], "AXButton").join() !== "AXPress,AXShowMenu") throw new Error();
 * if (axActions(["activate"], "AXTextField").join() !== "AXConfirm") throw new Error();
 * ```
 */
export function axActions(names: readonly string[], role: string): string[] {
  const found = names.flatMap((name) => {
    if (/^AX[A-Z][A-Za-z]*$/.test(name)) return [name]; // macOS itself
    const letters = name.toLowerCase().replace(/[^a-z]/g, "");
    const ax = Object.hasOwn(NAMES, letters) ? NAMES[letters] : undefined;
    if (ax === undefined) return [];
    return ax === "AXPress" && TEXTS.has(role) ? ["AXConfirm"] : [ax];
  });
  return [...new Set(found)];
}
