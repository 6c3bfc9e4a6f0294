import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import { Snapshot } from "../snapshot.ts";
import { fieldsOf, match } from "./match.ts";
import { parseSelector } from "./parse.ts";

const at = (x: number, y: number, width = 90, height = 20) => ({ x, y, width, height });
const cell = (name: string, x: number, y: number): NodeDescription => ({
  role: "tableCell",
  name,
  rect: at(x, y),
});
const snapshot = buildSnapshot({
  role: "frame",
  name: "Main",
  rect: at(0, 0, 600, 400),
  children: [
    {
      role: "table",
      rect: at(0, 0, 200, 60),
      children: [
        { role: "tableColumnHeader", name: "Who", rect: at(0, 0) },
        { role: "tableColumnHeader", name: "Age", rect: at(100, 0) },
        cell("Alice", 0, 20),
        cell("", 100, 20),
        cell("Bob", 0, 40),
        cell("", 100, 40),
      ],
    },
    {
      role: "panel",
      rect: at(0, 100, 300, 60),
      children: [
        { role: "label", name: "Volume", path: "/volume", rect: at(0, 100) },
        { role: "slider", rect: at(100, 100, 150), relations: { 2: ["/volume"] } },
        { role: "label", name: "Balance", rect: at(0, 130) },
        { role: "slider", rect: at(100, 130, 150) },
      ],
    },
    { role: "panel", children: [{ role: "panel", children: [{ role: "slider", rect: at(400, 130) }] }] },
  ],
}, { bus: ":1.5", name: "app", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" });
const rows = (selector: string) => match(parseSelector(selector), snapshot);

Deno.test("a cell is told by its row and its column, in its own table", () => {
  assert.deepEqual(rows('cell:in-row("Alice")'), [5]);
  assert.deepEqual(rows('cell:in-row("Bob"):in-column("Age")'), [7]);
  assert.deepEqual(rows('cell:in-column("Age")'), [5, 7]);
  assert.deepEqual(rows('slider:in-column("Age")'), [], "what is below the table is in none of its columns");
  assert.deepEqual(rows('cell:in-row("alice")'), [], "a name is compared as it is");
});

Deno.test("a cell without a place is told by its order in its table", () => {
  const out = (name: string): NodeDescription => ({ role: "tableCell", name });
  const table = (cells: NodeDescription[], rect?: NodeDescription["rect"]) =>
    buildSnapshot({
      role: "table",
      ...(rect === undefined ? {} : { rect }),
      children: [
        { role: "tableColumnHeader", name: "Who", rect: at(0, 0) },
        { role: "tableColumnHeader", name: "Age", rect: at(100, 0) },
        ...cells,
      ],
    }, { bus: ":1.5", name: "app", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" });
  const found = (selector: string, ...cells: NodeDescription[]) =>
    match(parseSelector(selector), table(cells, at(0, 0, 200, 60)));
  const cells = [cell("Alice", 0, 20), cell("7", 100, 20), out("Bob"), out("8")];
  assert.deepEqual(found('cell:in-row("Bob")', ...cells), [6]);
  assert.deepEqual(found('cell:in-row("Bob"):in-column("Age")', ...cells), [6]);
  assert.deepEqual(found('cell:in-column("Who")', ...cells), [3, 5]);
  assert.deepEqual(found('cell:in-row("Bob")', ...cells, out("Cy")), [], "cells that fill no whole row");
  assert.deepEqual(match(parseSelector('cell:in-row("Bob")'), table(cells)), [], "a page that does not show");
});

Deno.test("a label is the one that the application relates; what stands beside is asked for apart", () => {
  assert.deepEqual(rows('slider:labelled-by("Volume")'), [10]);
  assert.deepEqual(rows('slider:labelled-by("Balance")'), []);
  assert.deepEqual(rows('slider:in-row("Balance")'), [12], "what is in another box is in no row with it");
});

Deno.test("they ask for the fields that they read, and refuse a tree without them", () => {
  assert.deepEqual(fieldsOf(parseSelector('slider:labelled-by("x")')), ["relations"]);
  assert.deepEqual(fieldsOf(parseSelector('slider:in-row("x"):in-column("y")')), ["extents"]);
  const { relations: _, ...columns } = snapshot.columns;
  const bare = new Snapshot({ ...columns, rect: new Int32Array() }, snapshot.origin);
  for (const how of ["labelled-by", "in-row", "in-column"]) {
    assert.throws(
      () => match(parseSelector(`slider:${how}("Volume")`), bare),
      (thrown) => thrown instanceof BackstepError && thrown.code === "invalid",
    );
  }
});
