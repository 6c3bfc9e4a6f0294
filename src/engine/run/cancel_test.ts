import assert from "node:assert/strict";
import { at, dig, settings, trial, verdicts } from "./_trial.ts";
import { isOpenJournal } from "../journal/journal.ts";

const NAME = `textfield[name="Name"]`;
const STEPS = `  - set: { target: '${NAME}', value: Grace }
  - wait: { target: 'button[name="Nowhere"]', timeout: 60s }
  - set: { target: spinbutton, value: 7 }`;

Deno.test("the first interrupt stops at once, undoes, runs after: and exits with 130", async () => {
  const stop = new AbortController();
  const started = performance.now();
  await trial(
    settings(STEPS, `after: [ { set: { target: slider, value: 70 } } ]`),
    {
      clock: "real",
      signal: stop.signal,
      on(event) {
        if (event.event === "step-started" && event.path === "2") setTimeout(() => stop.abort(), 20);
      },
    },
    ({ result, after, folder }) => {
      assert.deepEqual([result.status, result.exit, result.error?.code], ["cancelled", 130, "cancelled"]);
      assert.deepEqual([result.rollback.verdict, verdicts(result)], ["restored", ["restored"]]);
      assert.deepEqual(
        [at(after, "sim.settings", "name", "text"), at(after, "sim.settings", "volume", "value")],
        ["Ada", 70],
      );
      assert.equal(at(after, "sim.settings", "copies", "value"), 1);
      assert.equal(isOpenJournal(folder), false);
    },
  );
  assert.ok(performance.now() - started < 10_000);
});

Deno.test("an interrupt is not forgiven by optional:, skip or continue, and not retried", async () => {
  for (
    const yaml of [
      settings(`  - { wait: 'button[name="Nowhere"]', optional: true, retry: 3 }\n${STEPS}`),
      settings(
        `  - { optional: true, transaction: [ { wait: 'button[name="Nowhere"]' } ], retry: 3 }\n${STEPS}`,
      ),
      settings(`  - wait: 'button[name="Nowhere"]'\n${STEPS}`, "on_failure: continue"),
    ]
  ) {
    const stop = new AbortController();
    await trial(yaml, {
      clock: "real",
      signal: stop.signal,
      on(event) {
        if (event.event === "step-started") setTimeout(() => stop.abort(), 10);
      },
    }, ({ result, before, after }) => {
      assert.deepEqual([result.status, result.exit], ["cancelled", 130]);
      assert.deepEqual(dig(after, ["applications"]), dig(before, ["applications"]));
    });
  }
});

Deno.test("an interrupt before a barrier's action begins leaves no doubt", async () => {
  const stop = new AbortController();
  await trial(
    settings(`  - set: { target: '${NAME}', value: Grace }\n  - click: 'button[name="Apply"]'`),
    {
      signal: stop.signal,
      prepare(desktop) {
        const { read } = desktop;
        // While the engine captures for the second step.
        desktop.read = (element, call) => {
          if (
            desktop.log.entries.some((e) => e.element === "name" && e.did === "act" && e.changes.length > 0)
          ) {
            stop.abort();
          }
          return read.call(desktop, element, call);
        };
      },
    },
    ({ result, before, after }) => {
      assert.deepEqual([result.status, result.exit], ["cancelled", 130]);
      assert.deepEqual(after, before);
    },
  );
});

Deno.test("the second interrupt stops the rollback too and leaves the journal open", async () => {
  const [stop, hardStop] = [new AbortController(), new AbortController()];
  await trial(
    settings(`  - set: { target: spinbutton, value: 7 }\n${STEPS}`),
    {
      clock: "real",
      signal: stop.signal,
      hardStop: hardStop.signal,
      on(event) {
        if (event.event === "step-started" && event.path === "3") setTimeout(() => stop.abort(), 10);
        if (event.event === "rollback-step") hardStop.abort();
      },
    },
    ({ result, after, folder }) => {
      assert.equal(at(after, "sim.settings", "name", "text"), "Ada");
      assert.equal(at(after, "sim.settings", "copies", "value"), 7);
      assert.deepEqual([result.status, result.exit], ["cancelled", 4]);
      assert.equal(isOpenJournal(folder), true);
    },
  );
});

Deno.test("an interrupt in the quiet window of the last look ends the run in order", async () => {
  const hardStop = new AbortController();
  await trial(
    settings(
      `  - set: { target: '${NAME}', value: Grace }\n  - assert: { target: 'link[name="x"]', timeout: 0 }`,
    ),
    {
      clock: "real",
      hardStop: hardStop.signal,
      on(event) {
        if (event.event === "rollback-step") setTimeout(() => hardStop.abort(), 20);
      },
    },
    ({ result, folder }) => {
      assert.deepEqual([result.exit, result.rollback.verdict], [4, "failed"]);
      assert.equal(isOpenJournal(folder), true);
    },
  );
});

