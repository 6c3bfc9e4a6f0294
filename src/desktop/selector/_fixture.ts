import { buildSnapshot, type NodeDescription } from "../build.ts";
import type { Application } from "../element.ts";

/** The application of the tree below. */
export const editor: Application = {
  bus: ":1.5",
  name: "Editor",
  pid: 42,
  toolkit: "gtk",
  toolkitVersion: "3.24.38",
  id: "org.example.Editor",
};

/** A small editor with a menu bar, a form, a table, two dialogs and hidden things: what the selector tests look at. */
export const editorTree: NodeDescription = {
  role: "application",
  name: "Editor",
  children: [
    {
      role: "frame",
      name: "Draft — Editor",
      also: ["active", "resizable"],
      children: [
        {
          role: "menuBar",
          children: [
            {
              role: "menu",
              name: "File",
              children: [
                { role: "menuItem", name: "Save", without: ["showing"] },
                { role: "menuItem", name: "Save As…", without: ["showing"] },
                { role: "menu", name: "Recent", children: [{ role: "menuItem", name: "notes.txt" }] },
              ],
            },
            { role: "menu", name: "Edit" },
          ],
        },
        {
          role: "filler",
          id: "form",
          children: [
            { role: "label", name: "Name" },
            {
              role: "text",
              name: "Name",
              id: "name-entry",
              text: "report 2026",
              also: ["editable", "focusable", "focused", "singleLine"],
            },
            {
              role: "text",
              name: "Body",
              text: "Hello\nworld",
              also: ["editable", "multiLine", "focusable"],
            },
            { role: "passwordText", name: "Secret", also: ["editable"] },
            { role: "label", name: "Volume" },
            { role: "slider", value: { current: 5, minimum: 0, maximum: 10, step: 1 } },
            { role: "checkBox", name: "Wrap lines", also: ["checked", "checkable"] },
            {
              role: "checkBox",
              name: "Spell check",
              attributes: { class: "toggle", "placeholder-text": "none" },
            },
            {
              role: "pushButton",
              name: "Save",
              description: "Write the file",
              children: [{ role: "label", name: "Save" }],
            },
            { role: "pushButton", name: "Quit", without: ["enabled", "sensitive"] },
            { role: "toggleButton", name: 'Say "hi"', also: ["pressed"] },
          ],
        },
        {
          role: "table",
          name: "Files",
          children: [
            {
              role: "tableRow",
              children: [{ role: "tableCell", name: "x" }, { role: "tableCell", name: "1 kB" }],
            },
            {
              role: "tableRow",
              also: ["selected"],
              children: [{ role: "tableCell", name: "y" }, { role: "tableCell", name: "2 kB" }],
            },
          ],
        },
      ],
    },
    {
      role: "dialog",
      name: "Save changes?",
      also: ["modal"],
      children: [{ role: "panel", children: [{ role: "pushButton", name: "Discard" }] }, {
        role: "pushButton",
        name: "Cancel",
      }, {
        role: "pushButton",
        name: "OK",
      }],
    },
    {
      role: "fileChooser",
      name: "Save as",
      also: ["resizable"],
      children: [{ role: "pushButton", name: "Choose" }],
    },
  ],
};

/** The tree as a snapshot. */
export const editorSnapshot = buildSnapshot(editorTree, editor);
