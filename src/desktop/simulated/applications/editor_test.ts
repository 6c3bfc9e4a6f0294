import assert from "node:assert/strict";
import { Hands } from "../_hands.ts";
import { simulate } from "../simulate.ts";
import { EDITOR_FOLDER } from "./editor.ts";

function start() {
  const desktop = simulate({ applications: ["sim.editor"] });
  return { desktop, hands: new Hands(desktop), title: async () => (await desktop.windows()).at(-1)?.title };
}

Deno.test("the editor marks a modified document, and undo takes the mark away where a write does not", async () => {
  const { desktop, hands, title } = start();
  await hands.act("text", "Document", { do: "focus" });
  await desktop.typeText("Hi");
  assert.equal(await title(), "*Untitled - Editor");
  await desktop.pressKeys(["ctrl", "z"]);
  await desktop.pressKeys(["ctrl", "z"]);
  assert.equal(await title(), "Untitled - Editor");
  await desktop.pressKeys(["ctrl", "shift", "z"]);
  assert.equal((await hands.read("text", "Document")).text, "H");
  await hands.act("text", "Document", { do: "setText", text: "" });
  assert.equal(await title(), "*Untitled - Editor");
});

Deno.test("ctrl+s asks for a name, Return saves, and the file holds the text", async () => {
  const { desktop, hands, title } = start();
  await hands.act("text", "Document", { do: "setText", text: "Grüße 👋\n" });
  await desktop.pressKeys(["ctrl", "s"]);
  assert.equal(await title(), "Save");
  await assert.rejects(hands.press("Save"), { code: "refused" }, "without a name");
  await desktop.typeText("a.txt\n");
  assert.equal(await title(), "a.txt - Editor");
  assert.equal(desktop.files.get(`${EDITOR_FOLDER}a.txt`), "Grüße 👋\n");
  await hands.act("text", "Document", { do: "insertText", at: 7, text: "!" });
  await desktop.pressKeys(["ctrl", "s"]);
  assert.equal(desktop.files.get(`${EDITOR_FOLDER}a.txt`), "Grüße 👋!\n");
});

Deno.test("the editor asks before it replaces a file of another", async () => {
  const { desktop, hands, title } = start();
  desktop.writeFile(`${EDITOR_FOLDER}old`, "precious");
  await desktop.pressKeys(["ctrl", "s"]);
  await desktop.typeText("old\n");
  assert.equal(await title(), "Replace the file?");
  assert.equal(desktop.files.get(`${EDITOR_FOLDER}old`), "precious");
  await hands.press("Replace");
  assert.equal(desktop.files.get(`${EDITOR_FOLDER}old`), "");
});

Deno.test("Escape closes the save dialog, and its elements are stale", async () => {
  const { desktop, hands, title } = start();
  await desktop.pressKeys(["ctrl", "s"]);
  const name = await hands.find("entry", "Name");
  await desktop.pressKeys(["Escape"]);
  assert.equal(await title(), "Untitled - Editor");
  await assert.rejects(desktop.read(name), { code: "stale" });
});

Deno.test("while a dialog stands, the window below cannot be used with the pointer", async () => {
  const { desktop, hands } = start();
  await desktop.pressKeys(["ctrl", "s"]);
  const main = (await desktop.windows())[0];
  assert.ok(main);
  const { x, y } = main.rect;
  await desktop.pointer({ do: "click", x: x + 20, y: y + 20, button: "left", count: 1 });
  assert.equal((await desktop.windows()).filter((window) => window.popup).length, 0, "no menu opened");
  assert.equal((await desktop.windows()).find((window) => window.active)?.title, "Save");
  assert.ok(await hands.look("entry", "Name"));
});

Deno.test("a menu opens as a popup, and its items are clicked there", async () => {
  const { desktop, hands } = start();
  assert.equal((await hands.read("menuItem", "Save")).rect, undefined);
  await hands.click("menu", "File");
  assert.equal((await desktop.windows()).filter((window) => window.popup).length, 1);
  await hands.click("menuItem", "Save");
  assert.equal((await desktop.windows()).find((window) => window.active)?.title, "Save");
  assert.equal((await desktop.windows()).filter((window) => window.popup).length, 0);
});

Deno.test("quitting an editor with unsaved text is blocked by its question", async () => {
  const { desktop, hands } = start();
  await hands.act("text", "Document", { do: "setText", text: "x" });
  assert.throws(() => desktop.quit("sim.editor"), { code: "quit_blocked" });
  await hands.press("Discard");
  assert.deepEqual(await desktop.applications(), []);
  assert.throws(() => desktop.quit("sim.editor"), { code: "app_not_running" });
});

Deno.test("text is copied and pasted through the clipboard", async () => {
  const { desktop, hands } = start();
  await hands.act("text", "Document", { do: "setText", text: "ab" });
  await desktop.pressKeys(["ctrl", "a"]);
  await desktop.pressKeys(["ctrl", "c"]);
  assert.equal(await desktop.readClipboard(), "ab");
  await desktop.writeClipboard("xyz");
  await desktop.pressKeys(["ctrl", "v"]);
  assert.equal((await hands.read("text", "Document")).text, "xyz");
});
