import assert from "node:assert/strict";
import { Driver } from "../_driver.ts";
import { simulate } from "../simulate.ts";
import { EDITOR_FOLDER } from "./editor.ts";

function start() {
  const desktop = simulate({ applications: ["sim.editor"] });
  return { desktop, driver: new Driver(desktop), title: async () => (await desktop.windows()).at(-1)?.title };
}

Deno.test("the editor marks a modified document, and undo takes the mark away where a write does not", async () => {
  const { desktop, driver, title } = start();
  await driver.act("text", "Document", { do: "focus" });
  await desktop.typeText("Hi");
  assert.equal(await title(), "*Untitled - Editor");
  await desktop.pressKeys(["ctrl", "z"]);
  await desktop.pressKeys(["ctrl", "z"]);
  assert.equal(await title(), "Untitled - Editor");
  await desktop.pressKeys(["ctrl", "shift", "z"]);
  assert.equal((await driver.read("text", "Document")).text, "H");
  await driver.act("text", "Document", { do: "setText", text: "" });
  assert.equal(await title(), "*Untitled - Editor");
});

Deno.test("ctrl+s asks for a name, Return saves, and the file holds the text", async () => {
  const { desktop, driver, title } = start();
  await driver.act("text", "Document", { do: "setText", text: "Grüße 👋\n" });
  await desktop.pressKeys(["ctrl", "s"]);
  assert.equal(await title(), "Save");
  await assert.rejects(driver.press("Save"), { code: "refused" }, "without a name");
  await desktop.typeText("a.txt\n");
  assert.equal(await title(), "a.txt - Editor");
  assert.equal(desktop.files.get(`${EDITOR_FOLDER}a.txt`), "Grüße 👋\n");
  await driver.act("text", "Document", { do: "insertText", at: 7, text: "!" });
  await desktop.pressKeys(["ctrl", "s"]);
  assert.equal(desktop.files.get(`${EDITOR_FOLDER}a.txt`), "Grüße 👋!\n");
});

Deno.test("the editor asks before it replaces a file of another", async () => {
  const { desktop, driver, title } = start();
  desktop.writeFile(`${EDITOR_FOLDER}old`, "precious");
  await desktop.pressKeys(["ctrl", "s"]);
  await desktop.typeText("old\n");
  assert.equal(await title(), "Replace the file?");
  assert.equal(desktop.files.get(`${EDITOR_FOLDER}old`), "precious");
  await driver.press("Replace");
  assert.equal(desktop.files.get(`${EDITOR_FOLDER}old`), "");
});

Deno.test("Escape closes the save dialog, and its elements are stale", async () => {
  const { desktop, driver, title } = start();
  await desktop.pressKeys(["ctrl", "s"]);
  const name = await driver.find("entry", "Name");
  await desktop.pressKeys(["Escape"]);
  assert.equal(await title(), "Untitled - Editor");
  await assert.rejects(desktop.read(name), { code: "stale" });
});

Deno.test("while a dialog stands, the window below cannot be used with the pointer", async () => {
  const { desktop, driver } = start();
  await desktop.pressKeys(["ctrl", "s"]);
  const main = (await desktop.windows())[0];
  assert.ok(main);
  const { x, y } = main.rect;
  await desktop.pointer({ do: "click", x: x + 20, y: y + 20, button: "left", count: 1 });
  assert.equal((await desktop.windows()).filter((window) => window.popup).length, 0, "no menu opened");
  assert.equal((await desktop.windows()).find((window) => window.active)?.title, "Save");
  assert.ok(await driver.look("entry", "Name"));
});

Deno.test("a menu opens as a popup, and its items are clicked there", async () => {
  const { desktop, driver } = start();
  assert.equal((await driver.read("menuItem", "Save")).rect, undefined);
  await driver.click("menu", "File");
  assert.equal((await desktop.windows()).filter((window) => window.popup).length, 1);
  await driver.click("menuItem", "Save");
  assert.equal((await desktop.windows()).find((window) => window.active)?.title, "Save");
  assert.equal((await desktop.windows()).filter((window) => window.popup).length, 0);
});

Deno.test("quitting an editor with unsaved text is blocked by its question", async () => {
  const { desktop, driver } = start();
  await driver.act("text", "Document", { do: "setText", text: "x" });
  assert.throws(() => desktop.quit("sim.editor"), { code: "quit_blocked" });
  await driver.press("Discard");
  assert.deepEqual(await desktop.applications(), []);
  assert.throws(() => desktop.quit("sim.editor"), { code: "app_not_running" });
});

Deno.test("text is copied and pasted through the clipboard", async () => {
  const { desktop, driver } = start();
  await driver.act("text", "Document", { do: "setText", text: "ab" });
  await desktop.pressKeys(["ctrl", "a"]);
  await desktop.pressKeys(["ctrl", "c"]);
  assert.equal(await desktop.readClipboard(), "ab");
  await desktop.writeClipboard("xyz");
  await desktop.pressKeys(["ctrl", "v"]);
  assert.equal((await driver.read("text", "Document")).text, "xyz");
});
