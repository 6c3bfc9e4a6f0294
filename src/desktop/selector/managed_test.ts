import assert from "node:assert/strict";
import { buildSnapshot } from "../build.ts";
import { editor } from "./_fixture.ts";
import { Role } from "../roles.ts";
import { asksManaged, rolesAsked } from "./managed.ts";
import { readSelector } from "./read.ts";

const cell = { role: "tableCell", name: "Save" } as const;
const list = { role: "treeTable", states: ["managesDescendants"], children: [cell] } as const;
const save = { role: "pushButton", name: "Save" } as const;

const CASES: readonly [query: string, asks: boolean][] = [
  ['button[name="Save"]', false],
  ["button:nth(2)", false],
  ['cell[name="Save"]', true],
  ['[name="Save"]', true],
  ["Save", true],
  ['button:has([name="Save"])', true],
];

for (const [query, asks] of CASES) {
  Deno.test(`${query} ${asks ? "asks" : "does not ask"} what a list shows that manages its descendants`, () => {
    const frame = { role: "frame", children: [list, save] } as const;
    const tree = buildSnapshot({ role: "application", children: [frame] }, editor);
    assert.equal(asksManaged(readSelector(query), tree), asks);
    const without = buildSnapshot(
      { role: "application", children: [{ role: "frame", children: [save] }] },
      editor,
    );
    assert.equal(asksManaged(readSelector(query), without), false);
  });
}

const ROLES: readonly [query: string, alone: boolean][] = [
  ['button[name="Save"]', true],
  ['role:AXButton title:"Save"', true],
  ["button:nth(2)", true],
  ["button:enabled, link", true],
  ['[name="Save"]', false],
  ["Save", false],
  ['list button[name="Save"]', false],
  ['button:has([name="Save"])', false],
  ["button:not(list button)", false],
];
for (const [query, alone] of ROLES) {
  Deno.test(`${query} ${alone ? "is" : "is not"} told by what each element of a role says of itself`, () => {
    const roles = rolesAsked(readSelector(query));
    assert.equal(roles !== undefined, alone);
    if (alone) assert.ok(roles?.includes(Role.pushButton) && !roles.includes(Role.label));
  });
}
