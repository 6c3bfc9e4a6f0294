import assert from "node:assert/strict";
import type { Json } from "../base/error.ts";
import { catalogue } from "../catalogue.ts";
import type { RunResult } from "../contract/events.ts";
import { at, settings, trial, type TrialOptions } from "../engine/run/_trial.ts";
import { fill } from "../engine/model/fill.ts";
import { parseWorkflow } from "./parse.ts";
import { answerOf, parseToolCalls, type ToolCall } from "./tool-calls.ts";

const APP = "sim.settings";
const set = (value: string) => ({ tool: "ax_set_value", args: { query: 'textfield[name="Name"]', value } });
const press = { tool: "ax_key_press", args: { key: "F5" } };
const missing = (more: Json = {}) => ({
  tool: "ax_assert",
  args: { query: 'button[name="Nowhere"]', assertions: { exists: true } },
  ...(typeof more === "object" && more !== null && !Array.isArray(more) ? more : {}),
});

interface Outcome {
  readonly result: RunResult;
  readonly name: Json;
  readonly reported: Json;
}

/** Runs calls on the settings form; answers the run, the name that the form shows then, and what the last call answered. */
async function calling(calls: readonly ToolCall[], options: TrialOptions = {}): Promise<Outcome> {
  const steps = calls.map(({ tool, args }) => `  - ${JSON.stringify({ tool, args: args ?? {} })}`).join("\n");
  return await trial(settings(steps, "on_failure: stop\ntimeout: 20s"), options, ({ result, after }) => ({
    result,
    name: at(after, APP, "name", "text"),
    reported: answerOf(calls.length, result) ?? null,
  }));
}

const field = (json: Json, key: string): Json =>
  typeof json === "object" && json !== null && !Array.isArray(json) && key in json
    ? (Object.entries(json).find(([k]) => k === key)?.[1] ?? null)
    : null;

const workflowOf = (steps: readonly Json[]) => ({
  tool: "ax_workflow",
  args: { name: "both", steps: [...steps] },
});

Deno.test("ax_workflow: its steps run one after another, and it answers what became of each", async () => {
  const { result, name, reported } = await calling([
    workflowOf([set("Grace"), { tool: "ax_get_value", args: { query: 'textfield[name="Name"]' } }]),
  ]);
  assert.equal(result.status, "passed", JSON.stringify(result.error));
  assert.equal(name, "Grace");
  assert.deepEqual([
    field(reported, "success"),
    field(reported, "steps_completed"),
    field(reported, "steps_total"),
    field(reported, "rolled_back"),
  ], [true, 2, 2, false]);
  assert.match(
    JSON.stringify(field(reported, "results")),
    /"tool":"ax_set_value","ok":true,"status":"passed".*"tool":"ax_get_value","ok":true,"status":"passed","output":.*Grace/,
  );
});

Deno.test("ax_workflow: a step that fails and says rollback has those before it rolled back", async () => {
  const { result, name, reported } = await calling([
    workflowOf([set("Grace"), missing({ on_fail: "rollback" }), set("never")]),
  ]);
  assert.deepEqual([result.status, result.exit, result.rollback.verdict], ["failed", 1, "restored"]);
  assert.equal(name, "Ada");
  assert.deepEqual([
    field(reported, "success"),
    field(reported, "steps_completed"),
    field(reported, "steps_total"),
    field(reported, "rolled_back"),
  ], [false, 1, 3, true]);
  assert.match(String(field(reported, "error")), /Nowhere/);
  assert.match(
    JSON.stringify(field(reported, "results")),
    /"tool":"ax_set_value","ok":false,"status":"not_reached"/,
  );
});

Deno.test("ax_workflow: abort, which is what a step says by default, leaves what was done", async () => {
  for (const said of [{}, { on_fail: "abort" }]) {
    const { result, name, reported } = await calling([
      workflowOf([set("Grace"), missing(said), set("never")]),
      set("after"),
    ]);
    assert.deepEqual([result.status, result.rollback.verdict], ["failed", "none"]);
    assert.equal(name, "Grace");
    assert.equal(reported, null, "the next call is not reached");
    const answer = answerOf(1, result) ?? null;
    assert.deepEqual([field(answer, "success"), field(answer, "rolled_back")], [false, false]);
  }
});

Deno.test("ax_workflow: skip goes on", async () => {
  const { result, name, reported } = await calling([
    workflowOf([missing({ on_fail: "skip" }), set("Grace")]),
  ]);
  assert.deepEqual([result.status, name, field(reported, "success"), field(reported, "steps_completed")], [
    "passed",
    "Grace",
    true,
    1,
  ]);
});

Deno.test("ax_workflow: an irreversible step counts as declared: the walk back passes it, names it, and is never restored", async () => {
  const { result, name, reported } = await calling([
    workflowOf([set("Grace"), press, missing({ on_fail: "rollback" })]),
  ]);
  assert.deepEqual([result.exit, result.rollback.verdict], [3, "drift"], JSON.stringify(result.rollback));
  assert.equal(name, "Ada", "what came before the key is rolled back");
  assert.deepEqual([field(reported, "rolled_back"), field(reported, "verdict")], [false, "drift"]);
  assert.deepEqual(field(reported, "not_rolled_back"), ["ax_key_press F5"]);
  assert.deepEqual(result.rollback.drift.map(({ participant }) => participant), ["press F5"]);
});

