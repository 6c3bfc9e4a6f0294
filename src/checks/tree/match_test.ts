import assert from "node:assert/strict";
import type { NodeDescription } from "../../desktop/build.ts";
import { DIALOG, tree } from "./_trees.ts";
import { diffTree } from "./diff.ts";
import { matchesTree, unlike } from "./match.ts";
import type { Tree, TreeNode } from "./node.ts";
import { parseTree } from "./parse.ts";
import type { Pattern, TreePattern } from "./pattern.ts";

for (
  const [pattern, matches, exact] of [
    ['- button "Save"', true, false],
    ['- dialog:\n  - textfield "Name"\n  - button "Save" [disabled]', true, false],
    ['- button "Save"\n- button "Cancel"', false, false],
    ['- button "Cancel"\n- button "Save"', true, false],
    ['- listitem "Home" [selected]\n- listitem "Desktop" [selected=false]', true, false],
    ['- listitem "Home"\n- button "Save"', false, false],
    ['- textfield "Name": /^Draft/', true, false],
    ["- passwordfield: hunter2", false, false],
    ["- passwordfield: /.*/", false, false],
    ["- heading [level=2]", true, false],
    ["- heading [level=1]", false, false],
    ["- label: Two lines", true, false],
    ["- button /save/i [enabled]", false, false],
    ["- list", true, false],
    ['- list "Places":\n  - listitem "Home" [selected]\n  - listitem "Desktop"', true, false],
    ['- dialog "Save as…":\n  - heading "More" [level=2]', true, false],
  ] as const
) {
  Deno.test(`${JSON.stringify(pattern)} ${matches ? "matches" : "does not match"}`, () => {
    assert.equal(matchesTree(parseTree(pattern), tree(DIALOG)), matches);
    assert.equal(matchesTree(parseTree(pattern), tree(DIALOG), { exact: true }), exact);
  });
}

/** What the matcher must answer, without memory and without shortcuts: every choice of elements is tried. */
function naive(pattern: TreePattern, { top, all }: Tree): boolean {
  const list = (lines: readonly Pattern[], nodes: readonly TreeNode[]): boolean => {
    const [line, ...rest] = lines;
    if (line === undefined) return true;
    return nodes.some((node, k) =>
      unlike(line, node, false).length === 0 && list(line.children, node.children) &&
      list(rest, nodes.slice(k + 1))
    );
  };
  return list(pattern.top, top) || all.some((node) => list(pattern.top, node.children));
}

function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

const ROLES = [["pushButton", "button"], ["list", "list"], ["panel", "panel"]] as const;

function anyTree(next: () => number, depth: number): NodeDescription {
  const [role] = ROLES[Math.floor(next() * ROLES.length)] ?? ROLES[0];
  const children = depth === 0
    ? []
    : Array.from({ length: Math.floor(next() * 4) }, () => anyTree(next, depth - 1));
  return { role, name: next() < 0.3 ? "" : "ab"[Math.floor(next() * 2)] ?? "", children };
}

function anyPattern(next: () => number, depth: number, indent = ""): string {
  const [, word] = ROLES[Math.floor(next() * ROLES.length)] ?? ROLES[0];
  const count = depth === 0 ? 0 : Math.floor(next() * 3);
  const name = next() < 0.5 ? "" : ` "${"ab"[Math.floor(next() * 2)]}"`;
  const inside = Array.from({ length: count }, () => anyPattern(next, depth - 1, `${indent}  `)).join("");
  return `${indent}- ${word}${name}${count > 0 ? ":" : ""}\n${inside}`;
}

Deno.test("the matcher answers as one that tries every choice does, on 3,000 random trees", () => {
  let matched = 0;
  for (let seed = 1; seed <= 3_000; seed++) {
    const next = random(seed);
    const shown = tree({ role: "frame", name: "w", children: [anyTree(next, 3), anyTree(next, 2)] });
    const source = anyPattern(next, 2) + (next() < 0.4 ? anyPattern(next, 1) : "");
    const pattern = parseTree(source);
    const expected = naive(pattern, shown);
    assert.equal(matchesTree(pattern, shown), expected, `seed ${seed}\n${source}`);
    if (expected) matched++;
    // A diff of what does not match always says something.
    else assert.ok(diffTree(pattern, shown, false).wrong > 0, `seed ${seed}`);
  }
  assert.ok(matched > 500 && matched < 2_500, `${matched} of 3000 matched`);
});

Deno.test("10,000 elements made to be tried over and over are compared and distinguished in bounded time", () => {
  // Every line fits every element but for the last of each list: a matcher that tries every choice never ends.
  const nested = (depth: number): NodeDescription => ({
    role: "list",
    name: "a",
    children: depth === 0 ? [] : Array.from({ length: 10 }, () => nested(depth - 1)),
  });
  const shown = tree({ role: "frame", name: "w", children: [nested(4)].concat([nested(2)]) });
  assert.ok(shown.all.length > 10_000);
  const lines = (depth: number, indent: string): string =>
    depth === 0
      ? `${indent}- list "a"\n`.repeat(6) + `${indent}- list "b"\n`
      : `${indent}- list "a":\n${lines(depth - 1, `${indent}  `)}`.repeat(5);
  const pattern = parseTree(lines(3, ""));
  assert.ok(pattern.all.length > 800);
  const started = performance.now();
  assert.equal(matchesTree(pattern, shown), false);
  assert.ok(performance.now() - started < 10_000);
  const diff = diffTree(pattern, shown, false);
  assert.ok(performance.now() - started < 20_000);
  assert.ok(diff.wrong > 0 && diff.text.split("\n").length <= 61);
});
