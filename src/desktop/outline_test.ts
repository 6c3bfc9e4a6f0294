import assert from "node:assert/strict";
import { buildSnapshot } from "./build.ts";
import { outline } from "./outline.ts";
import { editor, editorSnapshot } from "./selector/_fixture.ts";

Deno.test("an outline shows role, name, notable states, text and numbers, a line an element", () => {
  const text = outline(editorSnapshot);
  assert.match(text, /^application "Editor"\n {2}window "Draft — Editor" \[active\]\n/);
  assert.match(text, /\n {6}textfield "Name" \[focused\]: "report 2026"\n/);
  assert.match(text, /\n {6}slider: 5\n/);
  assert.match(text, /\n {6}button "Quit" \[disabled\]\n/);
  assert.match(text, /\n {6}textarea "Body": "Hello\\nworld"\n/);
});

Deno.test("an unnamed box with one child is left out, one with several is shown", () => {
  const text = outline(buildSnapshot({
    role: "frame",
    children: [{
      role: "panel",
      children: [{ role: "filler", children: [{ role: "link", name: "a" }, { role: "link", name: "b" }] }],
    }],
  }, editor));
  assert.equal(text, 'window\n  filler\n    link "a"\n    link "b"');
});

Deno.test("what does not fit is counted in the last line", () => {
  const lines = outline(editorSnapshot, { maxLines: 3 }).split("\n");
  assert.equal(lines.length, 4);
  assert.equal(lines[3], `… not shown: ${editorSnapshot.size - 3} more elements after 3 lines`);
});

Deno.test("depth and hidden elements are cut with their number", () => {
  assert.match(outline(editorSnapshot, { maxDepth: 1 }), /not shown: \d+ elements deeper than 1 levels$/);
  const visible = outline(editorSnapshot, { visibleOnly: true });
  assert.doesNotMatch(visible, /Save As…/);
  assert.match(visible, /not shown: 2 elements that are hidden$/);
});

Deno.test("a tree that was read incompletely says so", () => {
  const snapshot = buildSnapshot({ role: "frame" }, editor, { cut: ["nodes"] });
  assert.equal(outline(snapshot), "window\n… not shown: what the reading left out (nodes)");
});

Deno.test("a name from an application cannot break out of its line or its quotes", () => {
  const text = outline(buildSnapshot({ role: "frame", name: 'a"\nbutton "b' }, editor));
  assert.equal(text, 'window "a\\"\\nbutton \\"b"');
});

Deno.test("marks of what is embedded in a text are no text", () => {
  const text = outline(buildSnapshot({
    role: "documentWeb",
    children: [{ role: "paragraph", text: "\ufffc\ufffc" }, { role: "paragraph", text: "Hello \ufffc" }],
  }, editor));
  assert.ok(!text.includes("\ufffc"));
  assert.match(text, /: "Hello"$/);
});