Deno.test("ax_workflow: on_fail of the whole goes before that of a step", async () => {
  const yaml = settings(
    `  - { tool: ax_set_value, args: { query: 'textfield[name="Name"]', value: Grace } }
  - tool: ax_workflow
    on_fail: rollback
    args: ${JSON.stringify(workflowOf([set("Hopper"), missing()]).args)}`,
  );
  await trial(yaml, {}, ({ result, after }) => {
    assert.deepEqual([result.status, result.rollback.verdict], ["failed", "restored"]);
    assert.equal(at(after, APP, "name", "text"), "Ada", "the file is rolled back");
  });
});

Deno.test("ax_undo: the last actions are rolled back, last first, across transactions", async () => {
  const { result, name, reported } = await calling([
    set("Grace"),
    workflowOf([set("Hopper")]),
    set("Ada L."),
    {
      tool: "ax_undo",
      args: { count: 2 },
    },
  ]);
  assert.equal(result.status, "passed", JSON.stringify(result.error));
  assert.equal(name, "Grace");
  assert.deepEqual(reported, {
    undone: 2,
    skipped: 0,
    actions: [{ tool: "ax_set_value", status: "undone" }, { tool: "ax_set_value", status: "undone" }],
  });
});

Deno.test("ax_undo: an irreversible action is skipped, and the verdict is never restored", async () => {
  const { result, name, reported } = await calling([set("Grace"), press, {
    tool: "ax_undo",
    args: { count: 2 },
  }]);
  assert.equal(result.status, "passed", JSON.stringify(result.error));
  assert.equal(name, "Ada");
  assert.deepEqual(reported, {
    undone: 1,
    skipped: 1,
    actions: [{ tool: "ax_key_press", status: "skipped_irreversible" }, {
      tool: "ax_set_value",
      status: "undone",
    }],
  });
  assert.equal(result.rollback.verdict, "drift");
});

Deno.test("ax_undo: without anything done there is nothing to undo, and nothing is undone twice", async () => {
  const undo = { tool: "ax_undo" };
  const { result, name, reported } = await calling([set("Grace"), undo, undo]);
  assert.deepEqual([result.status, name], ["passed", "Ada"]);
  assert.deepEqual([answerOf(2, result), reported], [
    { undone: 1, skipped: 0, actions: [{ tool: "ax_set_value", status: "undone" }] },
    { undone: 0, skipped: 0, actions: [] },
  ]);
});

Deno.test("ax_undo: what somebody else changed meanwhile is left alone, and the step fails", async () => {
  const { result, name } = await calling([set("Grace"), { tool: "ax_undo" }], {
    on: (event, desktop) => {
      if (event.event === "step-finished" && event.step.path === "1") {
        desktop.person(APP, "name", { text: "theirs" });
      }
    },
  });
  assert.deepEqual([result.status, result.exit, result.rollback.verdict], ["failed", 3, "drift"]);
  assert.equal(name, "theirs");
});

Deno.test("calls are parsed with what they hold as plain text, and refused with a place where they are wrong", () => {
  const options = { operations: catalogue };
  const workflow = parseToolCalls([set("{{vars.x}}"), { tool: "ax_undo" }], options);
  const nested = workflowOf([
    { tool: "ax_get_value", args: { query: "entry" } },
    { tool: "ax_type", args: { text: "{{step_1.value}} {{env.HOME}} {{{{step_1.value}} {{step_x}} {{{a" } },
  ]);
  const [whole] = parseToolCalls([nested], options).steps;
  const [, typed] = whole?.kind === "transaction" ? whole.steps : [];
  assert.equal(
    typed?.kind === "operation"
      ? JSON.stringify(fill(typed.input, {
        vars: {},
        steps: {},
        numbered: { 1: { value: "Grace" } },
        env: () => "never",
        secret: () => "never",
      }))
      : "",
    '{"text":"Grace {{env.HOME}} {{step_1.value}} {{step_x}} {{{a","background":true}',
  );
  assert.match(JSON.stringify(workflow.steps[0]), /\{\{vars\.x\}\}/);
  assert.doesNotMatch(JSON.stringify(workflow.steps[0]), /placeholder/);
  assert.throws(() => parseToolCalls([{ tool: "ax_workflow", args: {} }], options), /needs "steps"/);
  assert.throws(
    () => parseToolCalls([workflowOf([workflowOf([])])], options),
    /ax_workflow cannot hold another one/,
  );
  assert.throws(() => parseToolCalls([{ tool: "ax_undo", args: { count: 0 } }], options), /count/);
  assert.throws(() => parseToolCalls([{ tool: "ax_udno" }], options), /unknown tool/);
});

Deno.test("ax_undo is a step that undoes", () => {
  const source = settings("  - { tool: ax_undo, args: { count: 3 } }");
  const [step] = parseWorkflow(source, { file: "u.yaml", operations: catalogue }).steps;
  assert.deepEqual([step?.kind, step?.kind === "undo" ? step.count : 0], ["undo", 3]);
});
