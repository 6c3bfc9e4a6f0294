import assert from "node:assert/strict";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { SimulatedLauncher } from "../session/simulated-launcher.ts";
import { WRITES } from "./effect.ts";
import { type DispatchOptions, Gate, type GatePorts, OPEN_PORTS } from "./gate.ts";
import { defineOperation, type Operation } from "./operation.ts";

/** What happened, in order. */
type Happenings = string[];

function operation(happened: Happenings, act?: () => Promise<{ n: number }>): Operation {
  return defineOperation({
    name: "count",
    title: "Count",
    description: "Counts.",
    input: z.strictObject({ by: z.int() }),
    output: z.strictObject({ n: z.int() }),
    hints: WRITES,
    timeout: 1_000,
    resolve: (context) => {
      happened.push(`resolve in ${context.app ?? "any"}`);
      return Promise.resolve("target");
    },
    effect: (input) => input.by === 0 ? "read" : "irreversible",
    subject: (_input, target) => target,
    act: (_context, input) => {
      happened.push("act");
      return act?.() ?? Promise.resolve({ n: input.by });
    },
    inverse: (input) => ({ operation: "count", input: { by: -input.by } }),
  });
}

function ports(happened: Happenings, more: Partial<GatePorts> = {}): GatePorts {
  return {
    policy: [{ admit: (act) => void happened.push(`admit ${act.resolved.effect} ${act.resolved.subject}`) }],
    journal: {
      intent: () => Promise.resolve(void happened.push("intent")),
      outcome: (_act, outcome) =>
        Promise.resolve(void happened.push(`outcome ${outcome.ok ? "ok" : outcome.error.code}`)),
    },
    audit: {
      record: (_act, outcome) => void happened.push(`audit ${outcome.ok ? "ok" : outcome.error.code}`),
    },
    ...more,
  };
}

async function through(
  happened: Happenings,
  options: {
    readonly act?: () => Promise<{ n: number }>;
    readonly ports?: Partial<GatePorts>;
    readonly input?: unknown;
    readonly dispatch?: DispatchOptions;
    readonly name?: string;
  } = {},
): Promise<{ readonly answer?: unknown; readonly error?: BackstepError }> {
  const desktop = simulate();
  try {
    const gate = new Gate({
      operations: [operation(happened, options.act)],
      session: {
        kind: "simulated",
        label: "simulated",
        desktop,
        launcher: new SimulatedLauncher(desktop),
        home: undefined,
        id: undefined,
        close: () => desktop.close(),
      },
      folder: "/",
      ports: OPEN_PORTS,
    }).with(ports(happened, options.ports));
    const call = { operation: options.name ?? "count", input: options.input ?? { by: 2 } };
    const { output, inverse } = await gate.dispatch(call, options.dispatch ?? {});
    return { answer: { output, inverse } };
  } catch (thrown) {
    if (thrown instanceof BackstepError) return { error: thrown };
    throw thrown;
  } finally {
    await desktop.close();
  }
}

Deno.test("an act goes through resolve, policy, intent, action, outcome and audit, in this order", async () => {
  const happened: Happenings = [];
  const { answer } = await through(happened, { dispatch: { app: "editor" } });
  assert.deepEqual(happened, [
    "resolve in editor",
    "admit irreversible target",
    "intent",
    "act",
    "outcome ok",
    "audit ok",
  ]);
  assert.deepEqual(answer, { output: { n: 2 }, inverse: { operation: "count", input: { by: -2 } } });
});

Deno.test("an input that is not valid is refused before anything is looked at", async () => {
  const happened: Happenings = [];
  const { error } = await through(happened, { input: { by: "two", more: 1 } });
  assert.deepEqual([error?.code, happened], ["invalid", []]);
  assert.match(error?.message ?? "", /^Cannot count: /);
});

Deno.test("an operation that does not exist is refused with the nearest name", async () => {
  const { error } = await through([], { name: "cuont" });
  assert.deepEqual([error?.code, error?.hint], ["invalid", "Did you mean count?"]);
});

Deno.test("what the policy refuses is neither journalled nor done", async () => {
  const happened: Happenings = [];
  const refuse = () => {
    throw new BackstepError("policy", "Cannot count: it is not allowed");
  };
  const { error } = await through(happened, { ports: { policy: [{ admit: refuse }] } });
  assert.deepEqual([error?.code, happened], ["policy", ["resolve in any"]]);
});

Deno.test("without an intent there is no action", async () => {
  const happened: Happenings = [];
  const journal = {
    intent: () => Promise.reject(new BackstepError("io", "Cannot write")),
    outcome: () => Promise.resolve(),
  };
  const { error } = await through(happened, { ports: { journal } });
  assert.equal(error?.code, "io");
  assert.ok(!happened.includes("act"));
});

Deno.test("journal and audit hear of an action that fails, and the audit of one whose outcome cannot be written", async () => {
  const happened: Happenings = [];
  const act = () => Promise.reject(new BackstepError("refused", "Cannot count: no"));
  assert.equal((await through(happened, { act })).error?.code, "refused");
  assert.deepEqual(happened.slice(-2), ["outcome refused", "audit refused"]);
  const journal = {
    intent: () => Promise.resolve(),
    outcome: () => Promise.reject(new BackstepError("io", "Cannot write")),
  };
  const more: Happenings = [];
  assert.equal((await through(more, { ports: { journal } })).error?.code, "io");
  assert.equal(more.at(-1), "audit ok");
});

Deno.test("an answer that is not what the operation promised is an internal error", async () => {
  const { error } = await through([], { act: () => Promise.resolve({ n: 0.5 }) });
  assert.equal(error?.code, "internal");
});

Deno.test("what is cancelled or late before the action begins is known not to have been sent", async () => {
  const stop = new AbortController();
  const happened: Happenings = [];
  const wait = (code: () => void | Promise<void>) => ({
    intent: async () => await code(),
    outcome: () => Promise.resolve(),
  });
  const cancelled = await through(happened, {
    dispatch: { signal: stop.signal },
    ports: { journal: wait(() => stop.abort()) },
  });
  assert.deepEqual([cancelled.error?.code, cancelled.error?.details?.outcome], ["cancelled", "not_sent"]);
  const late = await through(happened, {
    dispatch: { timeout: 1 },
    ports: { journal: wait(() => new Promise((resolve) => setTimeout(resolve, 5))) },
  });
  assert.deepEqual([late.error?.code, late.error?.details?.outcome], ["timeout", "not_sent"]);
  assert.ok(!happened.includes("act"));
});

Deno.test("a claim is asked last, and what it refuses is not done, written down and audited", async () => {
  const happened: Happenings = [];
  const refusal = new BackstepError("claimed", "Cannot count: it was claimed", {
    details: { outcome: "unknown" },
  });
  const claim = { claim: () => (happened.push("claim"), Promise.resolve()) };
  await through(happened, { ports: { claim } });
  assert.deepEqual(happened.slice(-6), [
    "admit irreversible target",
    "intent",
    "claim",
    "act",
    "outcome ok",
    "audit ok",
  ]);
  happened.splice(0);
  const { error } = await through(happened, { ports: { claim: { claim: () => Promise.reject(refusal) } } });
  assert.equal(error, refusal);
  assert.ok(!happened.includes("act"));
  assert.deepEqual(happened.slice(-3), ["intent", "outcome claimed", "audit claimed"]);
});
