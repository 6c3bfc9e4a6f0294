import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "./build.ts";
import type { Rect } from "./element.ts";
import { hitTest } from "./hit-test.ts";

const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });
const WINDOW = rect(0, 0, 400, 300);

/** What a window with these in it shows at a point. */
function at(x: number, y: number, children: readonly NodeDescription[], popup?: Rect): string {
  const tree = buildSnapshot(
    { role: "application", children: [{ role: "frame", name: "window", rect: WINDOW, children }] },
    { bus: ":1.5", name: "a", pid: 7, toolkit: "gtk", toolkitVersion: "3.24" },
  );
  const row = hitTest(tree, x, y, popup);
  return row < 0 ? "nothing" : tree.name(row);
}

Deno.test("what comes later in the tree is drawn above, and the innermost is named", () => {
  const below: NodeDescription = { role: "text", name: "below", rect: WINDOW };
  const above: NodeDescription = {
    role: "panel",
    name: "bar",
    rect: rect(350, 0, 50, 300),
    children: [{ role: "pushButton", name: "button", rect: rect(360, 10, 20, 20) }],
  };
  assert.deepEqual(
    [at(10, 10, [below, above]), at(355, 100, [below, above]), at(365, 15, [below, above])],
    ["below", "bar", "button"],
  );
  assert.equal(at(500, 10, [below]), "nothing");
});

Deno.test("what is hidden or scrolled away is not there", () => {
  const hidden: NodeDescription = { role: "label", name: "hidden", rect: WINDOW, without: ["showing"] };
  const scrolled: NodeDescription = {
    role: "scrollPane",
    name: "area",
    rect: rect(0, 0, 400, 100),
    children: [{ role: "label", name: "away", rect: rect(0, 150, 50, 20) }],
  };
  assert.equal(at(10, 160, [hidden, scrolled]), "window");
});

Deno.test("items of a box that drops down are in its popup, and nowhere else", () => {
  const items = ["Red", "Green"].map((name, k): NodeDescription => ({
    role: "listItem",
    name,
    // Wider than the popup that shows them, as Qt tells it.
    rect: rect(20, 60 + 20 * k, 300, 20),
  }));
  const box: NodeDescription = {
    role: "comboBox",
    name: "box",
    rect: rect(20, 20, 100, 30),
    children: [{ role: "pushButton", name: "arrow", rect: rect(100, 20, 20, 30) }, {
      role: "list",
      name: "list",
      rect: rect(20, 60, 100, 40),
      children: items,
    }],
  };
  const label: NodeDescription = { role: "label", name: "label", rect: rect(20, 80, 100, 20) };
  const popup = rect(18, 58, 104, 44);
  assert.deepEqual([at(50, 85, [box, label], popup), at(50, 65, [box, label], popup)], ["Green", "Red"]);
  assert.deepEqual([at(50, 85, [box, label]), at(110, 30, [box, label])], ["label", "arrow"]);
});

Deno.test("the list of a box that drops down may lie above the box itself", () => {
  const box: NodeDescription = {
    role: "comboBox",
    name: "box",
    rect: rect(10, 100, 200, 24),
    children: [{
      role: "list",
      name: "list",
      rect: rect(10, 100, 200, 72),
      children: [{ role: "listItem", name: "first", rect: rect(11, 101, 300, 23) }],
    }],
  };
  assert.equal(at(50, 110, [box], rect(10, 100, 200, 72)), "first");
  assert.equal(at(50, 110, [box]), "box");
});
