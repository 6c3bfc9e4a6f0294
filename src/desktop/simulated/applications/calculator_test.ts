import assert from "node:assert/strict";
import { Driver } from "../_driver.ts";
import { simulate } from "../simulate.ts";

async function shown(driver: Driver): Promise<string> {
  const tree = await driver.tree();
  for (let row = 0; row < tree.size; row++) if (tree.id(row) === "display") return tree.text(row) ?? "";
  throw new Error("no display");
}

for (
  const [keys, result] of [
    ["6*7=", "42"],
    ["1+2*3=", "9"],
    ["0.1+0.2=", "0.3"],
    ["7-9=", "-2"],
    ["9/4\n", "2.25"],
    ["5/0=", "Error"],
  ] as const
) {
  Deno.test(`the calculator, typed ${JSON.stringify(keys)}, shows ${result}`, async () => {
    const driver = new Driver(simulate({ applications: ["sim.calculator"] }));
    await driver.desktop.typeText(keys);
    assert.equal(await shown(driver), result);
  });
}

Deno.test("the calculator computes with its buttons, by action and by pointer", async () => {
  const driver = new Driver(simulate({ applications: ["sim.calculator"] }));
  for (const sign of ["1", "2", "×"]) await driver.press(sign);
  for (const sign of ["3", "="]) await driver.click("pushButton", sign);
  assert.equal(await shown(driver), "36");
  await driver.press("C");
  assert.equal(await shown(driver), "0");
});

Deno.test("the calculator's display has another fingerprint after each key", async () => {
  const driver = new Driver(simulate({ applications: ["sim.calculator"] }));
  const display = await driver.find("label", "0");
  await driver.press("5");
  assert.equal((await driver.desktop.read(display)).name, "5", "it can be read");
  await assert.rejects(driver.desktop.act(display, { do: "caret", at: 0 }), { code: "stale" });
});
