import assert from "node:assert/strict";
import { z } from "zod";
import type { Fault } from "../desktop/simulated/faults.ts";
import { fixture } from "./_context.ts";

const Did = z.looseObject({ method: z.string(), verified: z.boolean() });

/** The settings application, used in the background. */
const background = (...faults: Fault[]) => fixture(["sim.settings"], { mode: "background", faults });
/** Everything that takes the keyboard, the pointer or the place in front. */
const INPUT = /^(?:typeText|pressKeys|pointer|window)$/;

const NAME = '[name="Name"]';

Deno.test("in the background what accessibility does is done", async () => {
  await using desk = background();
  const actions: [string, unknown, string][] = [
    ["set", { target: NAME, value: "Grace" }, "EditableText.SetTextContents"],
    ["click", { target: 'checkbox[name="Play sounds"]' }, "Action.DoAction(click)"],
    ["type", { into: NAME, text: " Hopper" }, "EditableText.InsertText"],
  ];
  for (const [operation, input, method] of actions) {
    assert.equal(Did.parse(await desk.run(operation, input)).method, method, operation);
  }
  assert.deepEqual(desk.desktop.log.entries.filter(({ did }) => INPUT.test(did)), []);
});

Deno.test("what only synthetic input does is refused before anything is done, and the way out is named", async () => {
  await using desk = background();
  const actions: [string, unknown][] = [
    ["press", { keys: "ctrl+s" }],
    ["press", { keys: "Return", into: NAME }],
    ["click", { target: NAME, count: 2 }],
    ["click", { target: NAME, button: "right" }],
    ["type", { into: NAME, text: "Ada\n" }],
    ["focus", { target: '[name="E-mail"]' }],
    ["hover", { target: NAME }],
  ];
  for (const [operation, input] of actions) {
    const error = await desk.fail(operation, input);
    assert.equal(error.code, "needs_focus", `${operation}: ${error.message}`);
    assert.match(error.hint ?? "", /mode: focus/);
  }
  assert.deepEqual(desk.desktop.log.entries.filter(({ did }) => INPUT.test(did) || did === "act"), []);
});

Deno.test("a look finds out too, so that a plan tells it", async () => {
  await using desk = background();
  await assert.rejects(desk.gate.look({ operation: "press", input: { keys: "F5" } }), {
    code: "needs_focus",
  });
  await desk.gate.look({ operation: "click", input: { target: 'button[name="Reset"]' } });
});

Deno.test("an action without effect does not fall back on keys, and both are told", async () => {
  await using desk = background({ fault: "no_effect", when: { action: "setText" } });
  const error = await desk.fail("set", { target: NAME, value: "Grace" });
  assert.equal(error.code, "needs_focus");
  assert.match(
    error.message,
    /tried EditableText\.SetTextContents \(no_effect\), simulated keys \(needs_focus\)/,
  );
  assert.match(error.hint ?? "", /mode: focus/);
});

Deno.test("the same actions in focus mode use the keyboard, and the method says so", async () => {
  await using desk = fixture(["sim.settings"], {
    faults: [{ fault: "no_effect", when: { action: "setText" } }],
  });
  assert.equal(
    Did.parse(await desk.run("set", { target: NAME, value: "Grace" })).method,
    "simulated keys",
  );
  assert.equal(Did.parse(await desk.run("press", { keys: "ctrl+a" })).method, "simulated keys");
});
