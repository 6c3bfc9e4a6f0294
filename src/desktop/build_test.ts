import assert from "node:assert/strict";
import { buildSnapshot } from "./build.ts";
import { Interface } from "./interfaces.ts";
import { editor } from "./selector/_fixture.ts";

Deno.test("a description becomes rows in preorder with every field readable", () => {
  const snapshot = buildSnapshot(
    {
      role: "frame",
      name: "Ä",
      children: [
        {
          role: 61,
          name: "Ä",
          id: "e",
          description: "d",
          text: "tëxt",
          caret: 2,
          textSelection: [1, 3],
          rect: { x: -5, y: 1, width: 2, height: 3 },
          also: ["editable"],
          without: ["showing"],
          actions: ["click", "activate"],
          attributes: { class: "a:b" },
          children: [{ role: "label" }],
        },
        {
          role: "list",
          selected: [0, 2],
          childCount: 9,
          value: { current: 1, minimum: 0, maximum: 2, step: 0.5 },
        },
      ],
    },
    editor,
    { generation: 7, cut: ["depth"] },
  );
  assert.equal(snapshot.size, 4);
  assert.deepEqual([0, 1, 2, 3].map((row) => snapshot.parent(row)), [-1, 0, 1, 0]);
  assert.deepEqual(snapshot.children(0), [1, 3]);
  assert.deepEqual([snapshot.name(1), snapshot.id(1), snapshot.description(1), snapshot.text(1)], [
    "Ä",
    "e",
    "d",
    "tëxt",
  ]);
  assert.equal(snapshot.columns.name[0], snapshot.columns.name[1], "equal strings share a number");
  assert.deepEqual([...snapshot.columns.caret.subarray(3, 6)], [2, 1, 3]);
  assert.deepEqual(snapshot.rect(1), { x: -5, y: 1, width: 2, height: 3 });
  assert.equal(snapshot.rect(0), undefined);
  assert.deepEqual([snapshot.has(1, "editable"), snapshot.has(1, "showing"), snapshot.has(1, "enabled")], [
    true,
    false,
    true,
  ]);
  assert.deepEqual(snapshot.actions(1), ["click", "activate"]);
  assert.deepEqual(snapshot.attributes(1), { class: "a:b" });
  assert.deepEqual([snapshot.selected(3), snapshot.selected(1)], [[0, 2], undefined]);
  assert.deepEqual(snapshot.value(3), { current: 1, minimum: 0, maximum: 2, step: 0.5 });
  assert.equal(snapshot.text(0), undefined);
  assert.equal(snapshot.columns.children[3], 9);
  assert.ok(snapshot.implements(1, Interface.text | Interface.editableText | Interface.action));
  assert.deepEqual(snapshot.element(1), {
    bus: editor.bus,
    path: "/node/1",
    generation: 7,
    fingerprint: { role: 61, name: "Ä", id: "e" },
    ancestors: [],
  });
  assert.deepEqual(snapshot.origin.cut, ["depth"]);
});
