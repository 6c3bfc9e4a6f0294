import assert from "node:assert/strict";
import { Field } from "../../ffi/op.ts";
import { Snapshot } from "../snapshot.ts";
import { decodeColumns } from "./columns.ts";
import { type FakeRow, fakeSnapshot } from "./_reply.ts";

const rows: FakeRow[] = [
  { parent: -1, role: 75, name: "näme", path: "/root" },
  { parent: 0, role: 23, name: "Window", path: "/w", rect: [5, 6, 70, 80] },
  { parent: 1, role: 79, name: "Field", path: "/w/f", id: "field", text: "naïve", value: 4 },
  { parent: 1, role: 43, name: "OK", path: "/w/b" },
  { parent: 0, role: 23, name: "Other", path: "/o" },
];

function snapshotOf(bytes: Uint8Array): Snapshot {
  const { columns, ...how } = decodeColumns(bytes);
  const application = { bus: ":1.5", name: "a", pid: 1, toolkit: "", toolkitVersion: "" };
  return new Snapshot(columns, { application, generation: 1, ...how });
}

Deno.test("a snapshot reply is read in place", () => {
  const bytes = fakeSnapshot(rows);
  const { columns } = decodeColumns(bytes);
  assert.equal(columns.role.buffer, bytes.buffer);
  assert.equal(columns.strings.arena.buffer, bytes.buffer);
});

Deno.test("a reply that does not start at a multiple of eight is copied, and reads the same", () => {
  const bytes = fakeSnapshot(rows);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const snapshot = snapshotOf(shifted.subarray(3));
  assert.equal(snapshot.name(0), "näme");
  assert.deepEqual(snapshot.rect(1), { x: 5, y: 6, width: 70, height: 80 });
});

Deno.test("a reply says by which strategy it came about, and whether straight from the application", () => {
  const header = fakeSnapshot(rows);
  const words = new DataView(header.buffer, header.byteOffset);
  const reported = (strategy: number, route: number) => {
    words.setUint32(5 * 4, strategy, true);
    words.setUint32(9 * 4, route, true);
    return decodeColumns(header).strategy;
  };
  assert.equal(reported(0, 0), "walk");
  assert.equal(reported(4, 1), "cache, collection and walk, direct");
  assert.equal(reported(5, 0), "children, then cache");
  assert.equal(reported(99, 0), "strategy 99");
});

Deno.test("every column arrives where it belongs", () => {
  const snapshot = snapshotOf(fakeSnapshot(rows, { cut: 1 | 8 }));
  assert.deepEqual(snapshot.children(0), [1, 4]);
  assert.deepEqual(snapshot.children(1), [2, 3]);
  assert.equal(snapshot.text(2), "naïve");
  assert.equal(snapshot.text(3), undefined);
  assert.equal(snapshot.value(2)?.current, 4);
  assert.equal(snapshot.value(3), undefined);
  assert.equal(snapshot.id(2), "field");
  assert.equal(snapshot.rect(0), undefined);
  assert.deepEqual(snapshot.actions(3), ["click", "focus"]);
  assert.deepEqual(snapshot.attributes(3), { toolkit: "gtk" });
  assert.equal(snapshot.selected(3), undefined);
  assert.deepEqual([snapshot.relation(3, 2), snapshot.relation(3, 1)], [["/w/l", "/w/m"], []]);
  assert.equal(snapshot.keys(3), "<Alt>s");
  assert.deepEqual(snapshot.textStyle(3), { size: "10pt" });
  assert.deepEqual(snapshot.textRect(3), { x: 1, y: 2, width: 3, height: 4 });
  assert.ok(snapshot.has(3, "enabled"));
  assert.deepEqual(snapshot.origin.cut, ["nodes", "children"]);
  assert.deepEqual([snapshot.origin.strategy, snapshot.origin.calls], ["cache", 7]);
  assert.deepEqual(snapshot.element(2), {
    bus: ":1.5",
    path: "/w/f",
    generation: 1,
    fingerprint: { role: 79, name: "Field", id: "field" },
    ancestors: ["/w"],
  });
});

