import assert from "node:assert/strict";
import { buildSnapshot } from "../desktop/build.ts";
import type { Look } from "./look.ts";
import { Windows } from "./windows.ts";

/** A look at a window, and at a dialog above it where there is one. */
function look(from: number, dialog: boolean): Look {
  const application = { bus: ":1.5", name: "a", pid: 7, toolkit: "Qt", toolkitVersion: "5.15" };
  const snapshot = buildSnapshot({
    role: "application",
    children: [
      { role: "frame", name: "window" },
      ...(dialog ? [{ role: "dialog" as const, name: "Choose" }] : []),
    ],
  }, application);
  return { application, snapshot, windows: [], from, at: from + 5 };
}

Deno.test("a dialog that came is told once; what an older look shows of it has gone since", () => {
  const windows = new Windows();
  windows.know(look(0, false));
  const open = look(10, true);
  const [came, ...others] = windows.changes(open);
  assert.ok(came?.came && others.length === 0);
  windows.expect(came.path, "dialog");
  assert.deepEqual(windows.changes(look(20, true)), []);
  assert.deepEqual(windows.changes(look(30, false)), [{ came: false, target: "dialog" }]);
  assert.deepEqual(windows.changes(open), [], "it is not expected again");
  assert.deepEqual(windows.changes(look(40, false)), []);
});
