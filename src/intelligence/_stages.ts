import { fileURLToPath } from "node:url";
import type { PatternName } from "./detector.ts";

/** A real application in a state that shows a pattern, or that must not be taken for one. */
export interface Stage {
  /** File of its recorded tree. */
  readonly name: string;
  /** What is launched. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Keys pressed once it stands. */
  readonly keys?: readonly (readonly string[])[];
  /** Typed before the keys. */
  readonly text?: string;
  /** What is to be seen in it; undefined: none of the twelve. */
  readonly pattern: PatternName | undefined;
}

const folder = fileURLToPath(new URL("../../tests/fixtures/patterns/", import.meta.url));

const WINDOWS: readonly PatternName[] = [
  "login_form",
  "file_save_dialog",
  "file_open_dialog",
  "settings_page",
  "confirmation_dialog",
  "error_alert",
  "search_interface",
  "table_view",
  "form",
  "text_editor",
  "progress_indicator",
];
const PAGES: readonly PatternName[] = WINDOWS.filter((name) => !name.startsWith("file_"));

const ofToolkit = (toolkit: string, program: string, ...first: readonly string[]): Stage[] => [
  ...WINDOWS.map((pattern): Stage => ({
    name: `${toolkit}-${pattern}`,
    program: folder + program,
    args: [...first, pattern],
    pattern,
  })),
  ...(toolkit.startsWith("gtk")
    ? [{
      name: `${toolkit}-spinner`,
      program: folder + program,
      args: ["spinner"],
      pattern: "progress_indicator" as const,
    }]
    : []),
];

const page = (name: string, pattern: PatternName): Stage => ({
  name: `chromium-${name}`,
  program: "chromium",
  args: [`${folder}${name}.html`],
  pattern,
});

/** Everything that is recorded and looked at. */
export const stages: readonly Stage[] = [
  ...ofToolkit("gtk3", "gtk3.py"),
  ...ofToolkit("gtk4", "gtk4.py"),
  ...ofToolkit("qt5", "qt.py", "5"),
  ...ofToolkit("qt6", "qt.py", "6"),
  ...PAGES.map((name) => page(name, name)),
  page("article", "browser_main"),
  { name: "gnome-calculator", program: "gnome-calculator", pattern: undefined },
  { name: "gedit", program: "gedit", pattern: "text_editor" },
  {
    name: "gedit-unsaved",
    program: "gedit",
    text: "Hello",
    keys: [["ctrl", "w"]],
    pattern: "confirmation_dialog",
  },
  { name: "gedit-save", program: "gedit", keys: [["ctrl", "s"]], pattern: "file_save_dialog" },
  { name: "mousepad", program: "mousepad", pattern: "text_editor" },
  { name: "mousepad-open", program: "mousepad", keys: [["ctrl", "o"]], pattern: "file_open_dialog" },
  {
    name: "mousepad-unsaved",
    program: "mousepad",
    text: "Hello",
    keys: [["ctrl", "q"]],
    pattern: "confirmation_dialog",
  },
  // They show every widget that there is: no pattern is right, and this is what is said of them.
  { name: "gtk4-widget-factory", program: "gtk4-widget-factory", pattern: "progress_indicator" },
  { name: "gtk3-widget-factory", program: "gtk3-widget-factory", pattern: "settings_page" },
  { name: "gtk4-icon-browser", program: "gtk4-icon-browser", pattern: undefined },
  { name: "gtk3-demo", program: "gtk3-demo", pattern: undefined },
  { name: "gtk4-print-editor", program: "gtk4-print-editor", pattern: "text_editor" },
  { name: "featherpad", program: "featherpad", pattern: "text_editor" },
  { name: "kcalc", program: "kcalc", pattern: undefined },
  { name: "qt5ct", program: "qt5ct", pattern: "settings_page" },
];
