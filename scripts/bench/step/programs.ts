import { existsSync } from "node:fs";
import type { PyatspiAct } from "./peer.ts";

/** An application, the workflow whose acts are measured on it, and the same acts in the terms of its peer. */
export interface StepProgram {
  readonly app: string;
  /** The acts are its steps, or those of its transaction. Its `before:` begins with the launch. */
  readonly workflow: string;
  /** How many of the file's steps are run; default: all. */
  readonly steps?: number;
  readonly launch: string;
  readonly args?: readonly string[];
  /** Where the file has no transaction that is rolled back: the step that brings the application back to where it was. */
  readonly reset?: string;
  /** One for each act; "playwright": those of `peer_playwright.mjs`. */
  readonly peer: "playwright" | readonly PyatspiAct[];
}

const GALLERY = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/gallery/gallery";
const TEXT = "Grüße, 世界";

/** An act that one like it undoes. */
function act(
  find: PyatspiAct,
  how: readonly [act: PyatspiAct, expect: PyatspiAct],
  back: readonly [act: PyatspiAct, expect: PyatspiAct],
  then?: PyatspiAct,
): PyatspiAct {
  const one = ([act, expect]: readonly [PyatspiAct, PyatspiAct]) => ({
    find,
    do: act,
    expect,
    ...(then === undefined ? {} : { then }),
  });
  return { ...one(how), back: [one(back)] };
}

const SHOWN = ["SHOWING", "SENSITIVE"];
const USABLE = ["SENSITIVE"];
const text = (find: PyatspiAct, value: string, was: string) =>
  act(find, [{ text: value }, { text: value }], [{ text: was }, { text: was }]);
const insert = (find: PyatspiAct, value: string, was: string) =>
  act(find, [{ insert: value }, { text: was + value }], [{ text: was }, { text: was }]);
const value = (find: PyatspiAct, to: number, was: number) =>
  act(find, [{ value: to }, { value: to }], [{ value: was }, { value: was }]);
/** What is done to one, and undone by doing it to another. */
const instead = (find: PyatspiAct, other: PyatspiAct, how: PyatspiAct, state = "CHECKED"): PyatspiAct => {
  const one = (found: PyatspiAct) => ({ find: found, do: how, expect: { state } });
  return { ...one(find), back: [one(other)] };
};
/** A tab of Qt, which does not tell that it is chosen: what is on its page shows. */
const tab = (name: string, shows: PyatspiAct, was: string, showed: PyatspiAct): PyatspiAct => {
  const one = (to: string, then: PyatspiAct) => ({
    find: named("page tab", to),
    do: { action: "Press" },
    then,
    expect: { state: "SHOWING" },
  });
  return { ...one(name, shows), back: [one(was, showed)] };
};
const named = (role: string, name: string) => ({ role, name });
const shown = (role: string, name?: string) => ({
  role,
  ...(name === undefined ? {} : { name }),
  states: ["SHOWING"],
});
const toggle = (find: PyatspiAct, how: PyatspiAct, on: boolean) => {
  const checked = { state: "CHECKED" }, clear = { without: "CHECKED" };
  return act(find, [how, on ? checked : clear], [how, on ? clear : checked]);
};

const gtk3 = {
  text: (nth: number) => ({ role: "text", states: ["SHOWING", "SENSITIVE", "EDITABLE", "SINGLE_LINE"], nth }),
  radio: (nth: number) => ({ role: "radio button", name: "radiobutton", states: SHOWN, nth }),
};
const gtk4 = {
  text: (nth: number) => ({ role: "text", name: "GtkEntry", states: USABLE, nth }),
  radio: (nth: number) => ({ role: "check box", name: "radiobutton", states: USABLE, nth }),
};
const TOGGLE = { action: "Toggle" };
const QT_COMBO = {
  cannot: "Qt toggles the item of a list that nobody sees: the combo box stays as it is",
};
const NO_WAY = {
  cannot: "GTK 4 gives a check button no action, no focus and no place on the screen over AT-SPI",
};
const digit = (label: string, shows: string): PyatspiAct => ({
  find: { role: "push button", holds: { role: "label", name: label } },
  do: { action: "click" },
  then: { role: "text", states: ["EDITABLE"] },
  expect: { text: shows },
});

