import assert from "node:assert/strict";
import { RecentReadings } from "./recent-readings.ts";
import { simulate } from "./simulated/simulate.ts";

/** An element with its reading, and another of the same application. */
async function two() {
  const desktop = simulate({ applications: ["sim.settings"] });
  const [application] = await desktop.applications();
  assert.ok(application);
  const snapshot = await desktop.snapshot(application);
  const [element, other] = [snapshot.element(1), snapshot.element(2)];
  const reading = await desktop.read(element);
  await desktop.close();
  return { element, other, reading };
}

Deno.test("a reading is shared until something is sent or reported of its element", async () => {
  const { element, other, reading } = await two();
  const recent = new RecentReadings();
  assert.equal(recent.of(element), undefined);
  recent.keep(element, reading, recent.begin());
  assert.equal(recent.of(element), reading);
  assert.equal(recent.of(other), undefined);
  recent.reported(other.bus, other.path);
  assert.equal(recent.of(element), reading, "what is reported of another element says nothing of this one");
  recent.reported(element.bus, element.path);
  assert.equal(recent.of(element), undefined);
  recent.keep(element, reading, recent.begin());
  assert.equal(recent.of(element), reading);
  recent.sent();
  assert.equal(recent.of(element), undefined);
});

Deno.test("a reading during which something was sent or reported is not kept", async () => {
  const { element, reading } = await two();
  const recent = new RecentReadings();
  const begun = recent.begin();
  recent.sent();
  recent.keep(element, reading, begun);
  assert.equal(recent.of(element), undefined);
  const again = recent.begin();
  recent.reported(element.bus, element.path);
  recent.keep(element, reading, again);
  assert.equal(recent.of(element), undefined);
});

Deno.test("a reading is recent for a moment only", async () => {
  const { element, reading } = await two();
  const recent = new RecentReadings();
  const { now } = performance;
  const at = performance.now();
  try {
    recent.keep(element, reading, recent.begin());
    performance.now = () => at + 50;
    assert.equal(recent.of(element), reading);
    performance.now = () => at + 1_000;
    assert.equal(recent.of(element), undefined);
  } finally {
    performance.now = now;
  }
});
