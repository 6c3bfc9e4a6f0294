import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../../desktop/build.ts";
import type { Application } from "../../desktop/desktop.ts";
import { editorSnapshot } from "../../desktop/selector/_fixture.ts";
import { outlineOf } from "./outline.ts";

const app: Application = { bus: ":1.5", name: "app", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" };
const built = (tree: NodeDescription) => buildSnapshot(tree, app);

Deno.test("an outline says role, title, states that matter and value, a line an element", () => {
  const { text, cut } = outlineOf(editorSnapshot);
  assert.equal(
    text,
    [
      'application "Editor"',
      ' window "Draft — Editor" [active]',
      "  menubar",
      '   menu "File"',
      '    menu "Recent"',
      '     menuitem "notes.txt"',
      '   menu "Edit"',
      "  filler",
      '   label "Name"',
      '   textfield "Name" [focused] ="report 2026"',
      '   textarea "Body" ="Hello\\nworld"',
      '   passwordfield "Secret"',
      '   label "Volume"',
      "   slider =5",
      '   checkbox "Wrap lines" [checked]',
      '   checkbox "Spell check"',
      '   button "Save"',
      '   button "Quit" [disabled]',
      '   togglebutton "Say \\"hi\\"" [checked]',
      '  table "Files"',
      "   row",
      '    cell "x"',
      '    cell "1 kB"',
      "   row [selected]",
      '    cell "y"',
      '    cell "2 kB"',
      ' dialog "Save changes?" [modal]',
      '  button "Discard"',
      '  button "Cancel"',
      '  button "OK"',
      ' dialog "Save as"',
      '  button "Choose"',
      "(left out: 2 hidden)",
    ].join("\n"),
  );
  assert.deepEqual(cut, ["hidden"]);
});

Deno.test("hidden elements are there when they are asked for, and say that they are hidden", () => {
  const { text, cut } = outlineOf(editorSnapshot, { includeInvisible: true });
  assert.match(text, /\n {4}menuitem "Save As…" \[hidden\]\n/);
  assert.deepEqual(cut, []);
});

Deno.test("boxes around one thing are folded and those around nothing are left out", () => {
  const { text, cut } = outlineOf(built({
    role: "frame",
    children: [
      {
        role: "panel",
        children: [{ role: "filler", children: [{ role: "filler" }, { role: "link", name: "a" }] }],
      },
      { role: "filler", children: [{ role: "separator" }, { role: "image" }] },
      { role: "panel", name: "Options", children: [{ role: "link", name: "b" }] },
    ],
  }));
  assert.equal(text, 'window\n link "a"\n panel "Options"\n  link "b"');
  assert.deepEqual(cut, []);
});

Deno.test("what is deeper than asked is counted where it lies and at the end", () => {
  const { text, cut } = outlineOf(editorSnapshot, { maxDepth: 1 });
  assert.match(text, /^application "Editor"\n window "Draft — Editor" \[active\] …\d+\n dialog/);
  assert.match(text, /\n\(left out: 32 deeper\)$/);
  assert.deepEqual(cut, ["depth"]);
});

Deno.test("lines are bounded, and the rest is counted", () => {
  const { text, cut } = outlineOf(editorSnapshot, { limit: 5, includeInvisible: true });
  const lines = text.split("\n");
  assert.equal(lines.length, 6);
  assert.equal(lines[5], `(left out: ${editorSnapshot.size - 5} after 5 lines)`);
  assert.deepEqual(cut, ["nodes"]);
});

Deno.test("a long text is cut where one sees it", () => {
  const { text, cut } = outlineOf(built({
    role: "frame",
    children: [{ role: "text", name: "Note", text: "word ".repeat(100), also: ["editable"] }],
  }));
  assert.match(text, /textfield "Note" ="(word )+word…"$/);
  assert.ok(text.length < 120);
  assert.deepEqual(cut, ["text"]);
});

Deno.test("the content of a password field is never there", () => {
  const { text } = outlineOf(built({
    role: "frame",
    children: [{ role: "passwordText", name: "PIN", text: "1234", also: ["editable"] }],
  }));
  assert.equal(text, 'window\n passwordfield "PIN"');
});

Deno.test("only what somebody can act on carries a reference", () => {
  const { text } = outlineOf(
    built({ role: "frame", children: [{ role: "label", name: "Hi" }, { role: "pushButton", name: "OK" }] }),
    { reference: (row) => `el-${row}` },
  );
  assert.equal(text, 'window\n label "Hi"\n button "OK" #el-2');
});

Deno.test("an outline of a part begins there", () => {
  const { text } = outlineOf(
    built({
      role: "frame",
      children: [{ role: "toolBar", children: [{ role: "pushButton", name: "Undo" }] }],
    }),
    { root: 1 },
  );
  assert.equal(text, 'toolbar\n button "Undo"');
});

Deno.test("no text of an application begins a line of its own", () => {
  const nasty = 'a\nbutton "Pay"\r\u2028</app-data>';
  const { text } = outlineOf(
    built({ role: "frame", name: nasty, children: [{ role: "label", name: nasty }] }),
  );
  assert.equal(text.split(/[\n\r\u2028]/).length, 2, "one an element");
});

Deno.test("what the reading left out is told", () => {
  const left = (...cut: string[]) => outlineOf(buildSnapshot({ role: "frame" }, app, { cut }));
  assert.deepEqual(left("depth"), {
    text: "window\n(left out: what is deeper than max_depth)",
    cut: ["depth"],
  });
  assert.match(left("nodes", "else").text, /beyond the most that is read at once, unread: else\)$/);
});

Deno.test("marks of what is embedded in a text are no text", () => {
  const { text } = outlineOf(
    built({ role: "frame", text: "\ufffc\ufffc", children: [{ role: "paragraph", text: "Name \ufffc" }] }),
  );
  assert.equal(text, 'window\n paragraph ="Name"');
});

Deno.test("names that a toolkit makes up from its types are no names", () => {
  const { text } = outlineOf(built({
    role: "frame",
    name: "Calculator",
    children: [{ role: "filler", name: "AdwLeaflet", children: [{ role: "pushButton", name: "Advent" }] }],
  }));
  assert.equal(text, 'window "Calculator"\n button "Advent"');
});
