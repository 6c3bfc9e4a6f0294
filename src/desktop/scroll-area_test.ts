import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "./build.ts";
import type { Application } from "./element.ts";
import { areaOf, wayOut } from "./scroll-area.ts";
import { visiblePart } from "./visible.ts";

const rect = (y: number, height: number, x = 0, width = 100) => ({ x, y, width, height });
const qt: Application = { bus: ":1.7", name: "form", pid: 43, toolkit: "Qt", toolkitVersion: "5.15.8" };
const gtk: Application = { bus: ":1.8", name: "form", pid: 44, toolkit: "gtk", toolkitVersion: "3.24" };

/** A button at a height in a view from 0 to 200, beside what lies above that view. */
function beneath(y: number, ...above: NodeDescription[]) {
  const button: NodeDescription = { role: "pushButton", name: "Press", rect: rect(y, 20) };
  const view: NodeDescription = { role: "scrollPane", rect: rect(0, 200), children: [button] };
  const snapshot = buildSnapshot({ role: "frame", rect: rect(0, 200), children: [view, ...above] }, gtk);
  return (cover: string) => {
    const row = Array.from({ length: snapshot.size }, (_, one) => one).find((one) =>
      snapshot.name(one) === cover
    );
    return wayOut(snapshot, 2, row ?? -1);
  };
}

Deno.test("what a header or a footer hides comes out in the middle of what that leaves free", () => {
  const footer: NodeDescription = { role: "panel", name: "Footer", rect: rect(150, 50) };
  assert.deepEqual(beneath(170, footer)("Footer"), { direction: "down", amount: 105 });
  const header: NodeDescription = { role: "panel", name: "Header", rect: rect(0, 50) };
  assert.deepEqual(beneath(10, header)("Header"), { direction: "up", amount: 105 });
  // All of it counts, not the part of it that answered.
  const label: NodeDescription = { role: "label", name: "Saved", rect: rect(170, 20) };
  const whole: NodeDescription = { role: "panel", name: "Footer", rect: rect(100, 100), children: [label] };
  assert.deepEqual(beneath(170, whole)("Saved"), { direction: "down", amount: 130 });
  const side: NodeDescription = { role: "panel", name: "Side", rect: rect(0, 200, 0, 60) };
  assert.equal(beneath(170, side)("Side"), undefined, "it is as wide as the view");
});

Deno.test("what hides all of a view, or lies in none, is not to be scrolled out from", () => {
  const veil: NodeDescription = { role: "panel", name: "Veil", rect: rect(0, 200) };
  assert.equal(beneath(170, veil)("Veil"), undefined);
  const most: NodeDescription = { role: "panel", name: "Veil", rect: rect(10, 185) };
  assert.equal(beneath(170, most)("Veil"), undefined);
  const children: NodeDescription[] = [
    { role: "pushButton", name: "Press", rect: rect(150, 20) },
    { role: "panel", name: "Footer", rect: rect(140, 60) },
  ];
  const plain = buildSnapshot({ role: "frame", rect: rect(0, 200), children }, gtk);
  assert.equal(wayOut(plain, 1, 2), undefined);
});

Deno.test("a scroll area of Qt is a box with scroll bars in a box, and clips what lies in it", () => {
  const bar: NodeDescription = { role: "scrollBar", rect: rect(0, 200, 90, 10), also: ["vertical"] };
  const tree = (...bars: NodeDescription[]): NodeDescription => ({
    role: "filler",
    rect: rect(0, 400),
    children: [{
      role: "filler",
      rect: rect(0, 200),
      children: [{
        role: "filler",
        rect: rect(0, 200, 0, 90),
        children: [{ role: "pushButton", rect: rect(300, 20) }, { role: "pushButton", rect: rect(190, 20) }],
      }, { role: "filler", rect: rect(0, 200, 90, 10), children: bars }],
    }],
  });
  const scrolled = buildSnapshot(tree(bar), qt);
  assert.equal(visiblePart(scrolled, 3), undefined);
  assert.deepEqual(visiblePart(scrolled, 4), rect(190, 10, 0, 90));
  assert.equal(areaOf(scrolled, 3), 1);
  assert.deepEqual(visiblePart(buildSnapshot(tree(), qt), 3), rect(300, 20));
});
