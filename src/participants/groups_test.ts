import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../desktop/build.ts";
import { scrollersOf } from "../desktop/actions/scroll-content.ts";
import { Interface } from "../desktop/interfaces.ts";
import { Role } from "../desktop/roles.ts";
import { checkGroupRows } from "./check-group.ts";
import { scrollsOf } from "./scroll.ts";
import { selectionOf } from "./selection.ts";
import { followTrail, type Located, trailOf } from "./trail.ts";

const gtk3 = { bus: ":1.5", name: "factory", pid: 42, toolkit: "gtk", toolkitVersion: "3.24.38" };
const gtk4 = { ...gtk3, toolkit: "GTK", toolkitVersion: "4.8.3" };
const chromium = { ...gtk3, toolkit: "Chromium", toolkitVersion: "1.0" };

function located(application: typeof gtk3, tree: NodeDescription, role: number): Located {
  const snapshot = buildSnapshot(tree, application);
  let row = 0;
  while (snapshot.role(row) !== role) row++;
  return { application, snapshot, row, element: snapshot.element(row) };
}

const boxes: NodeDescription = {
  role: "panel",
  children: [{ role: "checkBox", name: "A" }, { role: "label" }, { role: "checkBox", name: "B" }],
};

Deno.test("check boxes beside one another are one group on GTK 4, where radio buttons look the same", () => {
  assert.deepEqual(checkGroupRows(located(gtk4, boxes, Role.checkBox)), [1, 3]);
  assert.deepEqual(checkGroupRows(located(gtk3, boxes, Role.checkBox)), [1]);
});

Deno.test("what a combo box of GTK 4 with an entry has chosen is protected as the text of its entry", () => {
  const tree: NodeDescription = {
    role: "comboBox",
    interfaces: Interface.selection,
    children: [{ role: "text", also: ["editable"], text: "one", interfaces: Interface.editableText }],
  };
  assert.equal(selectionOf(located(gtk4, tree, Role.comboBox)).kind, "text");
  assert.equal(selectionOf(located(gtk3, tree, Role.comboBox)).kind, "selection");
});

Deno.test("the scroll bars of GTK 4 are read in the child that carries their value", () => {
  const range: NodeDescription = {
    role: "filler",
    also: ["vertical"],
    value: { current: 5, minimum: 0, maximum: 10, step: 0 },
  };
  const tree: NodeDescription = {
    role: "scrollPane",
    children: [{ role: "text", text: "" }, { role: "scrollBar", also: ["vertical"], children: [range] }],
  };
  const [scroll] = scrollsOf(located(gtk4, tree, Role.text));
  assert.ok(scroll);
  assert.match(JSON.stringify(scroll.describe()), new RegExp(`"role":${Role.filler}`));
});

Deno.test("in a page, what holds more than it shows and the page itself may scroll an element, innermost first", () => {
  const rect = (y: number, height: number) => ({ x: 0, y, width: 100, height });
  const tree: NodeDescription = {
    role: "frame",
    children: [{
      role: "documentWeb",
      rect: rect(0, 200),
      children: [{ role: "form", rect: rect(0, 50) }, {
        role: "landmark",
        rect: rect(50, 40),
        children: [{ role: "paragraph", rect: rect(50, 30) }, { role: "paragraph", rect: rect(80, 30) }],
      }],
    }],
  };
  const { application, snapshot, row } = located(chromium, tree, Role.paragraph);
  assert.deepEqual(scrollersOf(application, snapshot, row), [
    { area: 3, content: 5, document: false },
    { area: 1, content: 2, document: true },
  ]);
  assert.deepEqual(scrollersOf(gtk3, snapshot, row), []);
});

Deno.test("a header that stays where it is does not tell how far its page is scrolled", () => {
  const rect = (y: number, height: number) => ({ x: 0, y, width: 100, height });
  const page = (...children: NodeDescription[]): NodeDescription => ({
    role: "frame",
    children: [{ role: "documentWeb", rect: rect(0, 200), children }],
  });
  const header: NodeDescription = { role: "landmark", rect: rect(0, 50) };
  const content = (tree: NodeDescription) => {
    const { application, snapshot, row } = located(chromium, tree, Role.paragraph);
    return scrollersOf(application, snapshot, row).map(({ content }) => snapshot.rect(content));
  };
  const main: NodeDescription = { role: "section", rect: rect(-300, 900), children: [{ role: "paragraph" }] };
  assert.deepEqual(content(page(header, main)), [rect(-300, 900)]);
  const below: NodeDescription = { role: "paragraph", rect: rect(240, 30) };
  assert.deepEqual(content(page(header, below)), [rect(240, 30)]);
  // Nothing reaches beyond it: there is nothing to scroll.
  assert.deepEqual(content(page(header, { role: "paragraph", rect: rect(60, 30) })), [rect(0, 50)]);
});

Deno.test("of siblings with one name the one in its place is found again, and a name goes before a place", () => {
  const fields = (...names: string[]) =>
    buildSnapshot({ role: "panel", children: names.map((name) => ({ role: "text", name })) }, gtk4);
  const alike = fields("GtkEntry", "GtkEntry", "GtkEntry");
  assert.equal(followTrail(alike, trailOf(alike, 2)), 2);
  const distinct = fields("First", "Second");
  assert.equal(followTrail(fields("New", "First", "Second"), trailOf(distinct, 2)), 3);
});
