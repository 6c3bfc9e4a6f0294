import assert from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import type { Desktop, StateBits } from "../desktop/desktop.ts";
import { readsOf } from "../desktop/reads-of.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { statesOf } from "./together.ts";
import { Anchor } from "./trail.ts";

/** Two elements, and a desktop that answers so when both are asked at once. */
async function asked(answer: () => Promise<readonly (StateBits | undefined)[]>) {
  const raw = simulate({ applications: ["sim.settings"] });
  const [application] = await raw.applications();
  assert.ok(application);
  const snapshot = await raw.snapshot(application);
  const members = [1, 2].map((row) =>
    Anchor.of({ application, snapshot, row, element: snapshot.element(row) })
  );
  const desktop: Desktop = { ...raw, ...readsOf(raw), statesOf: answer };
  const states = await statesOf(members, desktop, {});
  await raw.close();
  const read = [1, 2].map((row) => ({ low: snapshot.statesLow(row), role: snapshot.role(row) }));
  return { states: states.map(({ statesLow, role }) => ({ low: statesLow, role })), read };
}

Deno.test("what is asked at once has the role that it was found with", async () => {
  const { states, read } = await asked(() =>
    Promise.resolve([{ statesLow: 5, statesHigh: 0 }, { statesLow: 6, statesHigh: 0 }])
  );
  assert.deepEqual(states, [{ low: 5, role: read[0]?.role }, { low: 6, role: read[1]?.role }]);
});

Deno.test("where one of them is gone, or does not answer, each is read by itself", async () => {
  const one = await asked(() => Promise.resolve([{ statesLow: 5, statesHigh: 0 }, undefined]));
  assert.deepEqual(one.states, one.read);
  const gone = await asked(() => Promise.reject(new BackstepError("stale", "Cannot read: it was removed")));
  assert.deepEqual(gone.states, gone.read);
  await assert.rejects(
    asked(() => Promise.reject(new BackstepError("app_gone", "Cannot read: it left"))),
    { code: "app_gone" },
  );
});
