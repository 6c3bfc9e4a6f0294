import assert from "node:assert/strict";
import { at, settings, trial } from "./_trial.ts";
import { QUIET, usualPolicy } from "./interference.ts";
import { readJournal } from "../journal/journal.ts";

const NAME = `textfield[name="Name"]`;
const TWO = `  - set: { target: '${NAME}', value: Grace }
  - set: { target: spinbutton, value: 7 }`;
/** A person presses two keys right after the first text was set. */
const KEYS = {
  fault: "touch",
  input: { keys: 2 },
  after: true,
  when: { call: "act", action: "setText" },
} as const;
const seen = { keys: 2, buttons: 0, wheel: 0, motions: 0 };

const interferences = (folder: string) =>
  readJournal(folder).flatMap((record) => {
    if (record.kind !== "interference") return [];
    const { path, when, policy, keys } = record;
    return [{ path, when, policy, keys }];
  });

Deno.test("a desktop that is shared waits, a private one notes, and in the background nobody watches", () => {
  assert.equal(usualPolicy({ kind: "attached", mode: "focus" }), "pause");
  assert.equal(usualPolicy({ kind: "isolated", mode: "focus" }), "ignore");
  assert.equal(usualPolicy({ kind: "simulated", mode: "focus" }), "ignore");
  assert.equal(usualPolicy({ kind: "attached", mode: "background" }), undefined);
});

Deno.test("ignore: what a person does during an action is told in its result, in the run's and in the journal", async () => {
  await trial(settings(TWO), { faults: [KEYS] }, ({ result, folder }) => {
    assert.deepEqual([result.status, result.exit], ["passed", 0]);
    assert.deepEqual(result.steps.map((step) => step.interference), [seen, undefined]);
    assert.deepEqual(result.interference, { policy: "ignore", ...seen, paused_ms: 0 });
    assert.deepEqual(interferences(folder), [{ path: "1", when: "during", policy: "ignore", keys: 2 }]);
  });
});

Deno.test("a run that nobody disturbs says nothing of it", async () => {
  for (const onInterference of ["ignore", "pause", "abort"] as const) {
    await trial(settings(TWO), { onInterference }, ({ result, folder }) => {
      assert.deepEqual([result.status, result.interference], ["passed", undefined]);
      assert.deepEqual(interferences(folder), []);
    });
  }
});

Deno.test("pause: the next action waits until the person has been quiet for two seconds", async () => {
  const head = "on_interference: pause";
  let touched = -1;
  await trial(settings(TWO, head), {
    faults: [{ ...KEYS, ms: 5_000 }],
    prepare(desktop) {
      const { watchInput } = desktop;
      desktop.watchInput = async (call) => {
        const watch = await watchInput?.call(desktop, call);
        assert.ok(watch);
        const { quiet } = watch;
        watch.quiet = async (milliseconds, within) => {
          touched = milliseconds;
          // Nothing has been done yet when it begins to wait.
          assert.equal(at(desktop.world(), "sim.settings", "copies", "value"), 1);
          return await quiet(milliseconds, within);
        };
        return watch;
      };
    },
  }, ({ result, events, after }) => {
    assert.deepEqual([result.status, result.exit, touched], ["passed", 0, QUIET]);
    assert.equal(result.interference?.policy, "pause");
    assert.equal(at(after, "sim.settings", "copies", "value"), 7);
    const notes = events.flatMap((event) => event.event === "note" ? [event.message] : []);
    assert.deepEqual(notes, ["Step 2 waits until nobody uses the desktop for 2 s: 2 keys"]);
  });
});

Deno.test("pause: a person who never rests ends the run at the flow's deadline, and it is rolled back", async () => {
  const yaml = settings(TWO, "timeout: 30s");
  await trial(
    yaml,
    { onInterference: "pause", faults: [{ ...KEYS, ms: 3_600_000 }] },
    ({ result, after }) => {
      assert.deepEqual([result.status, result.exit, result.error?.code], ["failed", 1, "interference"]);
      assert.match(result.error?.message ?? "", /time was over/);
      assert.equal(result.rollback.verdict, "restored");
      assert.equal(at(after, "sim.settings", "name", "text"), "Ada");
    },
  );
});

Deno.test("pause: an interrupt while it waits stops at once", async () => {
  const stop = new AbortController();
  await trial(settings(TWO), {
    onInterference: "pause",
    clock: "real",
    signal: stop.signal,
    faults: [{ ...KEYS, ms: 3_600_000 }],
    on(event) {
      if (event.event === "note") setTimeout(() => stop.abort(), 5);
    },
  }, ({ result }) => assert.deepEqual([result.status, result.exit], ["cancelled", 130]));
});

