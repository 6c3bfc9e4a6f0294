import assert from "node:assert/strict";
import { z } from "zod";
import { catalogue } from "../catalogue.ts";
import type { Act } from "../contract/gate.ts";
import { fixture } from "./_context.ts";

async function judged(applications: string[], operation: string, input: unknown): Promise<Act> {
  await using desk = fixture(applications);
  return await desk.gate.look({ operation, input });
}

Deno.test("operations have unique names, and verbs and commands of their own", () => {
  for (
    const words of [
      catalogue.map((o) => o.name),
      // What explores is for models and people, not for files.
      ["explore", ...catalogue.flatMap((o) => o.views.yaml?.verb ?? [])],
      // `backstep audit` is a command of its own, with more than the operation; a single command has nothing to pause.
      ["audit", "pause", ...catalogue.flatMap((o) => o.views.cli?.command ?? [])],
    ]
  ) {
    assert.equal(words.length, catalogue.length);
    assert.equal(new Set(words).size, words.length);
  }
});

Deno.test("every operation gives a JSON Schema, and its command line fills properties that exist", () => {
  for (const operation of catalogue) {
    const schema = operation.inputSchema.toJSONSchema({ io: "input", unrepresentable: "any" });
    assert.equal(schema["additionalProperties"], false, operation.name);
    const properties = Object.keys(schema["properties"] ?? {});
    const { positionals = [], options = [] } = operation.views.cli ?? {};
    for (const { property } of [...positionals, ...options]) {
      assert.ok(properties.includes(property), `${operation.name}: ${property}`);
    }
    operation.outputSchema.toJSONSchema({ io: "output", unrepresentable: "any" });
  }
});

Deno.test("what only looks is judged read, and says so in its hints", () => {
  const looks = catalogue.filter((o) => o.hints.readOnly).map((o) => o.name).sort();
  assert.deepEqual(looks, [
    "assert",
    "attributes",
    "audit",
    "explore",
    "find",
    "find-visual",
    "list-applications",
    "list-windows",
    "match-tree",
    "pause",
    "read-text",
    "screenshot",
    "tree",
    "value",
    "visual-diff",
    "wait",
    "wait-idle",
  ]);
});

Deno.test("an unknown property of an input is an error", async () => {
  await using desk = fixture(["sim.settings"]);
  const error = await desk.fail("click", { target: "switch", twice: true });
  assert.equal(error.code, "invalid");
  assert.match(error.message, /twice/);
});

for (
  const [operation, input, effect, kinds] of [
    ["click", { target: 'checkbox[name="Notify me"]' }, "restorable", ["toggle", "focus"]],
    ["click", { target: 'radio[name="Dark"]' }, "restorable", ["radio", "focus"]],
    ["click", { target: 'tab[name="About"]' }, "restorable", ["selection", "focus"]],
    ["click", { target: "combobox" }, "observed", ["selection", "focus"]],
    ["click", { target: 'button[name="Reset"]' }, "irreversible", ["focus"]],
    ["click", { target: 'button[name="Reset"]', button: "right" }, "observed", ["focus"]],
    ["set", { target: 'textfield[name="Name"]', value: "x" }, "restorable", ["text", "focus"]],
    ["set", { target: "slider", value: 1 }, "restorable", ["number", "focus"]],
    ["type", { text: "x", into: "passwordfield" }, "restorable", ["text", "focus"]],
    ["type", { text: "Ada\n", into: 'textfield[name="Name"]' }, "irreversible", ["text", "focus"]],
    ["type", { text: "x\n", into: "passwordfield" }, "irreversible", ["text", "focus"]],
    ["type", { text: "a\tb", into: 'textfield[name="Name"]' }, "irreversible", ["text", "focus"]],
    ["press", { keys: "ctrl+s" }, "irreversible", []],
    ["focus", { target: "slider" }, "restorable", ["focus"]],
    ["scroll", { direction: "down" }, "restorable", ["scroll"]],
    ["clipboard", { action: "read" }, "read", []],
    ["clipboard", { action: "write", text: "x" }, "restorable", ["clipboard"]],
    ["launch", { app: "sim.list" }, "compensable", ["process"]],
    ["quit", { app: "sim.settings" }, "irreversible", []],
    ["tree", {}, "read", []],
  ] as const
) {
  Deno.test(`${operation} ${JSON.stringify(input)} is ${effect}`, async () => {
    const { resolved } = await judged(["sim.settings"], operation, input);
    assert.equal(resolved.effect, effect);
    assert.deepEqual(resolved.participants.map((p) => p.kind), kinds);
  });
}

