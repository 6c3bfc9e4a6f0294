import assert from "node:assert/strict";
import { Driver, has } from "../_driver.ts";
import { simulate } from "../simulate.ts";
import { SETTINGS_FILE } from "./settings.ts";

function start() {
  const desktop = simulate({ applications: ["sim.settings"] });
  return { desktop, driver: new Driver(desktop) };
}

Deno.test("Reset takes every setting back to what was applied", async () => {
  const { desktop, driver } = start();
  const before = desktop.world();
  await driver.act("entry", "Name", { do: "setText", text: "Grace" });
  await driver.act("spinButton", "Copies", { do: "setValue", value: 7 });
  await driver.press("Play sounds", "checkBox");
  await driver.press("Dark", "radioButton");
  await driver.act("comboBox", "Language", { do: "select", child: 2 });
  await driver.act("slider", "Volume", { do: "setValue", value: 80 });
  await driver.press("Wi-Fi", "switch");
  assert.ok(has(await driver.read("pushButton", "Apply"), "sensitive"));
  assert.ok(!has(await driver.read("radioButton", "Light"), "checked"));
  await driver.press("Reset");
  const status = await driver.find("statusBar", "Changes undone");
  assert.ok(status);
  desktop.person("sim.settings", "status", { name: "" });
  assert.deepEqual(desktop.world(), before);
});

Deno.test("Apply writes a file without the PIN and becomes insensitive", async () => {
  const { desktop, driver } = start();
  await driver.act("passwordText", "PIN", { do: "setText", text: "4711" });
  await driver.press("Apply");
  const file = desktop.files.get(SETTINGS_FILE) ?? "";
  assert.ok(file.includes('"name":"Ada"') && !file.includes("4711"), file);
  await assert.rejects(driver.press("Apply"), { code: "refused" });
});

Deno.test("a value stays within its range, and a spin button takes keys and numbers as text", async () => {
  const { desktop, driver } = start();
  await driver.act("spinButton", "Copies", { do: "setValue", value: 500 });
  assert.equal((await driver.read("spinButton", "Copies")).value?.current, 99);
  await driver.act("spinButton", "Copies", { do: "setText", text: "12" });
  await driver.act("spinButton", "Copies", { do: "focus" });
  await desktop.pressKeys(["Up"]);
  assert.equal((await driver.read("spinButton", "Copies")).text, "13");
});

Deno.test("radio buttons exclude each other by key as well", async () => {
  const { desktop, driver } = start();
  await driver.click("radioButton", "Light");
  await desktop.pressKeys(["Right"]);
  assert.ok(has(await driver.read("radioButton", "Dark"), "checked"));
  assert.ok(has(await driver.read("radioButton", "Dark"), "focused"));
  assert.ok(!has(await driver.read("radioButton", "Light"), "checked"));
});

Deno.test("a combo box opens a popup in which a choice is clicked", async () => {
  const { driver } = start();
  await driver.click("comboBox", "Language");
  assert.ok(has(await driver.read("comboBox", "Language"), "expanded"));
  await driver.click("menuItem", "Deutsch");
  const combo = await driver.read("comboBox", "Language");
  assert.deepEqual(combo.selectedChildren, [1]);
  assert.ok(has(combo, "collapsed"));
});

Deno.test("only the chosen page of a notebook shows, and a click on a tab turns the page", async () => {
  const { driver } = start();
  assert.ok(!has(await driver.read("checkBox", "Option 1"), "showing"));
  await driver.click("pageTab", "Advanced");
  assert.ok(has(await driver.read("checkBox", "Option 1"), "showing"));
  assert.equal((await driver.read("entry", "Name")).rect, undefined);
});

Deno.test("what is scrolled out of view shows after scrollTo or the wheel", async () => {
  const { desktop, driver } = start();
  await driver.act("pageTabList", "Pages", { do: "select", child: 1 });
  assert.ok(!has(await driver.read("checkBox", "Option 24"), "showing"));
  await driver.act("checkBox", "Option 24", { do: "scrollTo" });
  assert.ok(has(await driver.read("checkBox", "Option 24"), "showing"));
  await driver.click("checkBox", "Option 24");
  assert.ok(has(await driver.read("checkBox", "Option 24"), "checked"));
  const { rect } = await driver.read("scrollPane", "Options");
  assert.ok(rect);
  await desktop.pointer({ do: "wheel", x: rect.x + 9, y: rect.y + 9, right: 0, down: -99 });
  assert.ok(has(await driver.read("checkBox", "Option 1"), "showing"));
});

Deno.test("Tab goes through what can be used, in order, and back", async () => {
  const { desktop, driver } = start();
  await driver.act("entry", "Name", { do: "focus" });
  await desktop.pressKeys(["Tab"]);
  assert.ok(has(await driver.read("entry", "E-mail"), "focused"));
  await desktop.pressKeys(["shift", "Tab"]);
  await desktop.pressKeys(["Tab"]);
  await desktop.typeText("a@b\t1");
  assert.equal((await driver.read("entry", "E-mail")).text, "a@b");
  assert.ok(has(await driver.read("passwordText", "PIN"), "focused"));
});

Deno.test("a drag sets a slider, and a double click selects a word", async () => {
  const { desktop, driver } = start();
  const { rect } = await driver.read("slider", "Volume");
  assert.ok(rect);
  const y = rect.y + 4;
  await desktop.pointer({
    do: "drag",
    x: rect.x,
    y,
    toX: rect.x + rect.width - 1,
    toY: y,
    button: "left",
    duration: 5,
  });
  assert.equal((await driver.read("slider", "Volume")).value?.current, 100);
  await driver.act("entry", "Name", { do: "setText", text: "Ada Lovelace" });
  const entry = (await driver.read("entry", "Name")).rect;
  assert.ok(entry);
  await desktop.pointer({ do: "click", x: entry.x + 4 + 8 * 6, y: entry.y + 9, button: "left", count: 2 });
  assert.deepEqual((await driver.read("entry", "Name")).textSelection, [4, 12]);
  await desktop.typeText("Byron");
  assert.equal((await driver.read("entry", "Name")).text, "Ada Byron");
});