for (
  const fields of [
    0,
    Field.extents,
    Field.text,
    Field.value | Field.id,
    Field.selection | Field.actions,
    127,
    Field.text | Field.caret,
  ]
) {
  Deno.test(`columns that were not asked for are absent (fields ${fields})`, () => {
    const { columns } = decodeColumns(fakeSnapshot(rows, { fields }));
    assert.equal(columns.rect.length, fields & Field.extents ? 20 : 0);
    assert.equal(columns.text.length, fields & Field.text ? 5 : 0);
    assert.equal(columns.caret.length, fields & Field.caret ? 15 : 0);
    assert.equal(columns.value.length, fields & Field.value ? 20 : 0);
    assert.deepEqual([columns.relations, columns.keys, columns.textRect], [undefined, undefined, undefined]);
    assert.equal(columns.id.length, fields & Field.id ? 5 : 0);
    assert.deepEqual([...columns.role], [75, 23, 79, 43, 23]);
  });
}

Deno.test("a reply that is cut off anywhere is refused", () => {
  const bytes = fakeSnapshot(rows);
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => decodeColumns(bytes.slice(0, length)), { code: "internal" });
  }
});

Deno.test("no flipped bit crashes the decoder or makes it loop: it refuses, or reads another valid tree", () => {
  const bytes = fakeSnapshot(rows);
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const hostile = bytes.slice();
    hostile[bit >> 3] = (hostile[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    let snapshot: Snapshot;
    try {
      snapshot = snapshotOf(hostile);
    } catch (error) {
      assert.equal(error instanceof Error && error.name, "BackstepError");
      continue;
    }
    for (let row = 0; row < snapshot.size; row++) {
      snapshot.element(row);
      snapshot.text(row);
      snapshot.children(row);
      snapshot.depth(row);
    }
  }
});

const hostile: [string, FakeRow[]][] = [
  ["no rows", []],
  ["a root that has a parent", [{ parent: 0, role: 1, name: "", path: "/" }]],
  ["two roots", [{ parent: -1, role: 1, name: "", path: "/" }, {
    parent: -1,
    role: 1,
    name: "",
    path: "/x",
  }]],
  ["a row before its parent", [
    { parent: -1, role: 1, name: "", path: "/" },
    { parent: 2, role: 1, name: "", path: "/a" },
    { parent: 0, role: 1, name: "", path: "/b" },
  ]],
  ["a subtree that is not one run", [
    { parent: -1, role: 1, name: "", path: "/" },
    { parent: 0, role: 1, name: "", path: "/a" },
    { parent: 0, role: 1, name: "", path: "/b" },
    { parent: 1, role: 1, name: "", path: "/a/c" },
  ]],
  ["a parent far away", [
    { parent: -1, role: 1, name: "", path: "/" },
    { parent: -7, role: 1, name: "", path: "/a" },
  ]],
];
for (const [what, tree] of hostile) {
  Deno.test(`a snapshot with ${what} is refused`, () => {
    assert.throws(() => decodeColumns(fakeSnapshot(tree)), { code: "internal" });
  });
}

Deno.test("names of actions may have several lines, and a platform's own roles are told", () => {
  const snapshot = snapshotOf(
    fakeSnapshot([{
      parent: -1,
      role: 69,
      name: "w",
      path: "/1",
      nativeRole: "AXWindow AXDialog",
      actions: "Name:Close\\nTarget:0x0\nAXPress\na\\\\n",
    }]),
  );
  assert.equal(snapshot.nativeRole(0), "AXWindow AXDialog");
  assert.deepEqual(snapshot.actions(0), ["Name:Close\nTarget:0x0", "AXPress", "a\\n"]);
});
