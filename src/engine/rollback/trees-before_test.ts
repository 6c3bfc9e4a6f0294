import assert from "node:assert/strict";
import { simulate } from "../../desktop/simulated/simulate.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { TreesBefore } from "./trees-before.ts";

/** Trees of two applications. */
async function trees(): Promise<[Snapshot, Snapshot]> {
  const desktop = simulate({ applications: ["sim.settings", "sim.editor"] });
  const [one, other] = await desktop.applications();
  assert.ok(one && other);
  const both: [Snapshot, Snapshot] = [await desktop.snapshot(one), await desktop.snapshot(other)];
  await desktop.close();
  return both;
}

const restorable = (intent: number) => ({ intent, effect: "restorable" as const });
const compensable = (intent: number) => ({ intent, effect: "compensable" as const });

Deno.test("what is in no tree before is lacking there, and what is of another application nowhere", async () => {
  const [own, other] = await trees();
  const before = new TreesBefore();
  const absent = { rowsIn: (one: Snapshot) => one === own ? [-1, -1] : [] };
  before.add(restorable(1), own);
  before.add(restorable(2), other);
  before.add(restorable(3), own);
  assert.deepEqual(before.lacking(absent), [1, 3]);
  assert.deepEqual(before.lacking({ rowsIn: () => [-1, 4] }), [], "one of the group stood");
  assert.deepEqual(before.lacking({}), [], "what tells no rows");
  before.cut(3);
  assert.deepEqual(before.lacking(absent), [1]);
});

Deno.test("a tree stands for the actions before it that remove nothing, and for no other", async () => {
  const [own] = await trees();
  const absent = { rowsIn: () => [-1] };
  const before = new TreesBefore();
  before.add(compensable(1));
  before.add(compensable(2));
  assert.deepEqual(before.lacking(absent), []);
  before.add(restorable(3), own);
  assert.deepEqual(before.lacking(absent), [1, 2, 3]);
  before.add(compensable(4));
  before.add(restorable(5));
  before.add(restorable(6), own);
  assert.deepEqual(
    before.lacking(absent),
    [1, 2, 3, 6],
    "keys may have removed what stood before the fourth",
  );
});

Deno.test("the oldest tree and the newest are kept, those of an inner log behind those of the outer", async () => {
  const [own] = await trees();
  const absent = { rowsIn: () => [-1] };
  const [outer, inner] = [new TreesBefore(), new TreesBefore()];
  outer.add(restorable(1), own);
  for (let intent = 2; intent < 40; intent++) inner.add(restorable(intent), own);
  assert.deepEqual(inner.lacking(absent).slice(0, 2), [2, 25]);
  outer.absorb(inner);
  const kept = outer.lacking(absent);
  assert.deepEqual([kept.length, kept[0], kept[1], kept.at(-1)], [16, 1, 25, 39]);
});
