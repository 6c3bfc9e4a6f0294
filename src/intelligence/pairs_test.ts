import assert from "node:assert/strict";
import {
  area,
  button,
  cell,
  check,
  combo,
  dialogOf,
  field,
  header,
  label,
  node,
  pageOf,
  password,
  windowOf,
} from "./_build.ts";
import { detect } from "./detect.ts";
import { type PatternName, patternNames } from "./detector.ts";
import type { Scene } from "./scene.ts";

type Pair = readonly [what: string, scene: Scene];
interface Pairs {
  readonly yes: readonly Pair[];
  readonly no: readonly Pair[];
}

const files = node("fileChooser", "", {
  children: [field("Name"), node("table", "Files", { children: [header("Name"), header("Size")] })],
});
const textOf = (share: number) => area({ x: 0, y: 0, width: 800, height: 600 * share });
const people = [header("Name"), header("Born"), cell("Ada"), cell("1815")];
const at = (x: number, y: number) => ({ x, y, width: 100, height: 20 });
const progress = (current: number) =>
  node("progressBar", "", { value: { current, minimum: 0, maximum: 100, step: 0 } });
const items = ["One", "Two"].map((name) => node("listItem", name));

/** What each detector must take for its pattern, and what looks alike and is another thing. */
const pairs: Readonly<Record<PatternName, Pairs>> = {
  login_form: {
    yes: [
      [
        "user, password and a button that signs in",
        windowOf("Shop", field("User"), password("Password"), button("Log in")),
      ],
      ["in German", windowOf("Laden", field("Benutzername"), password("Passwort"), button("Anmelden"))],
      ["in Japanese", windowOf("店", field("メール"), password("パスワード"), button("ログイン"))],
      ["a page that is sent with Return", pageOf("Log in", field("E-mail"), password("Password"))],
      [
        "an unlocked keyring, whose user is known",
        dialogOf("dialog", "Keyring", password("Password"), button("Log in")),
      ],
    ],
    no: [
      [
        "two passwords make a new one",
        windowOf("Shop", field("User"), password("New"), password("Again"), button("Log in")),
      ],
      ["a registration", windowOf("Join", field("User"), password("Password"), button("Sign up"))],
      [
        "a password among settings",
        windowOf(
          "Proxy",
          field("Host"),
          field("Port"),
          field("Realm"),
          field("User"),
          password("Password"),
          button("OK"),
        ),
      ],
      ["no password at all", windowOf("Shop", field("User"), button("Log in"))],
      ["a password by itself", windowOf("Safe", password("Password"), button("Turn"))],
    ],
  },
  file_save_dialog: {
    yes: [
      ["files, Save and Cancel", dialogOf("dialog", "Keep", files, button("Save"), button("Cancel"))],
      ["in French", dialogOf("dialog", "Garder", files, button("Enregistrer"), button("Annuler"))],
      [
        "a sheet that only asks for a name",
        dialogOf("dialog", "Save", field("Name"), button("Save"), button("Cancel")),
      ],
    ],
    no: [
      ["files, Open and Cancel", dialogOf("dialog", "Fetch", files, button("Open"), button("Cancel"))],
      [
        "a question whether to save",
        dialogOf("alert", "Save?", label("Save it?"), button("Save"), button("Cancel")),
      ],
      ["a window with files that is no dialog", windowOf("Files", files, button("Save"), button("Cancel"))],
    ],
  },
  file_open_dialog: {
    yes: [
      ["files, Open and Cancel", dialogOf("dialog", "Fetch", files, button("Open"), button("Cancel"))],
      ["in Italian", dialogOf("dialog", "Prendere", files, button("Apri"), button("Annulla"))],
    ],
    no: [
      ["files, Save and Cancel", dialogOf("dialog", "Keep", files, button("Save"), button("Cancel"))],
      [
        "a question whether to open",
        dialogOf("alert", "Open?", label("Open it?"), button("Open"), button("Cancel")),
      ],
    ],
  },
  settings_page: {
    yes: [
      ["switches and choices under its title", windowOf("Preferences", check("Sounds"), combo("Theme"))],
      ["in Portuguese", windowOf("Configurações", check("Sons"), check("Tema"))],
      ["labelled choices only", windowOf("Display", check("Night"), check("Dim"), combo("Scale"))],
    ],
    no: [
      ["one switch", windowOf("Preferences", check("Sounds"))],
      ["choices without labels", windowOf("Display", check(""), check(""), check(""))],
      [
        "mostly text",
        windowOf("Contact", field("Name"), field("Street"), check("Private"), check("Work"), check("Home")),
      ],
    ],
  },
  confirmation_dialog: {
    yes: [
      ["Yes and No", dialogOf("alert", "Question", label("Go on?"), button("Yes"), button("No"))],
      ["three answers", dialogOf("dialog", "Save?", button("Discard"), button("Cancel"), button("Save"))],
      [
        "and not to be asked again",
        dialogOf("dialog", "Sure?", check("Do not ask again"), button("OK"), button("Cancel")),
      ],
      [
        "an alert in a language that is not listed",
        dialogOf("alert", "Kysymys", button("Kyllä"), button("Ei")),
      ],
    ],
    no: [
      ["one answer", dialogOf("alert", "Done", label("All is well."), button("OK"))],
      ["something to fill in", dialogOf("dialog", "Name", field("Name"), button("OK"), button("Cancel"))],
      ["something to choose", dialogOf("dialog", "Day", node("calendar"), button("OK"), button("Cancel"))],
      ["a dialog of tools", dialogOf("dialog", "Find", button("Up"), button("Down"))],
      ["the same buttons in a window", windowOf("Main", label("Go on?"), button("Yes"), button("No"))],
    ],
  },
  error_alert: {
    yes: [
      ["what failed, and OK", dialogOf("alert", "App", label("The file could not be read."), button("OK"))],
      ["titled so", dialogOf("alert", "Error", label("The disk."), button("Close"))],
      [
        "in German",
        dialogOf("alert", "App", label("Die Datei konnte nicht gelesen werden."), button("Schließen")),
      ],
      ["with details", dialogOf("dialog", "App", label("It failed."), button("Details"), button("Close"))],
    ],
    no: [
      ["good news", dialogOf("alert", "App", label("The file was saved."), button("OK"))],
      [
        "a question about an error",
        dialogOf("alert", "Error", label("It failed. Try again?"), button("Close"), button("Continue")),
      ],
      ["an error in a window", windowOf("Main", label("It failed."), button("OK"))],
    ],
  },
  search_interface: {
    yes: [
      [
        "a search field and what it found",
        windowOf("Shop", field("Search"), node("list", "", { children: items })),
      ],
      ["in Spanish", windowOf("Tienda", field("Buscar"), node("list", "", { children: items }))],
      [
        "a field that says so by its type",
        pageOf(
          "Shop",
          field("Query", { attributes: { "text-input-type": "search" } }),
          node("list", "Results", { children: items }),
        ),
      ],
    ],
    no: [
      ["a search field alone", windowOf("Shop", field("Search"))],
      ["an empty list", windowOf("Shop", field("Search"), node("list"))],
      [
        "a field for something else",
        windowOf("Shop", field("Research"), node("list", "", { children: items })),
      ],
    ],
  },
  table_view: {
    yes: [
      ["headed columns", windowOf("People", node("table", "", { children: people }))],
      [
        "cells side by side",
        windowOf(
          "People",
          node("table", "", {
            children: [
              node("tableCell", "Ada", { rect: at(0, 0) }),
              node("tableCell", "1815", { rect: at(100, 0) }),
            ],
          }),
        ),
      ],
      ["a tree with columns", windowOf("Files", node("treeTable", "", { children: people }))],
    ],
    no: [
      [
        "columns without a row",
        windowOf("People", node("table", "", { children: [header("Name"), header("Born")] })),
      ],
      [
        "one column",
        windowOf(
          "People",
          node("tree", "", { children: [node("treeItem", "Ada"), node("treeItem", "Alan")] }),
        ),
      ],
      ["a list", windowOf("People", node("list", "", { children: items }))],
    ],
  },
  form: {
    yes: [
      [
        "labelled fields and a button",
        windowOf("New", field("Name"), field("Street"), check("Private"), button("Submit")),
      ],
      [
        "labels that stand beside",
        windowOf("New", label("Name"), field(""), label("Street"), field(""), label("Town"), field("")),
      ],
    ],
    no: [
      ["two fields", windowOf("New", field("Name"), field("Street"), button("Submit"))],
      ["fields without labels", windowOf("New", field(""), field(""), field(""))],
      [
        "fields of a toolbar",
        windowOf("New", node("toolBar", "", { children: [field("A"), field("B"), field("C")] })),
      ],
      ["switches only", windowOf("New", check("A"), check("B"), check("C"))],
    ],
  },
  browser_main: {
    yes: [["a page, its address and tabs", pageOf("Story", label("Once upon a time"))]],
    no: [
      [
        "a page in an application",
        windowOf("Help", node("documentWeb", "Help", { rect: { x: 0, y: 0, width: 800, height: 600 } })),
      ],
      ["an address without a page", windowOf("Contact", field("Address"), node("pageTabList"))],
    ],
  },
  text_editor: {
    yes: [
      ["a large text under a toolbar", windowOf("Letter", node("toolBar"), textOf(0.9))],
      ["a large text and Bold", pageOf("Letter", button("Bold"), textOf(0.5))],
      ["a large text by itself", windowOf("Note", textOf(0.5))],
    ],
    no: [
      ["a small text", windowOf("Chat", textOf(0.1), button("Send"))],
      [
        "a text that only shows",
        windowOf(
          "Log",
          node("text", "", {
            text: "done",
            also: ["multiLine"],
            rect: { x: 0, y: 0, width: 800, height: 600 },
          }),
        ),
      ],
      ["a text in a dialog", dialogOf("dialog", "Licence", textOf(0.9), button("Accept"))],
    ],
  },
  progress_indicator: {
    yes: [
      ["a bar that is half full", windowOf("Copying", progress(40), button("Cancel"))],
      ["a spinner", windowOf("Fetching", node("animation", "Spinner"))],
      ["a bar without numbers", windowOf("Copying", node("progressBar"))],
    ],
    no: [
      ["a bar that is full", windowOf("Copied", progress(100))],
      ["a bar that has not begun", windowOf("Copied", progress(0))],
      [
        "a spinner that does not show",
        windowOf("Done", node("animation", "Spinner", { without: ["showing"] })),
      ],
      [
        "a level",
        windowOf(
          "Battery",
          node("levelBar", "", { value: { current: 40, minimum: 0, maximum: 100, step: 0 } }),
        ),
      ],
    ],
  },
};

for (const name of patternNames) {
  const { yes, no } = pairs[name];
  for (const [what, scene] of yes) {
    Deno.test(`${name}: ${what}`, () => {
      const detection = detect(scene);
      assert.equal(detection.pattern?.name, name, JSON.stringify(detection.all));
      assert.ok((detection.pattern?.reasons.length ?? 0) > 0);
    });
  }
  for (const [what, scene] of no) {
    Deno.test(`${name}: not ${what}`, () => {
      const found = detect(scene).all.find((one) => one.name === name);
      assert.equal(found, undefined);
    });
  }
}
