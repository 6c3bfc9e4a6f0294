import assert from "node:assert/strict";
import { find, readSelector } from "../desktop/selector/mod.ts";
import { stages } from "./_stages.ts";
import { readTree, treeNames } from "./_trees.ts";
import { detect } from "./detect.ts";
import { patternNames } from "./detector.ts";
import { read } from "./scene.ts";
import { suggestionsFor } from "./suggest.ts";

Deno.test("every recorded tree is looked at, and every stage has one", () => {
  assert.deepEqual(treeNames(), stages.map((stage) => stage.name).sort());
});

for (const { name, pattern } of stages) {
  Deno.test(`${name} as it was recorded shows ${pattern ?? "none of the patterns"}`, () => {
    const snapshot = readTree(name);
    const scene = read(snapshot);
    const detection = detect(scene);
    assert.equal(detection.pattern?.name, pattern, JSON.stringify(detection));
    for (const { reasons, confidence } of detection.all) {
      assert.ok(reasons.length > 0);
      assert.ok(confidence > 0 && confidence < 1);
      for (const { row } of reasons) assert.ok(scene.visible(row), `row ${row} cannot be seen`);
    }
    if (pattern !== undefined) assert.ok(suggestionsFor(scene).length > 0);
    // Whatever is suggested, for the pattern or for others that fit, is found, and nothing else with it.
    for (const other of patternNames) {
      for (const { query, action } of suggestionsFor(scene, other)) {
        const { rows } = find(readSelector(query), snapshot);
        assert.equal(rows.length, 1, `${action}: ${query} finds ${rows.length}`);
      }
    }
  });
}

Deno.test("what is suggested for the dialogs of real applications is what a person would do", () => {
  const reported = (name: string) =>
    suggestionsFor(read(readTree(name))).map(({ tool, query }) => `${tool} ${query}`);
  assert.deepEqual(reported("gedit-save"), [
    'ax_type textfield:in-row("Name:")',
    'ax_click dialog[name="Save As"] button[name="Save"]',
    "ax_click Cancel",
  ]);
  assert.deepEqual(reported("mousepad-unsaved"), ["ax_click Don't Save", "ax_click Save", "ax_click Cancel"]);
  assert.deepEqual(reported("chromium-login_form"), [
    "ax_type E-mail",
    "ax_type Password",
    "ax_click Log in",
  ]);
});
