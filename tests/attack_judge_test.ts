import assert from "node:assert/strict";
import type { RunEvent, RunResult, StepResult } from "../src/contract/events.ts";
import { Account, type Line } from "../scripts/attack/account.ts";
import { judge } from "../scripts/attack/judge.ts";
import { makePlan } from "../scripts/attack/make.ts";
import type { PlanStep, ToolkitName } from "../scripts/attack/plan.ts";
import type { Played } from "../scripts/attack/play.ts";
import { shrink } from "../scripts/attack/shrink.ts";

/** What a run told, as far as the judge asks: one step, and a rollback of the file where it failed. */
interface Story {
  readonly step: PlanStep;
  /** What the step's result says of it, beside that it passed. */
  readonly says?: Partial<StepResult>;
  /** The verdict of the rollback at 300 ms; absent: the run passed. */
  readonly verdict?: "restored" | "drift" | "failed";
  readonly enrolled?: string;
  /** How the rollback restored it. */
  readonly method?: string;
  readonly lines: readonly Line[];
  readonly exit?: number;
  readonly lastLine?: string;
  readonly toolkit?: ToolkitName;
}

/** A play in which the step ran from 100 to 200 ms, and the last read of "Alpha" was at 1,400 ms. */
function played(story: Story): Played {
  const { step, says = {}, verdict, enrolled = 'text of textfield "Alpha"', lines, lastLine = "end" } = story;
  const done: StepResult = {
    path: "1",
    name: "set",
    operation: "set",
    effect: "restorable",
    status: "passed",
    duration_ms: 100,
    output: { method: "EditableText.SetTextContents", verified: true },
    ...says,
  };
  const what = enrolled;
  const method = story.method ?? "EditableText.SetTextContents";
  const rollback: RunResult["rollback"] = {
    verdict: verdict ?? "none",
    steps: verdict ? [{ path: "1", verdict: "restored", what, method }] : [],
    drift: [],
    enrolled: verdict ? [{ kind: "text", label: enrolled, properties: ["text"], verdict: "restored" }] : [],
  };
  const status = verdict ? "failed" : "passed";
  const result: RunResult = {
    run: "run",
    workflow: "attack",
    desktop: { kind: "isolated", label: ":0" },
    status,
    exit: story.exit ?? (verdict === "drift" ? 3 : verdict === "failed" ? 4 : verdict ? 1 : 0),
    duration_ms: 1_500,
    steps: [done],
    rollback,
    unstable: [],
  };
  const tell = (at: number, event: RunEvent) => ({ at, event });
  const { desktop } = result;
  const reported = [
    tell(0, { event: "run-started", run: "run", workflow: "attack", file: "attack.yaml", desktop }),
    tell(100, { event: "step-started", path: "1", name: "set", operation: "set" }),
    tell(200, { event: "step-finished", step: done }),
    ...(verdict
      ? [
        tell(250, { event: "rollback-started", path: "" }),
        tell(300, { event: "rollback-step", step: { path: "1", verdict: "restored", what, method } }),
        tell(310, { event: "rollback-finished", path: "", rollback }),
      ]
      : []),
    tell(1_500, { event: "run-finished", result }),
  ];
  const account = new Account({ alpha: "a0", beta: "b0", wrap: true, count: "0" });
  for (const line of lines) account.add(line, 0);
  const calls = [
    { call: "act", from: 140, to: 145, about: "" },
    { call: "read", from: 160, to: 162, about: "Alpha" },
    { call: "read", from: 1_400, to: 1_402, about: "Alpha" },
  ];
  return {
    plan: { seed: 1, toolkit: story.toolkit ?? "gtk3", traits: [], steps: [step] },
    result,
    thrown: undefined,
    reported,
    calls,
    account,
    lastLine,
    milliseconds: 1_500,
    lag: 0,
  };
}

const ALPHA: PlanStep = { set: { target: 'textfield[name="Alpha"]', value: "v1" } };
const change = (t: number, before: string, after: string, by = "outside", key = "alpha"): Line => ({
  t,
  key,
  before,
  after,
  by,
});
const there = change(150, "a0", "v1");
const back = change(290, "v1", "a0");
const laws = (story: Story) => judge(played(story)).map(({ law }) => law);

