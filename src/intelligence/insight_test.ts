import assert from "node:assert/strict";
import { type Columns, Snapshot } from "../desktop/snapshot.ts";
import { stages } from "./_stages.ts";
import { readTree } from "./_trees.ts";
import { destinationsOf } from "./destinations.ts";
import { insight } from "./insight.ts";
import { regionsOf } from "./regions.ts";
import { read } from "./scene.ts";

const none = new Uint32Array(0);

/** The same as if these columns had not been asked for. */
function without(snapshot: Snapshot, columns: Partial<Columns>): Snapshot {
  return new Snapshot({ ...snapshot.columns, ...columns }, snapshot.origin);
}

Deno.test("texts and attributes are not needed, but for a search field of a page that says so nowhere else", () => {
  for (const { name, pattern } of stages) {
    const snapshot = without(readTree(name), { text: none, attributes: none, actions: none });
    assert.equal(insight.pattern(snapshot), pattern, name);
  }
});

Deno.test("without places and values all is recognised but windows of GTK 4 with many pages, and a display of GTK 3", () => {
  const other = stages.filter(({ name, pattern }) => {
    const few = { text: none, attributes: none, rect: new Int32Array(0), value: new Float64Array(0) };
    return insight.pattern(without(readTree(name), few)) !== pattern;
  });
  const existing = ["gnome-calculator", "gtk4-widget-factory", "gtk4-icon-browser"];
  assert.deepEqual(other.map(({ name }) => name), existing);
});

Deno.test("a dialog that has just come is judged by its row, and what is behind it by its own", () => {
  const snapshot = readTree("gedit-unsaved");
  const [window, dialog] = snapshot.children(0);
  assert.equal(insight.pattern(snapshot, dialog), "confirmation_dialog");
  assert.equal(insight.pattern(snapshot, window), "text_editor");
  assert.equal(insight.state(snapshot), "modal_dialog");
  assert.equal(insight.suggestions(snapshot, "confirmation_dialog").length, 3);
  assert.deepEqual(insight.suggestions(snapshot, "no_such_pattern"), []);
});

Deno.test("the parts of real windows have names", () => {
  const regions = (name: string) => regionsOf(read(readTree(name))).map((one) => one.name);
  assert.deepEqual(regions("chromium-text_editor").slice(0, 3), ["toolbar", "tab bar", "Format"]);
  assert.deepEqual(regions("qt6-file_open_dialog"), ["sidebar", "Fetch it", "Files"]);
  assert.ok(regions("mousepad").includes("menu bar"), regions("mousepad").join());
  assert.ok(regions("gtk3-demo").includes("sidebar"), regions("gtk3-demo").join());
  assert.ok(regions("gedit-save").includes("Save As"), regions("gedit-save").join());
  assert.deepEqual(regionsOf(read(readTree("gtk3-table_view"))), []);
});

Deno.test("ways lead through menus, tabs and links", () => {
  const ways = (name: string) => destinationsOf(read(readTree(name)));
  const mousepad = ways("mousepad");
  assert.ok(mousepad.includes("File > New"), mousepad.slice(0, 40).join());
  assert.ok(mousepad.some((way) => way.split(" > ").length === 3), "a menu in a menu");
  assert.deepEqual(ways("gtk4-settings_page").slice(0, 2), ["General", "Files"]);
  assert.ok(ways("chromium-article").includes("to the sea"));
});
