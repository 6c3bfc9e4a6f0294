import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import { Role } from "../roles.ts";
import { editor } from "../selector/_fixture.ts";
import type { Snapshot } from "../snapshot.ts";
import { verifyManaged } from "./managed-rows.ts";

const button = (name: string, more: Partial<NodeDescription> = {}): NodeDescription => ({
  role: "pushButton",
  name,
  path: `/${name}`,
  ...more,
});
const list = (...children: NodeDescription[]): NodeDescription => ({
  role: "list",
  path: "/list",
  states: ["managesDescendants"],
  children: [{ role: "listItem", name: "row", path: "/row", children }],
});
const tree = (...children: NodeDescription[]) =>
  buildSnapshot(
    { role: "application", path: "/root", children: [{ role: "frame", path: "/frame", children }] },
    editor,
  );

/** An application whose list has these buttons now, which are as they were kept but for the states. */
async function verify(kept: Snapshot, now: readonly string[], gone: readonly string[] = [], showing = false) {
  const asked: number[] = [];
  const verified = await verifyManaged(kept, [Role.pushButton], {
    find: (row) => {
      asked.push(row);
      return Promise.resolve(now.map((name) => ({ bus: editor.bus, path: `/${name}` })));
    },
    same: (row) =>
      Promise.resolve(
        gone.includes(kept.name(row))
          ? undefined
          : buildSnapshot({ role: "pushButton", name: kept.name(row), states: ["checked"] }, editor),
      ),
  }, { showing });
  return { verified, asked };
}

Deno.test("what a list has as it was kept is verified, with the states that it has now", async () => {
  const kept = tree(button("outside"), list(button("a"), button("b")));
  const { verified, asked } = await verify(kept, ["a", "b"]);
  assert.ok(verified);
  const checked = (name: string) =>
    verified.has(
      Array.from({ length: kept.size }, (_, row) => row).find((row) => kept.name(row) === name) ?? 0,
      "checked",
    );
  assert.deepEqual([checked("a"), checked("b"), checked("outside")], [true, true, false]);
  assert.equal(asked.length, 1);
});

Deno.test("a list that does not show, with nothing in it that is kept as showing, is not asked where only those that may are", async () => {
  const may = async (own: readonly "showing"[], inside: readonly "showing"[]) => {
    const states = ["managesDescendants", ...own] as const;
    const kept = tree({ role: "list", path: "/list", states, children: [button("a", { states: inside })] });
    return (await verify(kept, ["a", "new"], [], true)).asked.length;
  };
  assert.deepEqual([await may([], []), await may(["showing"], []), await may([], ["showing"])], [0, 1, 1]);
});

const CASES: readonly [what: string, now: readonly string[], gone?: readonly string[]][] = [
  ["has one more than was kept", ["a", "b", "c"]],
  ["has one less", ["a"]],
  ["has another in the place of one", ["a", "c"]],
  ["has them in another order", ["b", "a"]],
  ["has one that is named otherwise by now", ["a", "b"], ["b"]],
];
for (const [what, now, gone] of CASES) {
  Deno.test(`nothing is told of a list that ${what}`, async () => {
    const { verified } = await verify(tree(list(button("a"), button("b"))), now, gone);
    assert.equal(verified, undefined);
  });
}

Deno.test("nothing is told where there is more than is worth to be asked", async () => {
  const names = Array.from({ length: 33 }, (_, k) => `b${k}`);
  const { verified, asked } = await verify(tree(list(...names.map((name) => button(name)))), names);
  assert.deepEqual([verified, asked], [undefined, []]);
  const lists = Array.from({ length: 33 }, () => list());
  assert.equal((await verify(tree(...lists), [])).verified, undefined);
});

Deno.test("a tree without such lists needs no question", async () => {
  const kept = tree(button("a"));
  const { verified, asked } = await verify(kept, []);
  assert.deepEqual([verified, asked], [kept, []]);
});
