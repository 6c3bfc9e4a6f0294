import assert from "node:assert/strict";
import { Hands, has } from "../_hands.ts";
import { simulate } from "../simulate.ts";
import { SETTINGS_FILE } from "./settings.ts";

function start() {
  const desktop = simulate({ applications: ["sim.settings"] });
  return { desktop, hands: new Hands(desktop) };
}

Deno.test("Reset takes every setting back to what was applied", async () => {
  const { desktop, hands } = start();
  const before = desktop.world();
  await hands.act("entry", "Name", { do: "setText", text: "Grace" });
  await hands.act("spinButton", "Copies", { do: "setValue", value: 7 });
  await hands.press("Play sounds", "checkBox");
  await hands.press("Dark", "radioButton");
  await hands.act("comboBox", "Language", { do: "select", child: 2 });
  await hands.act("slider", "Volume", { do: "setValue", value: 80 });
  await hands.press("Wi-Fi", "switch");
  assert.ok(has(await hands.read("pushButton", "Apply"), "sensitive"));
  assert.ok(!has(await hands.read("radioButton", "Light"), "checked"));
  await hands.press("Reset");
  const status = await hands.find("statusBar", "Changes taken back");
  assert.ok(status);
  desktop.person("sim.settings", "status", { name: "" });
  assert.deepEqual(desktop.world(), before);
});

Deno.test("Apply writes a file without the PIN and becomes insensitive", async () => {
  const { desktop, hands } = start();
  await hands.act("passwordText", "PIN", { do: "setText", text: "4711" });
  await hands.press("Apply");
  const file = desktop.files.get(SETTINGS_FILE) ?? "";
  assert.ok(file.includes('"name":"Ada"') && !file.includes("4711"), file);
  await assert.rejects(hands.press("Apply"), { code: "refused" });
});

Deno.test("a value stays within its range, and a spin button takes keys and numbers as text", async () => {
  const { desktop, hands } = start();
  await hands.act("spinButton", "Copies", { do: "setValue", value: 500 });
  assert.equal((await hands.read("spinButton", "Copies")).value?.current, 99);
  await hands.act("spinButton", "Copies", { do: "setText", text: "12" });
  await hands.act("spinButton", "Copies", { do: "focus" });
  await desktop.pressKeys(["Up"]);
  assert.equal((await hands.read("spinButton", "Copies")).text, "13");
});

Deno.test("radio buttons exclude each other by key as well", async () => {
  const { desktop, hands } = start();
  await hands.click("radioButton", "Light");
  await desktop.pressKeys(["Right"]);
  assert.ok(has(await hands.read("radioButton", "Dark"), "checked"));
  assert.ok(has(await hands.read("radioButton", "Dark"), "focused"));
  assert.ok(!has(await hands.read("radioButton", "Light"), "checked"));
});

Deno.test("a combo box opens a popup in which a choice is clicked", async () => {
  const { hands } = start();
  await hands.click("comboBox", "Language");
  assert.ok(has(await hands.read("comboBox", "Language"), "expanded"));
  await hands.click("menuItem", "Deutsch");
  const combo = await hands.read("comboBox", "Language");
  assert.deepEqual(combo.selectedChildren, [1]);
  assert.ok(has(combo, "collapsed"));
});

Deno.test("only the chosen page of a notebook shows, and a click on a tab turns the page", async () => {
  const { hands } = start();
  assert.ok(!has(await hands.read("checkBox", "Option 1"), "showing"));
  await hands.click("pageTab", "Advanced");
  assert.ok(has(await hands.read("checkBox", "Option 1"), "showing"));
  assert.equal((await hands.read("entry", "Name")).rect, undefined);
});

Deno.test("what is scrolled out of view shows after scrollTo or the wheel", async () => {
  const { desktop, hands } = start();
  await hands.act("pageTabList", "Pages", { do: "select", child: 1 });
  assert.ok(!has(await hands.read("checkBox", "Option 24"), "showing"));
  await hands.act("checkBox", "Option 24", { do: "scrollTo" });
  assert.ok(has(await hands.read("checkBox", "Option 24"), "showing"));
  await hands.click("checkBox", "Option 24");
  assert.ok(has(await hands.read("checkBox", "Option 24"), "checked"));
  const { rect } = await hands.read("scrollPane", "Options");
  assert.ok(rect);
  await desktop.pointer({ do: "wheel", x: rect.x + 9, y: rect.y + 9, right: 0, down: -99 });
  assert.ok(has(await hands.read("checkBox", "Option 1"), "showing"));
});

Deno.test("Tab goes through what can be used, in order, and back", async () => {
  const { desktop, hands } = start();
  await hands.act("entry", "Name", { do: "focus" });
  await desktop.pressKeys(["Tab"]);
  assert.ok(has(await hands.read("entry", "E-mail"), "focused"));
  await desktop.pressKeys(["shift", "Tab"]);
  await desktop.pressKeys(["Tab"]);
  await desktop.typeText("a@b\t1");
  assert.equal((await hands.read("entry", "E-mail")).text, "a@b");
  assert.ok(has(await hands.read("passwordText", "PIN"), "focused"));
});

Deno.test("a drag sets a slider, and a double click selects a word", async () => {
  const { desktop, hands } = start();
  const { rect } = await hands.read("slider", "Volume");
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
  assert.equal((await hands.read("slider", "Volume")).value?.current, 100);
  await hands.act("entry", "Name", { do: "setText", text: "Ada Lovelace" });
  const entry = (await hands.read("entry", "Name")).rect;
  assert.ok(entry);
  await desktop.pointer({ do: "click", x: entry.x + 4 + 8 * 6, y: entry.y + 9, button: "left", count: 2 });
  assert.deepEqual((await hands.read("entry", "Name")).textSelection, [4, 12]);
  await desktop.typeText("Byron");
  assert.equal((await hands.read("entry", "Name")).text, "Ada Byron");
});
