import assert from "node:assert/strict";
import { find, readSelector } from "../desktop/selector/mod.ts";
import { recordedTree } from "./recorded-tree.ts";

const LINES = [
  'application "editor"',
  '  window "Draft" [active]',
  '    textfield "Name" [focused]: "Ada \\"L\\""',
  '    checkbox "Bold" [checked]',
  '    slider "Volume": 40',
  '    button "Save" [disabled]',
  "    textarea",
  "… not shown: 3 more elements after 7 lines",
];

Deno.test("a selector finds its lines in a tree that was kept as lines", () => {
  const { snapshot, lineOf } = recordedTree(LINES);
  const lines = (selector: string) => find(readSelector(selector), snapshot).rows.map((row) => lineOf[row]);
  assert.deepEqual(lines('textfield[name="Name"]'), [2]);
  assert.deepEqual(lines("checkbox:checked"), [3]);
  assert.deepEqual(lines("button:disabled"), [5]);
  assert.deepEqual(lines('window[name="Draft"] > slider'), [4]);
  assert.deepEqual(lines("textarea"), [6]);
  assert.deepEqual(lines("combobox"), []);
  assert.equal(snapshot.text(lineOf.indexOf(2)), 'Ada "L"');
});
