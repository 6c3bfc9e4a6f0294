import assert from "node:assert/strict";
import { entryOf, shownName } from "./actions/items.ts";
import { buildSnapshot, type NodeDescription } from "./build.ts";
import { Interface } from "./interfaces.ts";
import { isCutOffAt, isQuick, isQuickCombo, quickBarsOf, quickPopups, scrolledIn } from "./quick.ts";

const QT = { bus: ":1.3", name: "host", pid: 7, toolkit: "Qt", toolkitVersion: "6.4.2" };
const PLAIN = Interface.accessible | Interface.component;

const at = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

/** Rows: 0 the application, 1 the window, 2 a button around the view, 3 and 4 what is in it, 5 its bar, 6 a button below. */
function around(inside: readonly NodeDescription[] = []) {
  return buildSnapshot({
    role: "application",
    children: [{
      role: "frame",
      interfaces: PLAIN,
      rect: at(0, 0, 200, 300),
      children: [
        { role: "pushButton", name: "Top", rect: at(0, 0, 200, 40) },
        { role: "pushButton", name: "Scrolled", rect: at(0, 10, 80, 20) },
        { role: "pushButton", name: "Shown", rect: at(0, 100, 80, 20) },
        { role: "scrollBar", rect: at(190, 40, 10, 200) },
        { role: "pushButton", name: "Bottom", rect: at(0, 240, 200, 40) },
        ...inside,
      ],
    }],
  }, QT);
}

Deno.test("a window without actions is one of Qt Quick, in Qt alone", () => {
  const window = (interfaces: number, toolkit: string) =>
    buildSnapshot(
      { role: "application", children: [{ role: "frame", interfaces, children: [{ role: "pushButton" }] }] },
      { ...QT, toolkit },
    );
  assert.equal(isQuick(window(PLAIN, "Qt"), 2), true);
  assert.equal(isQuick(window(PLAIN | Interface.action, "Qt"), 2), false);
  assert.equal(isQuick(window(PLAIN, "gtk"), 2), false);
  assert.equal(isQuick(window(PLAIN, "Qt"), 0), false);
});

Deno.test("the bars of a view come after what is in it: what comes after them is around it", () => {
  const tree = around();
  assert.deepEqual(quickBarsOf(tree, 4), { holder: 1, branch: 4, bars: [5] });
  assert.equal(quickBarsOf(tree, 5), undefined);
  assert.equal(quickBarsOf(tree, 6), undefined);
});

Deno.test("the bars that a panel begins with are those of all that is in it", () => {
  const tree = buildSnapshot({
    role: "application",
    children: [{
      role: "frame",
      interfaces: PLAIN,
      children: [{
        role: "panel",
        children: [{ role: "scrollBar" }, { role: "scrollBar" }, { role: "pushButton" }],
      }],
    }],
  }, QT);
  assert.deepEqual(quickBarsOf(tree, 5), { holder: 2, branch: 5, bars: [3, 4] });
  assert.equal(scrolledIn(tree, 2), 5);
  assert.equal(scrolledIn(around(), 1), 4);
});

Deno.test("what is scrolled behind something around the view is cut off, and that is not", () => {
  const tree = around();
  assert.equal(isCutOffAt(tree, 3, 20, 20), true);
  assert.equal(isCutOffAt(tree, 2, 20, 20), false);
  assert.equal(isCutOffAt(tree, 4, 20, 110), false);
  // Outside of what holds the bar.
  assert.equal(isCutOffAt(tree, 4, 20, 310), true);
});

Deno.test("what is open in a window hangs right below it, and shows", () => {
  const tree = around([{ role: "dialog", name: "Sure?" }, { role: "popupMenu", without: ["showing"] }]);
  assert.deepEqual(quickPopups(tree, 1).map((row) => tree.name(row)), ["Sure?"]);
});

Deno.test("a combo box shows what its field holds, which is written into where the box says so", () => {
  const box = (also: readonly "editable"[]) =>
    buildSnapshot({
      role: "comboBox",
      name: "Colour",
      also,
      children: [{ role: "text", text: "Red", also: ["editable"] }],
    }, QT);
  assert.equal(shownName(box([]), 0), "Red");
  assert.equal(entryOf(box([]), 0), undefined);
  assert.equal(entryOf(box(["editable"]), 0), 1);
  const widgets = buildSnapshot({ role: "comboBox", name: "Red", children: [{ role: "list" }] }, QT);
  assert.equal(isQuickCombo(widgets, 0), false);
  assert.equal(shownName(widgets, 0), "Red");
});

Deno.test("the ends of lines of Qt are line breaks", () => {
  const text = (toolkit: string) =>
    buildSnapshot({ role: "text", text: "a\u2029b\u2028c" }, { ...QT, toolkit });
  assert.equal(text("Qt").text(0), "a\nb\nc");
  assert.equal(text("gtk").text(0), "a\u2029b\u2028c");
});
