import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../desktop/build.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import type { StateName } from "../desktop/states.ts";
import { newExpansion, newlyChosen } from "./difference.ts";
import { scrolledBy } from "./scrolled.ts";

function tree(children: readonly NodeDescription[]): Snapshot {
  return buildSnapshot(
    { role: "application", children: [{ role: "frame", name: "window", children }] },
    { bus: ":1.5", name: "a", pid: 7, toolkit: "gtk", toolkitVersion: "3.24" },
  );
}

function row(snapshot: Snapshot, name: string): number {
  for (let at = 0; at < snapshot.size; at++) if (snapshot.name(at) === name) return at;
  throw new Error(`nothing is called ${name}`);
}

const plants = (fruit: readonly StateName[], roots: readonly StateName[]) =>
  tree([{
    role: "treeTable",
    name: "Plants",
    children: [
      { role: "tableCell", name: "Fruit", also: ["expandable", ...fruit] },
      { role: "tableCell", name: "Roots", also: ["expandable", ...roots] },
    ],
  }]);

Deno.test("a row that was opened by its arrow is told from one that was chosen, and what was chosen beside it is found", () => {
  const before = plants([], []), roots = row(before, "Roots");
  assert.equal(newExpansion(before, roots, plants([], ["expanded"])), true);
  assert.equal(newExpansion(plants([], ["expanded"]), roots, before), false);
  assert.equal(newExpansion(before, roots, plants([], ["selected"])), undefined);
  assert.equal(newExpansion(before, roots, undefined), undefined);
  assert.deepEqual(newlyChosen(before, roots, plants(["selected"], ["expanded"])), [row(before, "Fruit")]);
  assert.deepEqual(newlyChosen(plants(["selected"], []), roots, plants(["selected"], ["expanded"])), []);
});

Deno.test("a row that only moved, or shows again, when another one was opened was not chosen by that", () => {
  const cell = (name: string, y: number, also: readonly StateName[] = []): NodeDescription => {
    const rect = { x: 20, y, width: 50, height: 17 };
    return { role: "tableCell", name, also, rect, path: `/${name}/${y}` };
  };
  const view = (...children: NodeDescription[]) => {
    const application = { bus: ":1.5", name: "a", pid: 7, toolkit: "Qt", toolkitVersion: "5.15" };
    const table: NodeDescription = { role: "tree", name: "Plants", children };
    return buildSnapshot({ role: "application", children: [table] }, application);
  };
  const before = view(cell("Fruit", 0, ["expandable"]), cell("Roots", 17, ["selected"]));
  const moved = view(cell("Fruit", 0, ["expanded"]), cell("Apple", 17), cell("Roots", 34, ["selected"]));
  assert.deepEqual(newlyChosen(before, row(before, "Fruit"), moved), []);
  const shut = view(cell("Fruit", 0, ["expandable"]), cell("Roots", 17));
  const shown = view(cell("Fruit", 0, ["expanded"]), cell("Apple", 17, ["selected"]), cell("Roots", 34));
  assert.deepEqual(newlyChosen(shut, row(shut, "Fruit"), shown), []);
  const chosen = view(cell("Fruit", 0, ["expanded", "selected"]), cell("Apple", 17), cell("Roots", 34));
  assert.deepEqual(newlyChosen(shut, row(shut, "Fruit"), chosen), [row(chosen, "Fruit")]);
});

Deno.test("what was scrolled went as far as its scroll bar says; without one nobody knows", () => {
  const scrolled = (current: number) =>
    tree([{
      role: "scrollPane",
      children: [
        { role: "text", name: "Story" },
        { role: "scrollBar", also: ["vertical"], value: { minimum: 0, maximum: 900, current, step: 1 } },
      ],
    }]);
  const before = scrolled(46), story = row(before, "Story");
  assert.equal(scrolledBy(before, story, scrolled(138), false)?.by, 92);
  assert.equal(scrolledBy(before, story, scrolled(0), false)?.by, -46);
  assert.equal(scrolledBy(before, story, scrolled(0), true), undefined);
  assert.equal(scrolledBy(plants([], []), 3, plants([], []), false), undefined);
});