Deno.test("a line break typed where lines can be broken is restorable", async () => {
  const { resolved } = await judged(["sim.editor"], "type", { text: "a\nb", into: "textarea" });
  assert.equal(resolved.effect, "restorable");
});

Deno.test("looking does nothing to the desktop", async () => {
  await using desk = fixture(["sim.settings"]);
  const before = JSON.stringify(desk.desktop.world());
  await desk.gate.look({ operation: "click", input: { target: 'checkbox[name="Notify me"]' } });
  await desk.gate.look({ operation: "set", input: { target: "combobox", value: "Deutsch" } });
  assert.equal(JSON.stringify(desk.desktop.world()), before);
});

Deno.test("set picks the action by what the control is", async () => {
  await using desk = fixture(["sim.settings"]);
  await desk.run("set", { target: 'textfield[name="Name"]', value: "Grace" });
  await desk.run("set", { target: "spinbutton", value: "12" });
  await desk.run("set", { target: 'checkbox[name="Notify me"]', value: "off" });
  await desk.run("set", { target: "combobox", value: "Deutsch" });
  await desk.run("set", { target: 'radio[name="Dark"]', value: true });
  for (
    const [target, value] of [
      ['textfield[name="Name"]', "Grace"],
      ["spinbutton", 12],
      ['checkbox[name="Notify me"]', false],
      ["combobox", "Deutsch"],
      ['radio[name="Dark"]', true],
    ] as const
  ) {
    await desk.run("assert", { target, value, timeout: 100 });
  }
});

Deno.test("set refuses a value of the wrong kind before it does anything", async () => {
  await using desk = fixture(["sim.settings"]);
  const error = await desk.fail("set", { target: "slider", value: "loud" });
  assert.equal(error.code, "invalid");
  assert.match(error.message, /it takes a number/);
  assert.equal((await desk.fail("set", { target: 'button[name="Reset"]', value: 1 })).code, "unsupported");
  // What every object inherits is no word for on or off.
  assert.equal((await desk.fail("set", { target: "switch", value: "constructor" })).code, "invalid");
});

Deno.test("an action without effect fails with no_effect", async () => {
  await using desk = fixture(["sim.settings"], {
    faults: [{ fault: "no_effect", when: { call: ["act", "pointer"], times: "always" } }],
  });
  const error = await desk.fail("click", { target: "switch" });
  assert.equal(error.code, "no_effect");
  assert.match(error.message, /simulated click/);
});

Deno.test("an element that becomes another one before the action is stale", async () => {
  await using desk = fixture(["sim.settings"], {
    faults: [{ fault: "recycle", element: "wifi", as: { name: "Bluetooth" }, when: { call: "act" } }],
  });
  assert.equal((await desk.fail("click", { target: "switch" })).code, "stale");
});

Deno.test("the content of a password field is in no answer", async () => {
  await using desk = fixture(["sim.settings"]);
  await desk.run("set", { target: "passwordfield", value: "opensesame" });
  assert.equal((await desk.fail("value", { target: "passwordfield" })).code, "secure");
  for (
    const [operation, input] of [
      ["tree", { depth: 20, all: true }],
      ["find", { target: "passwordfield", all: true }],
      ["attributes", { target: "passwordfield" }],
    ] as const
  ) {
    assert.doesNotMatch(JSON.stringify(await desk.run(operation, input)), /opensesame/);
  }
});

Deno.test("type without a target writes where the focus is", async () => {
  await using desk = fixture(["sim.settings"]);
  await desk.run("focus", { target: 'textfield[name="Name"]' });
  await desk.run("press", { keys: "End" });
  await desk.run("type", { text: "!" });
  await desk.run("assert", { target: 'textfield[name="Name"]', value: "Ada!", timeout: 100 });
  await desk.run("type", { text: "B", clear: true });
  await desk.run("assert", { target: 'textfield[name="Name"]', value: "B", timeout: 100 });
});

