/** Fields of one application that follow each other: what a later step enrolled may be as at the savepoint only once an earlier one is undone. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { failing, Stand } from "./_dialogs.ts";
import { KITS } from "./_held.ts";
import { fixture } from "./_toolkits.ts";

const app = "units.py";
const METRIC = `{ set: { target: 'checkbox "Millimetres"', value: true } }`;
const WIDTH = `{ set: { target: 'spinbutton "Width"', value: 100 } }`;
const HEIGHT = `{ set: { target: 'spinbutton "Height"', value: 100 } }`;
const DEPTH = `{ set: { target: 'spinbutton "Depth"', value: 200 } }`;

async function launched(stand: Stand): Promise<() => readonly string[]> {
  const log = join(stand.folder, "became");
  await stand.do("launch", { app: "/usr/bin/python3", args: [fixture("late/units.py"), log] });
  await stand.do("wait", { target: 'spinbutton "Width"' }, app);
  return () => readFileSync(log, "utf8").trim().split("\n");
}

Deno.test({
  name: "a width that was set in another unit is as at the savepoint once its unit is back, GTK 3",
  ignore: KITS["GTK 3"].ignore,
  async fn() {
    await using stand = await Stand.open();
    const became = await launched(stand);
    const { rollback } = await stand.run(failing(app, METRIC, WIDTH));
    assert.deepEqual(became().slice(-2), ["width 8.5", "metric False"]);
    assert.deepEqual([rollback.verdict, rollback.drift, rollback.beside], ["restored", [], undefined]);
  },
});

Deno.test({
  name:
    "a field that another step had changed before its own step protected it is named where it stays so, GTK 3",
  ignore: KITS["GTK 3"].ignore,
  async fn() {
    await using stand = await Stand.open();
    const became = await launched(stand);
    const { rollback } = await stand.run(failing(app, HEIGHT, DEPTH));
    assert.deepEqual(became(), ["height 100.0", "depth 100.0", "depth 200.0", "depth 100.0", "height 1.0"]);
    const { verdict, beside = [] } = rollback;
    const depth = beside.filter(({ participant }) => participant === 'spinbutton "Depth"');
    assert.equal(verdict, "restored");
    assert.deepEqual(depth.map(({ expected, actual }) => [expected, actual]), [["1.0", "100.0"], [1, 100]]);
  },
});
