import assert from "node:assert/strict";
import { z } from "zod";
import { fixture } from "./_context.ts";

const Found = z.looseObject({
  elements: z.array(
    z.looseObject({ position: z.tuple([z.int(), z.int()]), size: z.tuple([z.int(), z.int()]) }),
  ),
});

Deno.test("a click at a place reaches what lies there, and names whose it is beforehand", async () => {
  await using desk = fixture(["sim.settings"]);
  const [box] = Found.parse(await desk.run("find", { target: 'checkbox[name="Notify me"]' })).elements;
  assert.ok(box);
  const place = { x: box.position[0] + 5, y: box.position[1] + 5 };
  const { resolved } = await desk.gate.look({ operation: "click-at", input: place });
  assert.equal(resolved.effect, "irreversible");
  assert.match(resolved.subject ?? "", /^the place \d+, \d+ of /);
  const before = await desk.run("value", { target: 'checkbox[name="Notify me"]' });
  await desk.run("click-at", place);
  assert.notDeepEqual(await desk.run("value", { target: 'checkbox[name="Notify me"]' }), before);
});

Deno.test("places that cannot be on a screen are refused, and in the background every place", async () => {
  await using desk = fixture(["sim.settings"]);
  for (const place of [{ x: -1, y: 5 }, { x: 5, y: 40_000 }, { x: 1.5, y: 2 }]) {
    assert.equal((await desk.fail("click-at", place)).code, "invalid");
  }
  await using quiet = fixture(["sim.settings"], { mode: "background" });
  assert.equal((await quiet.fail("click-at", { x: 5, y: 5 })).code, "needs_focus");
});