Deno.test("several applications and none named is an error that lists them", async () => {
  await using desk = fixture(["sim.settings", "sim.list"]);
  for (const window of await desk.desktop.windows()) await desk.desktop.window(window.id, { do: "minimise" });
  const error = await desk.fail("find", { target: "button" });
  assert.equal(error.code, "ambiguous");
  assert.equal(JSON.stringify(error.details).includes("sim.list"), true);
  await desk.run("find", { target: "button" }, { app: "sim.settings" });
});

Deno.test("find prefers what shows, and says how many there are", async () => {
  await using desk = fixture(["sim.settings"]);
  const one = z.looseObject({ found: z.boolean(), count: z.number(), elements: z.array(z.unknown()) });
  const radios = one.parse(await desk.run("find", { target: "radio", all: true, limit: 2 }));
  assert.deepEqual([radios.found, radios.count, radios.elements.length], [true, 3, 2]);
  const none = one.parse(await desk.run("find", { target: 'button[name="Nowhere"]' }));
  assert.deepEqual([none.found, none.count], [false, 0]);
});

Deno.test("a target can be one of several, or inside of another", async () => {
  await using desk = fixture(["sim.settings"]);
  await desk.run("click", { target: { selector: "radio", nth: 2 } });
  await desk.run("assert", { target: 'radio[name="Dark"]', checked: true, timeout: 100 });
  await desk.run("click", { target: { selector: 'radio[name="System"]', within: 'panel[name="Theme"]' } });
  await desk.run("assert", { target: 'radio[name="System"]', checked: true, timeout: 100 });
  assert.equal((await desk.fail("click", { target: "radio" })).code, "ambiguous");
});

Deno.test("launch has quitting as its undo, unless it was running", async () => {
  await using desk = fixture(["sim.settings"]);
  const fresh = await desk.gate.dispatch({ operation: "launch", input: { app: "sim.list" } });
  const [list] = (await desk.desktop.applications()).filter(({ id }) => id === "sim.list");
  assert.deepEqual(fresh.inverse, { operation: "quit", input: { app: "sim.list", pid: list?.pid } });
  const again = await desk.gate.dispatch({ operation: "launch", input: { app: "sim.list" } });
  assert.equal(again.inverse, undefined);
});

Deno.test("wait-idle ends when nothing happens, and times out on what never rests", async () => {
  await using desk = fixture(["sim.settings"]);
  await desk.run("wait-idle", { quiet: 30 });
  desk.desktop.inject({ fault: "changing", element: "clock", every: { ms: 20 } });
  const error = await desk.fail("wait-idle", { quiet: "60ms", timeout_ms: 300 });
  assert.equal(error.code, "timeout");
});

Deno.test("the clipboard is written, read and emptied", async () => {
  await using desk = fixture([]);
  await desk.run("clipboard", { action: "write", text: "ünï" });
  assert.deepEqual(await desk.run("clipboard", { action: "read" }), { success: true, text: "ünï" });
  assert.deepEqual(await desk.run("clipboard", { action: "clear" }), { success: true });
  assert.equal((await desk.fail("clipboard", { action: "write" })).code, "invalid");
});

Deno.test("a disabled button is waited for, and named when it stays so", async () => {
  await using desk = fixture(["sim.settings"]);
  const error = await desk.fail("click", { target: 'button[name="Apply"]' }, { timeout: 400 });
  assert.equal(error.code, "not_actionable");
  assert.match(error.message, /disabled/);
});

Deno.test("what is scrolled away is scrolled to", async () => {
  await using desk = fixture(["sim.settings"]);
  await desk.run("click", { target: 'tab[name="Advanced"]' });
  await desk.run("scroll", { target: 'checkbox[name="Option 24"]' });
  await desk.run("assert", { target: 'checkbox[name="Option 24"]', visible: true, timeout: 100 });
  await desk.run("click", { target: 'checkbox[name="Option 1"]', count: 1 });
  await desk.run("assert", { target: 'checkbox[name="Option 1"]', checked: true, timeout: 100 });
});

Deno.test("several matches are counted from 1: there is no number 0", async () => {
  await using desk = fixture(["sim.settings"]);
  assert.equal((await desk.fail("find", { target: { selector: "radio", nth: 0 } })).code, "invalid");
});
