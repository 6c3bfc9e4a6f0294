import assert from "node:assert/strict";
import { Hands } from "../_hands.ts";
import { simulate } from "../simulate.ts";
import { ROWS } from "./list.ts";

Deno.test("the list has ten thousand rows, several of which are chosen", async () => {
  const hands = new Hands(simulate({ applications: ["sim.list"] }));
  assert.ok((await hands.tree()).size > ROWS);
  await hands.act("listBox", "Rows", { do: "select", child: 1 });
  await hands.act("listBox", "Rows", { do: "select", child: 9_999 });
  assert.deepEqual((await hands.read("listBox", "Rows")).selectedChildren, [1, 9_999]);
  assert.ok(await hands.look("label", "2 chosen"));
  await hands.act("listBox", "Rows", { do: "deselect", child: 1 });
  assert.ok(await hands.look("label", "Row 10000"));
  await hands.act("listBox", "Rows", { do: "selectAll" });
  assert.equal((await hands.read("listBox", "Rows")).selectedChildren?.length, ROWS);
  await hands.act("listBox", "Rows", { do: "selectNone" });
  assert.ok(await hands.look("label", "nothing chosen"));
});

Deno.test("rows out of view have no place on the screen until they are scrolled to", async () => {
  const hands = new Hands(simulate({ applications: ["sim.list"] }));
  assert.equal((await hands.read("listItem", "Row 5000")).rect, undefined);
  await hands.act("listItem", "Row 5000", { do: "scrollTo" });
  await hands.click("listItem", "Row 5000", 2);
  assert.ok(await hands.look("label", "Opened Row 5000"));
});

Deno.test("a recycling list keeps its paths while the rows behind them change", async () => {
  const desktop = simulate({ applications: ["sim.list-recycling"] });
  const hands = new Hands(desktop);
  const row = await hands.find("listItem", "Row 3");
  await hands.act("scrollBar", "", { do: "setValue", value: 24 * 100 });
  assert.equal((await desktop.read(row)).name, "Row 103");
  await assert.rejects(desktop.act(row, { do: "action", name: "activate" }), (error: unknown) => {
    assert.ok(error instanceof Error && "details" in error);
    assert.deepEqual(error.details, {
      expected: { role: 32, name: "Row 3", id: "" },
      found: { role: 32, name: "Row 103", id: "" },
      path: row.path,
    });
    return true;
  });
  await hands.act("listItem", "Row 103", { do: "action", name: "activate" });
  assert.ok(await hands.look("label", "Opened Row 103"));
});

Deno.test("a row that was away and came back is not taken for the one that was seen", async () => {
  const desktop = simulate({ applications: ["sim.list-recycling"] });
  const hands = new Hands(desktop);
  const row = await hands.find("listItem", "Row 3");
  await hands.act("scrollBar", "", { do: "setValue", value: 2_400 });
  await hands.act("scrollBar", "", { do: "setValue", value: 0 });
  await assert.rejects(desktop.act(row, { do: "action", name: "" }), { code: "stale" });
});

Deno.test("the choice of a recycling list stays with the item", async () => {
  const hands = new Hands(simulate({ applications: ["sim.list-recycling"] }));
  await hands.click("listItem", "Row 3");
  assert.deepEqual((await hands.read("listBox", "Rows")).selectedChildren, [2]);
  await hands.act("scrollBar", "", { do: "setValue", value: 2_400 });
  assert.deepEqual((await hands.read("listBox", "Rows")).selectedChildren, []);
  assert.ok(await hands.look("label", "Row 3"));
});