Deno.test("a field that is back, and stays, is restored; one that changes again within the second is not", () => {
  assert.deepEqual(laws({ step: ALPHA, verdict: "restored", lines: [there, back] }), []);
  const again = change(900, "a0", "v1", "revert");
  assert.deepEqual(laws({ step: ALPHA, verdict: "restored", lines: [there, back, again] }), ["restored"]);
  assert.deepEqual(laws({ step: ALPHA, verdict: "drift", lines: [there, back, again] }), []);
});

Deno.test("a run that ends before the second is over promises no less", () => {
  const again = change(900, "a0", "v1", "revert");
  const hasty = played({ step: ALPHA, verdict: "restored", lines: [there, back, again] });
  const calls = hasty.calls.filter(({ from }) => from < 1_000);
  const reported = hasty.reported.map((one) =>
    one.event.event === "run-finished" ? { ...one, at: 400 } : one
  );
  assert.deepEqual(judge({ ...hasty, calls, reported }).map(({ law }) => law), ["restored"]);
});

Deno.test("what lands before the first action is of a step before the savepoint; what lands after it is not", () => {
  const beta = (t: number) => change(t, "b0", "b1", "outside", "beta");
  assert.deepEqual(laws({ step: ALPHA, verdict: "restored", lines: [beta(120), there, back] }), []);
  assert.deepEqual(laws({ step: ALPHA, verdict: "restored", lines: [there, beta(155), back] }), ["restored"]);
});

Deno.test("where a rollback went further back than the transaction it stands in, what came after it is judged", () => {
  const further = (lines: readonly Line[]): string[] => {
    const play = played({ step: ALPHA, verdict: "restored", lines: [there, back, ...lines] });
    const tell = (at: number, event: RunEvent) => ({ at, event });
    const none: RunResult["rollback"] = { verdict: "none", steps: [], drift: [], enrolled: [] };
    const reported = play.reported.flatMap((one) => {
      const { event, at } = one;
      if (event.event === "step-started") {
        return [tell(90, { event: "savepoint", path: "", name: "s1" }), one];
      }
      if (event.event === "rollback-started") {
        return [
          tell(210, { event: "transaction-started", path: "2", name: "transaction" }),
          tell(at, { ...event, path: "2.1", savepoint: "s1" }),
        ];
      }
      if (event.event !== "rollback-finished") return [one];
      return [
        tell(at, { ...event, path: "2.1" }),
        tell(390, { event: "rollback-started", path: "2" }),
        tell(400, { event: "rollback-finished", path: "2", rollback: none }),
      ];
    });
    const calls = [...play.calls, { call: "act", from: 285, to: 288, about: "" }];
    return judge({ ...play, reported, calls }).map(({ law }) => law);
  };
  assert.deepEqual(further([]), []);
  const since = [change(350, "a0", "v2")];
  assert.ok(further(since).includes("restored"));
});

Deno.test("what was never restored, and what died, is not restored", () => {
  assert.deepEqual(laws({ step: ALPHA, verdict: "restored", lines: [there] }), ["restored"]);
  const died: Line = { t: 400, running: false };
  assert.ok(laws({ step: ALPHA, verdict: "restored", lines: [there, back, died] }).includes("restored"));
});

Deno.test("what changes after the last read of all is not judged", () => {
  const late = change(1_450, "a0", "v1", "revert");
  assert.deepEqual(laws({ step: ALPHA, verdict: "restored", lines: [there, back, late] }), []);
});

Deno.test("what has come right by the time that it is said is true, however late that is", () => {
  const lines = [there, back, change(291, "a0", "v1", "late"), change(1_200, "v1", "a0", "late")];
  const slow = played({ step: ALPHA, verdict: "restored", lines });
  // It was read last by looks at the whole tree, which are not distinguished.
  const calls = [
    ...slow.calls.filter(({ from }) => from < 1_000),
    { call: "read", from: 300, to: 302, about: "Alpha" },
  ];
  const said = (at: number) =>
    judge({
      ...slow,
      calls,
      reported: slow.reported.map((one) =>
        one.event.event === "rollback-finished"
          ? { ...one, at }
          : one.event.event === "run-finished"
          ? { ...one, at: 3_000 }
          : one
      ),
    }).map(({ law }) => law);
  assert.deepEqual(said(2_000), []);
  assert.deepEqual(said(1_150), ["restored"]);
});

