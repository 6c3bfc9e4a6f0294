import assert from "node:assert/strict";
import { readTree, treeNames } from "../../intelligence/_trees.ts";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import { match } from "../selector/match.ts";
import { parseSelector } from "../selector/parse.ts";
import type { Snapshot } from "../snapshot.ts";
import { actionableRows, shareOf } from "./_share.ts";
import { MOST_NTH, Ranker } from "./ranker.ts";

const application = { bus: ":1.5", name: "app", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" };

function windowOf(...children: readonly NodeDescription[]): Snapshot {
  return buildSnapshot({ role: "frame", name: "Main", children }, application);
}

function rowOf(snapshot: Snapshot, test: (row: number) => boolean): number {
  for (let row = 0; row < snapshot.size; row++) if (test(row)) return row;
  throw new Error("there is none");
}

Deno.test("every locator of every recorded tree finds its element, and nothing else", () => {
  let checked = 0;
  for (const name of treeNames()) {
    const snapshot = readTree(name);
    const ranker = new Ranker(snapshot);
    for (const row of actionableRows(snapshot)) {
      const found = ranker.candidates(row);
      assert.deepEqual(found, [...found].sort((a, b) => a.score - b.score));
      for (const { selector } of found) {
        assert.deepEqual(match(parseSelector(selector), snapshot), [row], `${name}: ${selector}`);
        const n = Number(/:nth\((-?\d+)\)/.exec(selector)?.[1] ?? 1);
        assert.ok(Math.abs(n) <= MOST_NTH, selector);
        checked++;
      }
    }
  }
  assert.ok(checked > 3_000, `${checked}`);
});

Deno.test("of the elements of recorded trees not half as many need a number as before they were ranked", () => {
  let before = 0, after = 0;
  for (const name of treeNames()) {
    const share = shareOf(readTree(name));
    assert.ok(share.after <= share.before, name);
    before += share.before;
    after += share.after;
  }
  assert.ok(before > 300, `${before}`);
  assert.ok(after <= before / 2, `${after} of ${before}`);
});

Deno.test("a label that the application relates goes before what stands beside, and is found by that relation", () => {
  const snapshot = windowOf(
    { role: "label", name: "Volume", path: "/label" },
    { role: "slider", relations: { 2: ["/label"] } },
    { role: "slider" },
  );
  const [best] = new Ranker(snapshot).candidates(2);
  assert.equal(best?.selector, 'slider:labelled-by("Volume")');
  assert.deepEqual(best?.by, ["label"]);
});

Deno.test("an id that a program makes up goes behind a name", () => {
  const of = (id: string) =>
    new Ranker(windowOf({ role: "pushButton", name: "Save", id }, { role: "pushButton", name: "Quit" }))
      .candidates(1).map(({ by: [by] }) => by);
  assert.equal(of("save")[0], "id");
  assert.deepEqual(of(":r1a2b3c4:").slice(0, 2), ["name", "id"]);
});

Deno.test("the same button in each row of a table is told by its row", () => {
  const line = (name: string, y: number): NodeDescription => ({
    role: "tableRow",
    rect: { x: 0, y, width: 300, height: 20 },
    children: [
      { role: "tableCell", name, rect: { x: 0, y, width: 100, height: 20 } },
      { role: "pushButton", name: "Edit", rect: { x: 110, y, width: 50, height: 20 } },
    ],
  });
  const snapshot = windowOf({ role: "table", children: [line("Alice", 0), line("Bob", 20)] });
  const row = rowOf(snapshot, (at) => snapshot.name(at) === "Edit");
  const found = new Ranker(snapshot).candidates(row);
  assert.ok(
    found.some(({ selector }) => selector === 'button[name="Edit"]:in-row("Alice")'),
    JSON.stringify(found),
  );
});

Deno.test("a number in a name is left out of one of its locators", () => {
  const snapshot = windowOf({ role: "pushButton", name: "Inbox (3)" }, { role: "pushButton", name: "Sent" });
  const found = new Ranker(snapshot).candidates(1);
  assert.deepEqual(found.slice(0, 2).map(({ selector }) => selector), [
    'button[name="Inbox (3)"]',
    "button[name=/^Inbox \\(\\d+\\)$/]",
  ]);
});
