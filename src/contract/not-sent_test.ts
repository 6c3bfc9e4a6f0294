import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { BackstepError, type ErrorCode } from "../base/error.ts";
import { catalogue } from "../catalogue.ts";
import { instead } from "../desktop/_instead.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { SimulatedLauncher } from "../session/simulated-launcher.ts";
import type { ActOutcome } from "./gate.ts";
import { Gate, OPEN_PORTS } from "./gate.ts";

/** What is known of a click whose desktop fails with this error when the action makes this call. */
async function outcomeOf(call: "read" | "act", code: ErrorCode): Promise<ActOutcome | undefined> {
  const simulated = simulate({ applications: ["sim.settings"], clock: "virtual" });
  let begun = false, outcome: ActOutcome | undefined;
  const fails = () => Promise.reject(new BackstepError(code, "Cannot go on"));
  const desktop: Desktop = instead(simulated, {
    read: (...args) => begun && call === "read" ? fails() : simulated.read(...args),
    act: async (...args) => {
      const landed = await simulated.act(...args);
      return call === "act" ? await fails() : landed;
    },
  });
  try {
    const gate = new Gate({
      operations: catalogue,
      session: {
        kind: "simulated",
        label: "simulated",
        desktop,
        launcher: new SimulatedLauncher(simulated),
        home: undefined,
        id: undefined,
        close: () => Promise.resolve(),
      },
      folder: tmpdir(),
      ports: {
        ...OPEN_PORTS,
        journal: {
          intent: () => Promise.resolve(void (begun = true)),
          outcome: (_act, answer) => Promise.resolve(void (outcome = answer)),
        },
      },
    });
    await assert.rejects(gate.dispatch({ operation: "click", input: { target: "checkbox:nth(1)" } }), {
      code,
    });
    return outcome;
  } finally {
    await simulated.close();
  }
}

Deno.test("what was stopped before anything was sent is known not to have been", async () => {
  for (const code of ["cancelled", "timeout"] as const) {
    const before = await outcomeOf("read", code);
    assert.ok(before && !before.ok);
    assert.deepEqual([before.began, before.error.details?.outcome], [false, "not_sent"], code);
    const after = await outcomeOf("act", code);
    assert.ok(after && !after.ok);
    assert.notEqual(after.error.details?.outcome, "not_sent", code);
  }
});
