import assert from "node:assert/strict";
import { find, readSelector } from "../desktop/selector/mod.ts";
import { appOf, button, dialogOf, field, GTK3, label, node, windowOf } from "./_build.ts";
import { queryFor, suggestionsFor } from "./suggest.ts";
import type { Scene } from "./scene.ts";

function rowNamed(scene: Scene, name: string, nth = 0): number {
  const rows = [];
  for (let row = 0; row < scene.snapshot.size; row++) if (scene.snapshot.name(row) === name) rows.push(row);
  const row = rows[nth];
  assert.ok(row !== undefined, name);
  return row;
}

function only(scene: Scene, row: number): string {
  const query = queryFor(scene, row);
  assert.ok(query !== undefined);
  assert.deepEqual(find(readSelector(query), scene.snapshot).rows, [row], query);
  return query;
}

Deno.test("a name that is the only one is the query", () => {
  const scene = windowOf("Main", button("Save"), button("Quit"));
  assert.equal(only(scene, rowNamed(scene, "Quit")), "Quit");
});

Deno.test("a button that its label repeats is asked for by its role", () => {
  const scene = windowOf("Main", label("Save"), node("label", "Save"), button("Save"));
  assert.equal(
    only(scene, rowNamed(scene, "Save", 2)),
    "Save",
    "what can be acted on goes before its caption",
  );
  assert.equal(only(scene, rowNamed(scene, "Save", 1)), 'label[name="Save"]:visible:nth(2)');
});

Deno.test("a button of a dialog is told from the same one behind it", () => {
  const scene = dialogOf("dialog", "Save As", button("Other"), button("Cancel"));
  assert.equal(
    only(scene, rowNamed(scene, "Other", 1)),
    'dialog[name="Save As"] button[name="Other"]',
  );
});

Deno.test("names that look like queries are quoted", () => {
  for (const name of ["/tmp", "role:x", 'Say "hello"', "a > b", "button[", "*", "title:Save", "C:\\x"]) {
    const scene = windowOf("Main", button(name), button("Other"));
    only(scene, rowNamed(scene, name));
  }
});

Deno.test("what is alike is asked for by its place", () => {
  const scene = windowOf("Main", field(""), field(""), field(""));
  assert.deepEqual(
    [2, 3, 4].map((row) => only(scene, row)),
    [1, 2, 3].map((n) => `textfield:visible:nth(${n})`),
  );
});

Deno.test("nothing is suggested where nothing shows", () => {
  assert.deepEqual(suggestionsFor(appOf(GTK3)), []);
  assert.deepEqual(suggestionsFor(windowOf("Main", label("Hello"))), []);
  assert.deepEqual(suggestionsFor(windowOf("Main", label("Hello")), "login_form"), []);
});

Deno.test("a dialog that saves is used as a person would", () => {
  const scene = dialogOf("dialog", "Save", field("Save As:"), button("Save"), button("Cancel"));
  assert.deepEqual(suggestionsFor(scene), [
    { action: "Type a file name in place of the one that is there", tool: "ax_type", query: "Save As:" },
    { action: "Click Save to confirm", tool: "ax_click", query: "Save" },
    { action: "Click Cancel to dismiss", tool: "ax_click", query: "Cancel" },
  ]);
});

Deno.test("10.3: a form is sent by what sends it, and never by a button that leaves", () => {
  const sent = (...names: string[]) =>
    suggestionsFor(
      windowOf("New", field("Name"), field("Street"), field("Town"), ...names.map((name) => button(name))),
      "form",
    ).filter(({ action }) => action === "Send the form").map(({ query }) => query);
  assert.deepEqual(sent("Quit"), []);
  assert.deepEqual(sent("Close without saving", "Delete", "Don't Save"), []);
  assert.deepEqual(sent("Quit", "OK"), ["OK"]);
  assert.deepEqual(sent("Cancel", "Exit", "Submit"), ["Submit"]);
});
