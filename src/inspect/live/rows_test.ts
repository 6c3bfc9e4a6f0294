import assert from "node:assert/strict";
import { seeded } from "../../base/random.ts";
import { buildSnapshot, type NodeDescription } from "../../desktop/build.ts";
import { NO_TREE, rowsOf } from "./rows.ts";

const application = { bus: ":1.1", name: "made", pid: 1, toolkit: "gtk", toolkitVersion: "3.24" };
const NAMES = ["", "Save", "Grüße", "Grüßen", "保存"];

Deno.test("what is reused of the tree before is what would be made anew", () => {
  const random = seeded(11);
  const below = (n: number) => Math.floor(random() * n);
  let reused = 0;
  for (let k = 0; k < 300; k++) {
    const nodes = Array.from({ length: 1 + below(6) }, (): NodeDescription => ({
      role: below(2) === 0 ? "pushButton" : "checkBox",
      name: NAMES[below(NAMES.length)] ?? "",
      states: below(2) === 0 ? ["enabled"] : ["enabled", "checked"],
      text: "typed",
      rect: { x: below(9), y: 2, width: 30, height: 10 },
    }));
    const whole = buildSnapshot({ role: "frame", name: "Window", children: nodes }, application);
    const before = rowsOf(whole, NO_TREE, true);
    const changed = nodes.map((node): NodeDescription =>
      below(4) > 0 ? node : { ...node, name: NAMES[below(5)] ?? "" }
    );
    if (below(3) === 0) changed.splice(below(changed.length), 1, { role: "label", name: "came" });
    if (below(4) === 0) changed.pop();
    const held = buildSnapshot({ role: "frame", name: "Window", children: changed }, application);
    const { rows, paths } = rowsOf(held, before, false);
    const anew = rowsOf(held, { rows: before.rows, paths: before.paths }, false);
    assert.deepEqual({ rows, paths }, { rows: anew.rows, paths: anew.paths });
    reused += rows.filter((row) => before.rows.includes(row)).length;
  }
  assert.ok(reused > 300, `${reused} rows were reused`);
});
