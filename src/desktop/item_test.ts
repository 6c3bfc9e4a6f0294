import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "./build.ts";
import { itemMarkOf } from "./item.ts";

const application = { bus: ":1.5", name: "list", pid: 1, toolkit: "GTK", toolkitVersion: "4.8.3" };
const label = (name: string): NodeDescription => ({ role: "label", name });

/** The marks of a tree's rows, by row. */
function marks(...children: NodeDescription[]): (string | undefined)[] {
  const snapshot = buildSnapshot({ role: "application", children }, application);
  return Array.from({ length: snapshot.size }, (_, row) => {
    const mark = itemMarkOf(snapshot, row);
    return mark && `${mark.path} ${mark.content}`;
  });
}

Deno.test("what lies in an item bears the item's content, what lies outside of one bears none", () => {
  const item: NodeDescription = {
    role: "listItem",
    children: [label("Ada"), { role: "pushButton", name: "Delete" }],
  };
  assert.deepEqual(marks({ role: "list", name: "People", children: [item] }, label("Ada")), [
    undefined,
    undefined,
    "/node/2 Ada · Delete",
    "/node/2 Ada · Delete",
    "/node/2 Ada · Delete",
    undefined,
  ]);
});

Deno.test("a cell is told by its row, and an item without anything inside by its own name", () => {
  const cell = (name: string): NodeDescription => ({ role: "tableCell", children: [label(name)] });
  const [, , row, first] = marks({
    role: "table",
    children: [{ role: "tableRow", children: [cell("1"), cell("x")] }],
  });
  assert.equal(row, "/node/2 1 · x");
  assert.equal(first, row);
  assert.deepEqual(marks({ role: "table", children: [{ role: "tableCell", name: "1" }] }).slice(1), [
    undefined,
    undefined,
  ]);
});

Deno.test("values, texts and items below an item are no part of its content: they change with use", () => {
  const item: NodeDescription = {
    role: "treeItem",
    children: [
      label("Volume"),
      { role: "spinButton", name: "7" },
      { role: "entry", name: "typed" },
      { role: "treeItem", children: [label("Left")] },
    ],
  };
  const [, , first] = marks({ role: "tree", children: [item] });
  assert.equal(first, "/node/2 Volume");
});

Deno.test("content is bounded, and what is larger than a row of a list has none", () => {
  const long = marks({
    role: "list",
    children: [{ role: "listItem", children: [label("x".repeat(5_000))] }],
  });
  assert.equal(long[2], `/node/2 ${"x".repeat(60)}…`);
  const many = Array.from({ length: 40 }, (_, k) => label(`${k}`));
  assert.equal(marks({ role: "list", children: [{ role: "listItem", children: many }] })[2], undefined);
});
