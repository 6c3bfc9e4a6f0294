import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { catalogue } from "../../catalogue.ts";
import { Gate, OPEN_PORTS } from "../../contract/gate.ts";
import type { Fault } from "../../desktop/simulated/faults.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import { SimulatedLauncher } from "../../session/simulated-launcher.ts";
import { elementOperations, possibleOn } from "./possible.ts";

/** What can be done to an element of the settings form, by operation; and what it looks like afterwards. */
async function possible(reference: string, faults: readonly Fault[] = []) {
  const desktop = simulate({ applications: ["sim.settings"], clock: "virtual", faults });
  try {
    const gate = new Gate({
      operations: catalogue,
      session: {
        kind: "simulated",
        label: "simulated",
        desktop,
        launcher: new SimulatedLauncher(desktop),
        home: undefined,
        id: undefined,
        close: () => Promise.resolve(),
      },
      folder: tmpdir(),
      ports: OPEN_PORTS,
    });
    const before = JSON.stringify(desktop.world());
    const all = await possibleOn(
      gate,
      elementOperations(catalogue.values()),
      { reference, app: "sim.settings", value: null },
      new AbortController().signal,
    );
    assert.equal(JSON.stringify(desktop.world()), before, "it only looks");
    return new Map(all.map((one) => [one.operation, one]));
  } finally {
    await desktop.close();
  }
}

const NAME = 'textfield[name="Name"]';

Deno.test("what can be done to an element is told with what undoing it would need, and what cannot with the reason", async () => {
  const set = (await possible(NAME)).get("set");
  assert.deepEqual([set?.effect, set?.restores[0]], ["restorable", 'text of textfield "Name"']);
  const apply = (await possible('button[name="Apply"]')).get("click");
  assert.deepEqual([apply?.effect, apply?.code], [undefined, "not_actionable"]);
  assert.match(apply?.why ?? "", /"Apply" is disabled/);
});

Deno.test("an application that takes more than a moment to answer is asked once more", async () => {
  const slow: Fault = { fault: "slow", ms: 1_500, when: { call: ["snapshot", "read"], times: "always" } };
  assert.deepEqual(await possible(NAME, [slow]), await possible(NAME));
});
