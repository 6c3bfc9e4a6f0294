import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import type { Application, Rect } from "../element.ts";
import { SideBySide } from "./side-by-side.ts";

const APPLICATION: Application = {
  id: "factory",
  name: "factory",
  pid: 7,
  toolkit: "GTK",
  toolkitVersion: "4.8.3",
  bus: ":1.7",
};

/** A box with children at these places; without one, a child was never shown. */
function box(places: readonly (Rect | undefined)[], names = places.map((_, at) => `${at}`)) {
  const children = places.map((rect, at): NodeDescription => ({
    role: "filler",
    name: `child ${names[at]}`,
    path: `/${names[at]}`,
    states: ["visible"],
    ...(rect ? { rect } : {}),
  }));
  return buildSnapshot(
    { role: "application", path: "/app", children: [{ role: "filler", path: "/box", children }] },
    APPLICATION,
  );
}

const at = (x: number, y = 0): Rect => ({ x, y, width: 100, height: 20 });
const BOX = 1;

Deno.test("children that were seen side by side are, until there are others", () => {
  const beside = new SideBySide();
  const seen = box([at(0), at(100)]);
  assert.equal(beside.has(seen, BOX), false);
  beside.learn(seen, [BOX]);
  assert.equal(beside.has(seen, BOX), true);
  assert.equal(beside.has(box([at(0), at(0)]), BOX), true, "a layout stays what it is");
  assert.equal(beside.has(box([at(0), at(100), at(200)]), BOX), false);
  assert.equal(beside.has(box([at(0), at(100)], ["0", "2"]), BOX), false);
  beside.forget(APPLICATION.bus);
  assert.equal(beside.has(seen, BOX), false);
});

Deno.test("pages of a stack are not side by side, nor is one known to be that was not shown yet", () => {
  const beside = new SideBySide();
  for (const pages of [[at(0), at(0)], [at(0), undefined], [at(0), { ...at(0), width: 0 }]]) {
    beside.learn(box(pages), [BOX]);
    assert.equal(beside.has(box(pages), BOX), false);
  }
});

Deno.test("a child that is alone lies on none", () => {
  assert.equal(new SideBySide().has(box([at(0)]), BOX), true);
});