Deno.test("abort: the run ends, everything goes back, and nothing forgives it", async () => {
  const optional = `  - { set: { target: '${NAME}', value: Grace }, optional: true, retry: 3 }
  - set: { target: spinbutton, value: 7 }`;
  for (
    const yaml of [
      settings(TWO),
      settings(optional),
      settings(
        `  - { optional: true, retry: 2, transaction: [ { set: { target: '${NAME}', value: Grace } } ] }`,
      ),
    ]
  ) {
    await trial(yaml, { onInterference: "abort", faults: [KEYS] }, ({ result, before, after }) => {
      assert.deepEqual([result.status, result.exit, result.error?.code], ["failed", 1, "interference"]);
      assert.deepEqual(result.error?.details?.input, seen);
      assert.equal(result.rollback.verdict, "restored");
      for (const [widget, property] of [["name", "text"], ["copies", "value"]] as const) {
        assert.deepEqual(
          at(after, "sim.settings", widget, property),
          at(before, "sim.settings", widget, property),
        );
      }
    });
  }
});

Deno.test("abort: input between two actions ends the run before the second one is sent", async () => {
  await trial(settings(TWO), {
    onInterference: "abort",
    on(event, desktop) {
      if (event.event === "step-finished" && event.step.path === "1") desktop.touch({ motions: 1 });
    },
  }, ({ result, desktop }) => {
    const [, second] = result.steps;
    assert.deepEqual([second?.status, second?.error?.code], ["failed", "interference"]);
    assert.equal(second?.error?.details?.outcome, "not_sent");
    assert.equal(desktop.log.changes().some((change) => change.element === "copies"), false);
  });
});

Deno.test("abort: with on_failure: continue no further step is tried", async () => {
  const yaml = settings(TWO, "on_failure: continue");
  await trial(yaml, { onInterference: "abort", faults: [KEYS] }, ({ result }) => {
    assert.deepEqual(result.steps.map((step) => step.path), ["1"]);
    assert.equal(result.error?.code, "interference");
  });
});

Deno.test("input in the last moment, while the step looks for its element, holds the action back too", async () => {
  const reading = { fault: "touch", input: { buttons: 1 }, when: { call: ["read", "snapshot"] } } as const;
  await trial(settings(TWO), { onInterference: "abort", faults: [reading] }, ({ result, desktop }) => {
    assert.equal(result.error?.code, "interference");
    assert.equal(desktop.log.changes().some((change) => change.element === "name"), false);
  });
  await trial(settings(TWO), { onInterference: "pause", faults: [reading] }, ({ result, after }) => {
    assert.equal(result.status, "passed");
    assert.equal(at(after, "sim.settings", "name", "text"), "Grace");
  });
});

Deno.test("after: and the rollback are not held up by a person", async () => {
  const yaml = settings(TWO, `after: [ { set: { target: slider, value: 70 } } ]`);
  await trial(yaml, {
    onInterference: "abort",
    faults: [{ ...KEYS, ms: 3_600_000 }],
    on(event, desktop) {
      if (event.event === "rollback-started") desktop.touch({ keys: 1 });
    },
  }, ({ result, after }) => {
    assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
    assert.equal(at(after, "sim.settings", "volume", "value"), 70);
  });
});

Deno.test("steps that only look go on, whoever types", async () => {
  await trial(settings(`  - assert: { target: '${NAME}', text: Ada }`), {
    onInterference: "abort",
    prepare(desktop) {
      const { watchInput } = desktop;
      desktop.watchInput = async (call) => {
        const watch = await watchInput?.call(desktop, call);
        assert.ok(watch);
        desktop.touch({ keys: 1 });
        return watch;
      };
    },
  }, ({ result }) => assert.equal(result.status, "passed"));
});

Deno.test("a policy that the desktop cannot keep is refused, not forgotten", async () => {
  const blind = { prepare: (desktop: { watchInput?: unknown }) => void (desktop.watchInput = undefined) };
  await assert.rejects(
    trial(settings(TWO), { onInterference: "pause", ...blind }, () => {}),
    (error: { code?: string }) => error.code === "unsupported",
  );
  await trial(settings(TWO), blind, ({ result }) => assert.equal(result.status, "passed"));
});