Deno.test("a field that the application calls otherwise is named by that name", () => {
  const lost = played({ step: ALPHA, verdict: "restored", lines: [there] });
  const of = (name: string) => {
    const beside = [{ participant: 'textfield "Gamma"', property: "text", expected: "a0", actual: "v1" }];
    const reported = lost.reported.map((one) =>
      one.event.event === "rollback-finished"
        ? { ...one, event: { ...one.event, rollback: { ...one.event.rollback, beside } } }
        : one
    );
    const plan = { ...lost.plan, traits: [{ trait: "lie" as const, key: "alpha" as const, name }] };
    return judge({ ...lost, plan, reported }).map(({ law }) => law);
  };
  assert.deepEqual(of("Gamma"), []);
  assert.deepEqual(of("Delta"), ["restored"]);
});

Deno.test("a step that says it was read back was: the application held it", () => {
  assert.deepEqual(laws({ step: ALPHA, lines: [there] }), []);
  assert.ok(laws({ step: ALPHA, lines: [] }).includes("held"));
  const upper = change(150.1, "v1", "V1", "normalise");
  assert.ok(laws({ step: ALPHA, lines: [there, upper] }).includes("held"));
});

Deno.test("a run that passes names what changed afterwards", () => {
  assert.deepEqual(laws({ step: ALPHA, lines: [there, change(600, "v1", "a0", "revert")] }), ["changed"]);
});

Deno.test("a handler that fired was asked for, or the verdict is false", () => {
  const fires = (event: string, of: string): Line => ({ t: 170, event, of });
  const click: PlanStep = { click: 'textfield[name="Alpha"]' };
  const says = { name: 'click textfield "Alpha" of attack', output: { verified: false } };
  const story = { step: click, says, verdict: "restored" } as const;
  assert.deepEqual(laws({ ...story, lines: [fires("activate", "alpha")] }), ["fired"]);
  assert.deepEqual(laws({ ...story, lines: [fires("clicked", "send")] }), ["fired"]);
  assert.deepEqual(laws({ ...story, lines: [] }), []);
  const undone = {
    ...story,
    step: ALPHA,
    lines: [there, back, { t: 280, event: "accelerator", of: "ctrl+z" }],
  };
  assert.ok(laws(undone).includes("fired"));
  assert.ok(!laws({ ...undone, method: "Ctrl+Z ×1" }).includes("fired"));
  const button: PlanStep = { click: 'button[name="Send"]' };
  assert.deepEqual(laws({ step: button, lines: [fires("clicked", "send")], says: { output: {} } }), []);
});

Deno.test("a button that was clicked, and a row, the application saw", () => {
  const says = { output: { verified: false } };
  assert.deepEqual(laws({ step: { click: 'button[name="Plus"]' }, says, lines: [] }), ["unseen"]);
  assert.deepEqual(laws({ step: { click: 'listitem[name="two"]' }, says, lines: [] }), ["unseen"]);
  const acted: Line = { t: 170, event: "row-activated", of: "two" };
  assert.deepEqual(laws({ step: { click: 'listitem[name="two"]' }, says, lines: [acted] }), []);
});

Deno.test("an exit code that does not fit, a journal left open and a wrong account are noticed", () => {
  assert.deepEqual(laws({ step: ALPHA, verdict: "drift", exit: 1, lines: [there, back] }), ["exit"]);
  assert.deepEqual(laws({ step: ALPHA, lines: [there], lastLine: "action-end" }), ["journal"]);
  assert.ok(laws({ step: ALPHA, lines: [there, { t: 1_600, state: { alpha: "a0" } }] }).includes("account"));
});

Deno.test("the same seed is the same plan, and a plan shrinks to what fails", async () => {
  assert.deepEqual(makePlan(7), makePlan(7));
  const plan = Array.from({ length: 400 }, (_, seed) => makePlan(seed)).find(({ traits, steps }) =>
    traits.length === 3 && steps.length >= 3 && JSON.stringify(steps).includes("Alpha")
  );
  assert.ok(plan);
  const fails = (one: typeof plan) => Promise.resolve(JSON.stringify(one.steps).includes("Alpha"));
  const smallest = await shrink(plan, fails);
  assert.deepEqual(smallest.traits, []);
  assert.equal(smallest.steps.length, 1);
});
