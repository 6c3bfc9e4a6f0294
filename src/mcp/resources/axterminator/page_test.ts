import assert from "node:assert/strict";
import type { Json } from "../../../base/error.ts";
import { isMap } from "../../../base/json.ts";
import { joined } from "../_joined.ts";
import { cursorOf } from "./page.ts";
import { split } from "../../server/document-split.ts";

function treeOf(levels: number, width: number, name = "n"): Json {
  const children: Json[] = levels === 0
    ? []
    : Array.from({ length: width }, (_, k) => treeOf(levels - 1, width, `${name}.${k}`));
  return { role: "AXGroup", title: name, children };
}

const size = (value: Json) => new TextEncoder().encode(JSON.stringify(value)).length;

const DOCUMENTS: Readonly<Record<string, Json>> = {
  "a bushy tree": treeOf(5, 5),
  "a wide root": treeOf(1, 3_000),
  "a deep chain": treeOf(400, 1),
  "a flat list": Array.from({ length: 3_000 }, (_, k) => ({ role: "AXButton", title: `${k}` })),
  "a list of trees": Array.from({ length: 10 }, (_, k) => treeOf(4, 5, `${k}`)),
  "a tree with long texts": {
    role: "AXWindow",
    children: Array.from(
      { length: 40 },
      (_, k) => ({ value: "ü".repeat(1_000 + k), children: [treeOf(2, 3)] }),
    ),
  },
};

for (const [what, document] of Object.entries(DOCUMENTS)) {
  Deno.test(`${what} comes in pages of bounded size that put together are the whole`, () => {
    const pages = split(document, 20_000);
    assert.ok(pages.length > 1);
    for (const page of pages) assert.ok(size(page) <= 20_000 + 2_100, `${size(page)} bytes`);
    assert.ok(pages.length <= 3 * Math.ceil(size(document) / 20_000) + 2, `${pages.length} pages`);
    assert.deepEqual(joined(pages), document);
  });
}

Deno.test("a small document is one page, as it is", () => {
  const document = treeOf(2, 2);
  assert.deepEqual(split(document, 20_000), [document]);
});

Deno.test("the first page of a tree holds whole levels, and says where there is more", () => {
  const [first] = split(treeOf(3, 10), 8_000);
  assert.ok(isMap(first ?? null));
  const text = JSON.stringify(first);
  assert.equal([...text.matchAll(/"truncated":true/g)].length, 100, "the whole third level");
  assert.ok(!text.includes('"children":[]'));
});

Deno.test("a cursor is taken off an address wherever it stands among its parameters", () => {
  assert.deepEqual(cursorOf("a://b/c"), { address: "a://b/c", cursor: undefined });
  assert.deepEqual(cursorOf("a://b/c?cursor=x-1"), { address: "a://b/c", cursor: "x-1" });
  assert.deepEqual(cursorOf("a://b/c?cursor=x-1&limit=2"), { address: "a://b/c?limit=2", cursor: "x-1" });
  assert.deepEqual(cursorOf("a://b/c?limit=2&cursor=x-1"), { address: "a://b/c?limit=2", cursor: "x-1" });
});
