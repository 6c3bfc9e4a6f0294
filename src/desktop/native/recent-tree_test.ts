import assert from "node:assert/strict";
import { buildSnapshot } from "../build.ts";
import { editor } from "../selector/_fixture.ts";
import { Snapshot } from "../snapshot.ts";
import { RecentTree } from "./recent-tree.ts";

/** A tree of the editor that was read so many milliseconds ago. */
function tree(age = 0): Snapshot {
  const { columns, origin } = buildSnapshot({ role: "application", path: "/0" }, editor);
  return new Snapshot(columns, { ...origin, readAt: performance.now() - age });
}

function keeping(snapshot: Snapshot): RecentTree {
  const recent = new RecentTree();
  recent.keep(snapshot, ["extents", "id"], recent.begin());
  return recent;
}

Deno.test("a tree does for a moment, with the fields that it has, of its application", () => {
  const snapshot = tree();
  const recent = keeping(snapshot);
  assert.equal(recent.of(editor.bus, ["id"]), snapshot);
  assert.equal(recent.of(editor.bus, ["id", "text"]), undefined);
  assert.equal(recent.of(":1.99", ["id"]), undefined);
  assert.equal(keeping(tree(150)).of(editor.bus, ["id"]), undefined);
});

Deno.test("nothing does any more once something was sent, or the application told something", () => {
  for (
    const change of [
      (recent: RecentTree) => recent.sent(),
      (recent: RecentTree) => recent.reported(editor.bus),
    ]
  ) {
    const recent = keeping(tree());
    change(recent);
    assert.equal(recent.of(editor.bus, ["id"]), undefined);
  }
  const other = keeping(tree());
  other.reported(":1.99");
  assert.ok(other.of(editor.bus, ["id"]));
});

Deno.test("a tree that was read while something was sent is not kept", () => {
  const recent = new RecentTree();
  const begun = recent.begin();
  recent.sent();
  recent.keep(tree(), ["id"], begun);
  assert.equal(recent.of(editor.bus, ["id"]), undefined);
});

Deno.test("a tree that was read while its application told something is not kept", () => {
  const recent = new RecentTree();
  const begun = recent.begin();
  recent.reported(editor.bus);
  recent.keep(tree(), ["id"], begun);
  assert.equal(recent.of(editor.bus, ["id"]), undefined);
});
