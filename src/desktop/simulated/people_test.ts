import assert from "node:assert/strict";
import type { InputEvent } from "../input-events.ts";
import { simulate } from "./simulate.ts";

Deno.test("a recording of a simulated desktop is told what a test feeds, until it is closed", async () => {
  const desktop = simulate({ applications: ["sim.settings"] });
  const text: InputEvent = { what: "text", time: 5 };
  try {
    desktop.feed({ what: "text", time: 1 });
    const recording = await desktop.recordInput?.();
    assert.ok(recording);
    const waiting = recording.next({ timeout: 5_000 });
    desktop.feed(text);
    assert.equal(await waiting, "event");
    assert.deepEqual(recording.take(), [text]);
    assert.equal(await recording.next({ timeout: 1 }), "timeout");
    await recording.close();
    desktop.feed(text);
    assert.deepEqual(recording.take(), []);
  } finally {
    await desktop.close();
  }
});
