import assert from "node:assert/strict";
import { fixture } from "./_context.ts";

Deno.test("a window is placed, minimised, restored and closed, each read back", async () => {
  await using desk = fixture(["sim.settings"]);
  const window = async () => (await desk.desktop.windows())[0];
  await desk.run("window", { do: "place", x: 30, y: 40 });
  assert.deepEqual([(await window())?.rect.x, (await window())?.rect.y], [30, 40]);
  await desk.run("window", { do: "minimise" });
  assert.equal((await window())?.minimised, true);
  await desk.run("window", { do: "restore" });
  assert.equal((await window())?.minimised, false);
});

Deno.test("a place without a side, a side without a place and a title nobody has are refused", async () => {
  await using desk = fixture(["sim.settings"]);
  assert.equal((await desk.fail("window", { do: "place" })).code, "invalid");
  assert.equal((await desk.fail("window", { do: "minimise", x: 3 })).code, "invalid");
  assert.equal((await desk.fail("window", { do: "restore", title: "Nobody" })).code, "not_found");
});

Deno.test("what became of a window is restored: its place, and whether it is minimised", async () => {
  await using desk = fixture(["sim.settings"]);
  for (const input of [{ do: "place", x: 33, y: 44 }, { do: "minimise" }]) {
    const { resolved } = await desk.gate.look({ operation: "window", input });
    const [participant] = resolved.participants;
    assert.ok(participant);
    const before = await participant.capture(desk.desktop, {});
    await desk.run("window", input);
    assert.notDeepEqual(await participant.capture(desk.desktop, {}), before);
    await participant.restore(before, desk.desktop, {});
    assert.deepEqual(await participant.capture(desk.desktop, {}), before);
  }
  assert.equal(
    (await desk.gate.look({ operation: "window", input: { do: "close" } })).resolved.effect,
    "irreversible",
  );
});
