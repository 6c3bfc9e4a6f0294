import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import type { Snapshot } from "../snapshot.ts";
import { cellAt, cellIn } from "./cells.ts";

type Row = readonly [name: string, sum: string, unit: string];

/** A table of three columns. */
function table(
  toolkit: "gtk" | "Qt",
  rows: readonly Row[],
  states: NodeDescription["states"] = [],
): Snapshot {
  const cell = (name: string): NodeDescription => ({ role: "tableCell", name, states });
  const header = (name: string): NodeDescription => ({ role: "tableColumnHeader", name });
  return buildSnapshot(
    { role: "table", children: [...["Name", "Sum", "Unit"].map(header), ...rows.flat().map(cell)] },
    { bus: ":1.5", name: "app", pid: 42, toolkit, toolkitVersion: toolkit === "gtk" ? "3.24" : "5.15" },
  );
}

const rent: Row = ["Rent", "900", "euros"];
const food: Row = ["Food", "300", "euros"];
const fun: Row = ["Fun", "300", "euros"];
const before = table("gtk", [rent, food]);
/** The name of the row of food. */
const found = cellIn(before, 7);

function nameOf(after: Snapshot): string | undefined {
  assert.ok(found);
  const at = cellAt(after, 0, found.at);
  return at < 0 ? undefined : after.name(at);
}

Deno.test("a cell is found again by its row, whatever it shows by then", () => {
  assert.deepEqual(found, { view: 0, at: { index: 3, beside: ["300", "euros"], count: 6, part: 0 } });
  assert.equal(nameOf(before), "Food");
  assert.equal(nameOf(table("gtk", [rent, ["Meals", "300", "euros"]])), "Meals");
  assert.equal(nameOf(table("gtk", [["Meals", "300", "euros"], rent])), "Meals", "sorted");
  assert.equal(
    nameOf(table("gtk", [["New", "1", "euros"], rent, ["Meals", "300", "euros"]])),
    "Meals",
    "inserted",
  );
  assert.equal(nameOf(table("gtk", [rent, ["Food", "310", "pounds"]])), "Food", "what is beside was edited");
});

Deno.test("where it cannot be told which row it is, none is taken for it", () => {
  assert.equal(nameOf(table("gtk", [rent])), undefined, "deleted");
  assert.equal(nameOf(table("gtk", [food, fun, rent])), undefined, "two rows show what is beside it");
});

Deno.test("what is opened or checked by its value, and what no toolkit edits so, is no such cell", () => {
  assert.notEqual(cellIn(table("Qt", [rent]), 4), undefined);
  for (const state of ["expandable", "checkable"] as const) {
    assert.equal(cellIn(table("gtk", [rent], [state]), 4), undefined);
  }
  assert.equal(cellIn(before, 2), undefined, "a header");
});
