import assert from "node:assert/strict";
import { buildSnapshot } from "../../desktop/build.ts";
import { chordOf } from "./chord.ts";
import { reachOf } from "./key-reach.ts";

const HOST = { bus: ":1.3", name: "host", pid: 7, toolkit: "gtk", toolkitVersion: "3.24.38" };

/** A window of GTK 3 with a field and a default button, and a page in it with a form. */
const snapshot = buildSnapshot({
  role: "application",
  children: [{
    role: "frame",
    children: [
      { role: "entry", name: "Own", path: "/own", also: ["editable"] },
      { role: "pushButton", name: "Default", path: "/default", also: ["isDefault"] },
      {
        role: "documentWeb",
        path: ":1.4/page",
        children: [{
          role: "form",
          path: ":1.4/form",
          children: [
            { role: "entry", name: "Field", path: ":1.4/field", also: ["editable"] },
            { role: "pushButton", name: "Delete all", path: ":1.4/delete" },
          ],
        }],
      },
    ],
  }],
}, HOST);

const names = (rows: readonly number[]) => rows.map((row) => snapshot.name(row));

function returnIn(path: string) {
  const focused = snapshot.rowOf({ bus: HOST.bus, path });
  return reachOf({ snapshot, focused: [focused], windows: [1], popup: false }, chordOf(["Return"]));
}

Deno.test("Return in a field of a page may send its form, whatever the window around it has for a default", () => {
  const { sure, perhaps } = returnIn(":1.4/field");
  assert.deepEqual([names(sure), names(perhaps)], [[], ["Delete all"]]);
});

Deno.test("Return in a field beside the page presses the default button of its window", () => {
  const { sure, perhaps } = returnIn("/own");
  assert.deepEqual([names(sure), names(perhaps)], [["Default"], []]);
});
