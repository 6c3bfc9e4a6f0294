import { COLOURS, type Control, CONTROLS, type ToolkitName } from "./plan.ts";

/** What each control is called in a tree, by the names that a result may use for it. */
const NAMES: Readonly<Record<Control, readonly string[]>> = {
  alpha: ["Alpha"],
  beta: ["Beta"],
  notes: ["Notes"],
  copies: ["Copies"],
  level: ["Level"],
  wrap: ["Wrap"],
  wifi: ["Wifi"],
  colour: COLOURS,
  // Qt calls a combo box after what it shows.
  language: ["Language", "Ada", "Bob", "Cyd"],
  rows: ["Rows", "one", "two", "three", "four"],
};

/** How a workflow finds a control, or a radio button by its name. */
export function selectorOf(toolkit: ToolkitName, what: Control | typeof COLOURS[number]): string {
  switch (what) {
    case "alpha":
    case "beta":
      return `textfield[name="${what === "alpha" ? "Alpha" : "Beta"}"]`;
    case "language":
      return toolkit.startsWith("qt") ? "combobox" : '[name="Language"]';
    case "wrap":
      // What is inside of a check box of GTK 4 has its name too.
      return 'checkbox[name="Wrap"]';
    case "Red":
    case "Green":
    case "Blue":
      return toolkit === "gtk4" ? `checkbox[name="${what}"]` : `[name="${what}"]`;
    default:
      return `[name="${NAMES[what][0] ?? ""}"]`;
  }
}

/** The controls that a text of a result may be about: by the first quoted name in it, and those beside it. */
export function controlsIn(text: string): readonly Control[] {
  const found = CONTROLS.filter((key) => NAMES[key].some((name) => text.includes(`"${name}"`)));
  // GTK 4.8 tells no radio buttons from check boxes: what is beside each other is protected together.
  if (text.endsWith(" and those beside it")) return [...new Set<Control>([...found, "wrap", "colour"])];
  // In Chromium the nameless menu inside of it tells what is chosen.
  return text.endsWith("of menu") || (found.length === 0 && text.includes("combobox"))
    ? [...found, "language"]
    : found;
}
