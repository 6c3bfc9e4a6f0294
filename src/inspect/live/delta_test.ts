import assert from "node:assert/strict";
import { deltaOf, type Piece } from "./delta.ts";
import type { PageRow, PageTree } from "./rows.ts";

function tree(names: string): PageTree {
  const all = names.split(" ").filter((name) => name !== "");
  const rows = all.map((name): PageRow => [1, "button", name.replace(/^[^=]*=/, ""), 0, 0, 0, 1, 1, ""]);
  return { rows, paths: all.map((name) => name.replace(/=.*/, "")) };
}

/** As the page puts them together. */
function applied(before: PageTree, pieces: readonly Piece[]): PageRow[] {
  return pieces.flatMap((piece) =>
    "row" in piece ? [piece.row] : before.rows.slice(piece[0], piece[0] + piece[1])
  );
}

Deno.test("a tree that did not change has no pieces", () => {
  assert.equal(deltaOf(tree("a b c"), tree("a b c")), undefined);
});

Deno.test("pieces put together are the tree after, whatever came, went, moved or changed", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  for (let k = 0; k < 400; k++) {
    const make = () =>
      Array.from({ length: random(9) }, () => `p${random(7)}=${"xyz"[random(3)]}`)
        .filter((one, n, all) => all.findIndex((other) => other.split("=")[0] === one.split("=")[0]) === n)
        .join(" ");
    const [before, after] = [tree(make()), tree(make())];
    const pieces = deltaOf(before, after);
    assert.deepEqual(pieces === undefined ? before.rows : applied(before, pieces), after.rows);
    assert.equal(pieces === undefined, JSON.stringify(before) === JSON.stringify(after));
  }
});

Deno.test("an element that only changed stays the same one", () => {
  const pieces = deltaOf(tree("a b c"), tree("a b=new c")) ?? [];
  assert.deepEqual(
    pieces.map((piece) =>
      "was" in piece ? `was ${piece.was}` : "row" in piece ? "new" : `${piece[0]}+${piece[1]}`
    ),
    [
      "0+1",
      "was 1",
      "2+1",
    ],
  );
});