/** All of them; those that are not installed are left out by `isThere`. */
export const PROGRAMS: readonly StepProgram[] = [
  {
    app: "gtk3",
    workflow: "workflows/form-rollback.yaml",
    launch: "gtk3-widget-factory",
    peer: [
      text(gtk3.text(2), TEXT, ""),
      insert(gtk3.text(1), " typed", "comboboxentry"),
      value({ role: "spin button", states: SHOWN }, 75, 50),
      toggle({ role: "check box", states: SHOWN, nth: 2 }, { action: "click" }, true),
      instead(gtk3.radio(2), gtk3.radio(3), { action: "click" }),
      act({ role: "combo box", states: SHOWN, nth: 2 }, [{ child: 2 }, { name: "Right" }], [{ child: 0 }, {
        name: "Left",
      }]),
      value({ role: "slider", states: SHOWN }, 80, 50),
      act({ role: "page tab list" }, [{ child: 1 }, { state: "SELECTED" }], [{ child: 0 }, {
        without: "SELECTED",
      }], { role: "page tab", name: "page 2" }),
      value({ role: "scroll bar", states: ["SHOWING"], nth: 2 }, 120, 0),
    ],
  },
  {
    app: "gtk4",
    workflow: "workflows/gtk4-form-rollback.yaml",
    launch: "gtk4-widget-factory",
    peer: [
      text(gtk4.text(3), TEXT, ""),
      insert(gtk4.text(4), " typed", "entry"),
      text({ role: "combo box", states: USABLE, inside: { role: "text" } }, "Anything", ""),
      value({ role: "spin button", states: USABLE }, 75, 50),
      NO_WAY,
      NO_WAY,
      toggle({ role: "check box", name: "GtkSwitch", states: USABLE }, { action: "toggle" }, true),
      value({ role: "slider", states: USABLE }, 80, 50),
      act(
        { role: "page tab list", holds: { role: "label", name: "NYC" } },
        [{ child: 1 }, {
          state: "SELECTED",
        }],
        [{ child: 0 }, { without: "SELECTED" }],
        { role: "page tab", holds: { role: "label", name: "NYC" } },
      ),
      value({ role: "filler", name: "GtkRange", nth: 6 }, 120, 0),
    ],
  },
  {
    app: "qt5",
    workflow: "workflows/qt-form-rollback.yaml",
    launch: GALLERY,
    peer: [
      value({ role: "spin button" }, 75, 50),
      value({ role: "slider" }, 80, 40),
      value({ role: "dial" }, 20, 30),
      toggle(named("check box", "Toggle Push Button"), TOGGLE, false),
      instead(named("radio button", "Radio button 2"), named("radio button", "Radio button 1"), TOGGLE),
      text({ role: "text", states: ["SHOWING", "MULTI_LINE"] }, TEXT, ""),
      insert({ role: "text", states: ["SHOWING", "MULTI_LINE"] }, " typed", TEXT),
      tab("List", shown("list item", "Computer"), "Tree View", shown("tree")),
      instead(shown("list item", "Computer"), shown("list item", "Directory"), TOGGLE, "SELECTED"),
      tab("Table", shown("table"), "List", shown("list item", "Computer")),
      // More than one can be chosen there: to toggle it again undoes it.
      act({ ...shown("table"), inside: { role: "table cell", nth: 12 } }, [TOGGLE, { state: "SELECTED" }], [
        TOGGLE,
        { without: "SELECTED" },
      ]),
      QT_COMBO,
    ],
  },
  {
    app: "qt6",
    workflow: "workflows/qt6-form-rollback.yaml",
    launch: "qt6ct",
    peer: [
      QT_COMBO,
      instead(named("radio button", "Custom"), named("radio button", "Default"), TOGGLE),
      tab("Interface", shown("check box", "Menus have icons"), "Appearance", shown("radio button", "Custom")),
      value(shown("spin button"), 500, 400),
      toggle(named("check box", "Menus have icons"), TOGGLE, false),
      tab(
        "Style Sheets",
        shown("push button", "Create"),
        "Interface",
        shown("check box", "Menus have icons"),
      ),
      instead(
        shown("list item", "fusion-fixes.qss"),
        shown("list item", "scrollbar-simple.qss"),
        TOGGLE,
        "SELECTED",
      ),
      tab("Icon Theme", shown("table cell", "Adwaita"), "Style Sheets", shown("push button", "Create")),
    ],
  },
  {
    app: "chromium",
    workflow: "workflows/browser-form-rollback.yaml",
    launch: "chromium",
    args: ["--remote-debugging-port=0", "workflows/fixtures/form.html"],
    peer: "playwright",
  },
  {
    app: "calculator",
    workflow: "workflows/calculator.yaml",
    launch: "org.gnome.Calculator",
    steps: 7,
    reset: "- press: Escape",
    peer: [
      digit("1", "1"),
      digit("2", "12"),
      digit("×", "12×"),
      digit("3", "12×3"),
      digit("4", "12×34"),
      digit("=", "408"),
    ],
  },
];

/** Is its program installed? */
export function isThere({ launch }: StepProgram): boolean {
  const program = launch === "org.gnome.Calculator" ? "gnome-calculator" : launch;
  return existsSync(program.startsWith("/") ? program : `/usr/bin/${program}`);
}
