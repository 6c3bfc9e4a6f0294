import type { OwnDescription, SimulatedApplication } from "../application.ts";
import { undoText } from "../changes.ts";
import type { Behaviour } from "../describe.ts";
import { pressChord } from "../keyboard.ts";

/** Where the editor saves. */
export const EDITOR_FOLDER = "/home/sim/Documents/";

/** A text editor: a modified mark in the title, undo, a File menu, and a dialog that saves into the simulated files. */
export const editor: OwnDescription = {
  id: "sim.editor",
  name: "Editor",
  windows: [
    {
      key: "main",
      title: "Untitled - Editor",
      children: [
        {
          kind: "menubar",
          children: [
            {
              kind: "menu",
              key: "file",
              name: "File",
              children: [
                { kind: "menuitem", key: "new", name: "New" },
                { kind: "menuitem", key: "save", name: "Save" },
                { kind: "menuitem", key: "save-as", name: "Save As…" },
                { kind: "menuitem", key: "close", name: "Close" },
              ],
            },
            {
              kind: "menu",
              key: "edit",
              name: "Edit",
              children: [
                { kind: "menuitem", key: "undo", name: "Undo" },
                { kind: "menuitem", key: "redo", name: "Redo" },
                { kind: "menuitem", key: "copy", name: "Copy" },
                { kind: "menuitem", key: "paste", name: "Paste" },
              ],
            },
          ],
        },
        { kind: "textarea", key: "text", id: "text", name: "Document" },
        { kind: "status", key: "status", name: "0 characters" },
      ],
    },
    {
      key: "save-dialog",
      kind: "dialog",
      title: "Save",
      children: [
        { kind: "entry", key: "save-name", name: "Name" },
        { kind: "label", key: "save-error" },
        {
          kind: "panel",
          layout: "row",
          children: [
            { kind: "button", key: "save-cancel", name: "Cancel" },
            { kind: "button", key: "save-save", name: "Save", isDefault: true },
          ],
        },
      ],
    },
    question("replace", "Replace the file?", [["replace-cancel", "Cancel"], ["replace-replace", "Replace"]]),
    question("unsaved", "Save the changes?", [
      ["unsaved-discard", "Discard"],
      ["unsaved-cancel", "Cancel"],
      ["unsaved-save", "Save"],
    ]),
  ],
  behave,
};

function question(key: string, title: string, buttons: readonly (readonly [key: string, name: string])[]) {
  return {
    key,
    kind: "dialog" as const,
    title,
    children: [{
      kind: "panel" as const,
      layout: "row" as const,
      children: buttons.map(([key, name]) => ({ kind: "button" as const, key, name })),
    }],
  };
}

function behave(app: SimulatedApplication): Behaviour {
  const { shared } = app;
  let file: string | undefined;
  let closing = false;

  const history = () => app.find("text").history ?? { undo: [], redo: [], saved: 0 };
  const modified = () => history().undo.length !== history().saved;

  function retitle() {
    const name = file === undefined ? "Untitled" : file.slice(EDITOR_FOLDER.length);
    app.setName("main", `${modified() ? "*" : ""}${name} - Editor`);
    app.setName("status", `${[...app.text("text")].length} characters`);
  }
  function write(path: string) {
    shared.writeFile(path, app.text("text"));
    file = path;
    history().saved = history().undo.length;
    retitle();
    if (closing) app.closeWindow("main");
  }
  function askName() {
    app.open("save-dialog");
    app.setText("save-name", file?.slice(EDITOR_FOLDER.length) ?? "");
    app.setSensitive("save-save", app.text("save-name") !== "");
  }
  function save() {
    if (file === undefined) askName();
    else write(file);
  }
  function saveUnderName() {
    const name = app.text("save-name");
    if (name === "") return;
    if (name.includes("/")) {
      app.setName("save-error", "A name cannot contain “/”.");
    } else if (shared.files.has(EDITOR_FOLDER + name) && EDITOR_FOLDER + name !== file) app.open("replace");
    else finish(name);
  }
  function finish(name: string) {
    app.closeWindow("replace");
    app.closeWindow("save-dialog");
    write(EDITOR_FOLDER + name);
  }
  function clear() {
    file = undefined;
    app.setText("text", "");
    Object.assign(history(), { undo: [], redo: [], saved: 0 });
    retitle();
  }
  const actions: Record<string, () => void> = {
    new: clear,
    save,
    "save-as": askName,
    close: () => app.requestClose("main"),
    undo: () => void undoText(app.find("text")),
    redo: () => void undoText(app.find("text"), true),
    copy: () => edit("ctrl+c"),
    paste: () => edit("ctrl+v"),
    "save-save": saveUnderName,
    "save-cancel": () => app.requestClose("save-dialog"),
    "replace-cancel": () => app.closeWindow("replace"),
    "replace-replace": () => finish(app.text("save-name")),
    "unsaved-cancel": () => app.requestClose("unsaved"),
    "unsaved-discard"() {
      app.closeWindow("unsaved");
      app.closeWindow("main");
    },
    "unsaved-save"() {
      closing = true;
      app.closeWindow("unsaved");
      save();
    },
  };
  function edit(chord: string) {
    app.focus("text");
    pressChord(shared, chord);
  }
  const chords: Record<string, string> = {
    "ctrl+s": "save",
    "ctrl+shift+s": "save-as",
    "ctrl+n": "new",
    "ctrl+w": "close",
  };

  return {
    press: (key) => actions[key]?.(),
    change(key) {
      if (key === "text") retitle();
      if (key === "save-name") app.setSensitive("save-save", app.text("save-name") !== "");
    },
    chord(chord, window) {
      const key = window === "main" ? chords[chord] : undefined;
      if (key !== undefined) actions[key]?.();
      return key !== undefined;
    },
    close(window) {
      if (window !== "main") closing = false;
      if (window !== "main" || !modified()) return false;
      app.open("unsaved");
      return true;
    },
    world: () => ({ file: file ?? null, modified: app.isOpen("main") && modified() }),
  };
}
