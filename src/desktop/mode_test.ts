import assert from "node:assert/strict";
import { toBackstepError } from "../base/error.ts";
import { inBackground } from "./mode.ts";
import { simulate } from "./simulated/simulate.ts";

Deno.test("a desktop in the background lets nothing through that takes keyboard, pointer or the place in front", async () => {
  const real = simulate({ applications: ["sim.settings"] });
  const desktop = inBackground(real);
  const [application] = await desktop.applications();
  const [window] = await desktop.windows();
  assert.ok(application && window);
  const element = (await desktop.snapshot(application)).element(1);
  const before = real.log.entries.length;
  const point = { x: 10, y: 10 };
  const calls: (() => Promise<unknown>)[] = [
    () => desktop.typeText("x"),
    () => desktop.pressKeys(["ctrl", "s"]),
    () => desktop.pointer({ do: "move", ...point }),
    () => desktop.pointer({ do: "click", ...point, button: "left", count: 1 }),
    () => desktop.act(element, { do: "focus" }),
    () => desktop.window(window.id, { do: "activate" }),
    () => desktop.window(window.id, { do: "restore" }),
  ];
  for (const call of calls) {
    const error = await call().then(() => undefined, toBackstepError);
    assert.deepEqual([error?.code, error?.details?.outcome], ["needs_focus", "not_sent"]);
  }
  assert.equal(real.log.entries.length, before);
  await desktop.window(window.id, { do: "minimise" });
  assert.equal((await desktop.windows())[0]?.minimised, true);
  await desktop.close();
});