Deno.test("a step, a transaction and a flow each end at their time", async () => {
  const wait = `wait: { target: 'button[name="Nowhere"]', timeout: 60s }`;
  for (
    const [steps, head] of [
      [`  - { ${wait}, timeout: 100ms }`, ""],
      [`  - { transaction: [ { ${wait} } ], timeout: 100ms }`, ""],
      [
        `  - { repeat: { times: 1000, steps: [ { ${wait}, optional: true } ] }, timeout: 100ms }\n  - ${wait}`,
        "timeout: 300ms",
      ],
      [`  - ${wait}`, "timeout: 100ms"],
      [
        `  - if: { exists: 'button[name="Nowhere"]', within: 60s }\n    then: []\n  - ${wait}`,
        "timeout: 200ms",
      ],
      [
        `  - { tool: ax_get_value, args: { query: spinbutton }, wait_after_ms: 60000 }\n  - ${wait}`,
        "timeout: 200ms",
      ],
    ] as const
  ) {
    const started = performance.now();
    await trial(settings(steps, head), { clock: "real" }, ({ result }) => {
      assert.deepEqual([result.status, result.exit], ["failed", 1], steps);
    });
    assert.ok(performance.now() - started < 5_000, steps);
  }
});

Deno.test("a listener that throws does not end the run; its error comes when the desktop is in order", async () => {
  let world: unknown;
  await assert.rejects(
    trial(
      settings(
        `  - set: { target: '${NAME}', value: Grace }\n  - assert: { target: 'link[name="x"]', timeout: 0 }`,
      ),
      {
        on(event, desktop) {
          world ??= desktop.world();
          if (event.event === "step-finished") {
            desktop.close = ((close) => () => {
              assert.deepEqual(desktop.world(), world);
              return close.call(desktop);
            })(desktop.close);
            throw new Error("EPIPE");
          }
        },
      },
      () => assert.fail("it answered"),
    ),
    /EPIPE/,
  );
});

Deno.test("an interrupt in the middle of a chord or a drag lets it end, and keys and buttons are let go before the rollback", async () => {
  const stop = new AbortController();
  const calls: string[] = [];
  await trial(
    settings(`  - set: { target: '${NAME}', value: Grace }
  - press: ctrl+a
    irreversible: true
  - set: { target: spinbutton, value: 7 }`),
    {
      signal: stop.signal,
      prepare(desktop) {
        const { pressKeys, releaseInput } = desktop;
        desktop.pressKeys = async (keys, call) => {
          stop.abort();
          await Promise.resolve();
          calls.push(call?.signal?.aborted ? "cut off" : "pressed");
          return await pressKeys.call(desktop, keys, call);
        };
        desktop.releaseInput = (call) => {
          calls.push("released");
          return releaseInput.call(desktop, call);
        };
      },
      on: (event) => {
        if (event.event === "rollback-started") calls.push("back");
      },
    },
    ({ result, after }) => {
      assert.equal(calls[0], "pressed");
      assert.ok(calls.includes("released"), calls.join());
      assert.deepEqual([result.status, result.steps[2]?.status ?? "never"], ["cancelled", "failed"]);
      assert.equal(at(after, "sim.settings", "copies", "value"), 1);
    },
  );
});

Deno.test("keys that cannot be let go are said, and the rollback goes on", async () => {
  await trial(
    settings(
      `  - set: { target: '${NAME}', value: Grace }\n  - wait: { target: 'link[name="x"]', timeout: 0 }`,
    ),
    { faults: [{ fault: "fail", code: "no_desktop", when: { call: "releaseInput", times: "always" } }] },
    ({ result, events }) => {
      assert.equal(result.rollback.verdict, "restored");
      assert.ok(events.some((e) => e.event === "note" && /Keys may still be held/.test(e.message)));
    },
  );
});

Deno.test("budgets are separate: what looking spends is not taken from the action, nor from the rollback", async () => {
  const started = performance.now();
  await trial(
    settings(`  - set: { target: '${NAME}', value: Grace }\n  - set: { target: spinbutton, value: 7 }`),
    {
      clock: "real",
      budgets: { resolve: 300, act: 200, settle: 200, rollback: 5_000 },
      faults: [{ fault: "hang", ms: 1_000, when: { call: "act", element: "copies" } }],
    },
    ({ result, before, after }) => {
      assert.deepEqual([result.error?.code, result.exit], ["timeout", 1], JSON.stringify(result.error));
      assert.equal(
        result.rollback.verdict,
        "restored",
        "its budget is its own: it waits until the application is back",
      );
      assert.deepEqual(after, before);
    },
  );
  assert.ok(performance.now() - started < 8_000);
});
