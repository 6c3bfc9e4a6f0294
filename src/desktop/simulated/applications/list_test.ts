import assert from "node:assert/strict";
import { Driver } from "../_driver.ts";
import { simulate } from "../simulate.ts";
import { ROWS } from "./list.ts";

Deno.test("the list has ten thousand rows, several of which are chosen", async () => {
  const driver = new Driver(simulate({ applications: ["sim.list"] }));
  assert.ok((await driver.tree()).size > ROWS);
  await driver.act("listBox", "Rows", { do: "select", child: 1 });
  await driver.act("listBox", "Rows", { do: "select", child: 9_999 });
  assert.deepEqual((await driver.read("listBox", "Rows")).selectedChildren, [1, 9_999]);
  assert.ok(await driver.look("label", "2 chosen"));
  await driver.act("listBox", "Rows", { do: "deselect", child: 1 });
  assert.ok(await driver.look("label", "Row 10000"));
  await driver.act("listBox", "Rows", { do: "selectAll" });
  assert.equal((await driver.read("listBox", "Rows")).selectedChildren?.length, ROWS);
  await driver.act("listBox", "Rows", { do: "selectNone" });
  assert.ok(await driver.look("label", "nothing chosen"));
});

Deno.test("rows out of view have no place on the screen until they are scrolled to", async () => {
  const driver = new Driver(simulate({ applications: ["sim.list"] }));
  assert.equal((await driver.read("listItem", "Row 5000")).rect, undefined);
  await driver.act("listItem", "Row 5000", { do: "scrollTo" });
  await driver.click("listItem", "Row 5000", 2);
  assert.ok(await driver.look("label", "Opened Row 5000"));
});

Deno.test("a recycling list keeps its paths while the rows behind them change", async () => {
  const desktop = simulate({ applications: ["sim.list-recycling"] });
  const driver = new Driver(desktop);
  const row = await driver.find("listItem", "Row 3");
  await driver.act("scrollBar", "", { do: "setValue", value: 24 * 100 });
  assert.equal((await desktop.read(row)).name, "Row 103");
  await assert.rejects(desktop.act(row, { do: "action", name: "activate" }), (error: unknown) => {
    assert.ok(error instanceof Error && "details" in error);
    assert.deepEqual(error.details, {
      expected: { role: 32, name: "Row 3", id: "" },
      found: { role: 32, name: "Row 103", id: "" },
      path: row.path,
      outcome: "not_sent",
    });
    return true;
  });
  await driver.act("listItem", "Row 103", { do: "action", name: "activate" });
  assert.ok(await driver.look("label", "Opened Row 103"));
});

Deno.test("a row that was away and came back is not taken for the one that was seen", async () => {
  const desktop = simulate({ applications: ["sim.list-recycling"] });
  const driver = new Driver(desktop);
  const row = await driver.find("listItem", "Row 3");
  await driver.act("scrollBar", "", { do: "setValue", value: 2_400 });
  await driver.act("scrollBar", "", { do: "setValue", value: 0 });
  await assert.rejects(desktop.act(row, { do: "action", name: "" }), { code: "stale" });
});

Deno.test("the choice of a recycling list stays with the item", async () => {
  const driver = new Driver(simulate({ applications: ["sim.list-recycling"] }));
  await driver.click("listItem", "Row 3");
  assert.deepEqual((await driver.read("listBox", "Rows")).selectedChildren, [2]);
  await driver.act("scrollBar", "", { do: "setValue", value: 2_400 });
  assert.deepEqual((await driver.read("listBox", "Rows")).selectedChildren, []);
  assert.ok(await driver.look("label", "Row 3"));
});
