import assert from "node:assert/strict";
import { toJson } from "../../base/json.ts";
import { catalogue } from "../../catalogue.ts";
import { BackstepError, type Json } from "../../base/error.ts";
import { readSelector } from "../../desktop/selector/mod.ts";
import { RandomSteps } from "./_random.ts";
import { type FORMATS, readRecording, writeRecording } from "./convert.ts";
import { type Recording, withoutNotes } from "./model.ts";

const OPTIONS = {
  file: "steps.yaml",
  operations: catalogue,
  checkSelector: (text: string) => void readSelector(text),
};
const SEEDS = Array.from({ length: 150 }, (_, seed) => seed + 1);

const write = (recording: Recording, to: typeof FORMATS[number]) => writeRecording(recording, to, OPTIONS);
const read = (text: string) => withoutNotes(readRecording(text, OPTIONS));

function refusal(source: string, to: typeof FORMATS[number]): BackstepError {
  try {
    write(readRecording(source, OPTIONS), to);
  } catch (thrown) {
    if (thrown instanceof BackstepError && thrown.code === "workflow") return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
}

function faultsOf(error: BackstepError): string[] {
  const { faults } = error.details ?? {};
  assert.ok(Array.isArray(faults));
  return faults.map(({ place, message }) => `${place.line}:${place.column} ${message}`);
}

Deno.test("what is written as a file reads as it was, whatever the steps are", () => {
  for (const seed of SEEDS) {
    const random = new RandomSteps(seed);
    const recording = random.recording(() => random.rich(), {
      vars: { text: { type: "string", default: "v" } },
      settings: { app: "sim.settings", secrets: ["TOKEN"], timeout: 60_000 },
    });
    const yaml = write(recording, "yaml");
    assert.deepEqual(toJson(read(yaml)), toJson(recording), `seed ${seed}`);
    assert.doesNotMatch(yaml, /^ *(?:- )?\w+: [|>][+-]?\d?$/m, "a text in a block cannot be patched");
  }
});

Deno.test("a file that ax_workflow can say goes there and back as it was", () => {
  for (const seed of SEEDS) {
    const random = new RandomSteps(seed);
    const recording = random.recording(() => random.plain(), {
      settings: { app: "sim.settings", ...(random.chance(0.5) ? { onFailure: "stop" } : {}) },
    });
    const inside = recording.steps.some((step) =>
      step.kind === "action" && step.operation !== "launch" && step.operation !== "quit"
    );
    const failing = recording.steps.some((step) => step.kind === "action" && step.optional !== true);
    // Of steps that all may fail, and of none that is in an application, the call does not say what the file said.
    if (!inside || !failing) continue;
    const json = write(recording, "ax_workflow");
    assert.deepEqual(toJson(read(json)), toJson(recording), `seed ${seed}\n${json}`);
    assert.equal(write(read(write(read(json), "yaml")), "ax_workflow"), json, `seed ${seed}`);
  }
});

/** Can the call say it at all? Of steps that all may fail, and of none that is in an application, it does not say what the file said. */
function isWhole({ steps }: Recording): boolean {
  const actions = steps.flatMap((step) => step.kind === "action" ? [step] : []);
  return actions.some(({ operation }) => operation !== "launch" && operation !== "quit") &&
    actions.some(({ optional }) => optional !== true);
}

Deno.test("a file becomes ax_workflow and the same file again, or each step that cannot is named with its line", () => {
  let same = 0, refused = 0;
  for (const seed of SEEDS) {
    const random = new RandomSteps(seed);
    const plain = random.chance(0.5);
    const recording = random.recording(() => plain || random.chance(0.8) ? random.plain() : random.rich(), {
      settings: { app: "sim.settings", ...(plain ? {} : { secrets: ["TOKEN"] }) },
      vars: plain ? {} : { text: { type: "string", default: "v" } },
    });
    const yaml = write(recording, "yaml");
    if (!isWhole(recording)) continue;
    let json: string;
    try {
      json = write(readRecording(yaml, OPTIONS), "ax_workflow");
    } catch (thrown) {
      assert.ok(thrown instanceof BackstepError && thrown.code === "workflow", String(thrown));
      const lines = yaml.split("\n");
      for (const fault of faultsOf(thrown)) {
        const [, line = "", key, number] = /^(\d+):\d+ (?:`(\w+:)`|step (\d+))/.exec(fault) ?? [];
        if (key !== undefined) {
          assert.ok(lines[Number(line) - 1]?.startsWith(key), `seed ${seed}: ${fault}\n${yaml}`);
          continue;
        }
        assert.match(lines[Number(line) - 1] ?? "", /^ {2}- /, `seed ${seed}: ${fault}\n${yaml}`);
        const before = lines.slice(0, Number(line)).filter((one) => one.startsWith("  - ")).length;
        assert.equal(before, Number(number), `seed ${seed}: ${fault}\n${yaml}`);
      }
      refused++;
      continue;
    }
    assert.equal(write(readRecording(json, OPTIONS), "yaml"), yaml, `seed ${seed}\n${json}`);
    same++;
  }
  assert.ok(same > 50 && refused > 20, `${same} came back, ${refused} were refused`);
});

/** A step of each verb that a file can have. */
const VERBS: { readonly [operation: string]: Json } = {
  "list-applications": {},
  launch: "gedit",
  quit: "gedit",
  "list-windows": {},
  find: { target: "button", required: true },
  "find-visual": { description: "a red dot" },
  tree: { target: "window" },
  explore: { scope: "application" },
  value: "slider",
  attributes: "button",
  click: "button",
  "click-at": { x: 1, y: 2 },
  type: { into: "textfield", text: "x" },
  set: { target: "slider", value: 3 },
  select: { target: "list", items: ["a"] },
  pause: { why: "look at the form" },
  press: { keys: "Return", into: "textfield" },
  focus: "textfield",
  hover: "button",
  "read-text": "canvas",
  scroll: { target: "list", direction: "down" },
  drag: { from: "button", to: { x: 1, y: 2 } },
  window: { do: "minimise" },
  workspace: { id: 3 },
  wait: "dialog",
  "wait-idle": { timeout_ms: 2_000 },
  assert: { target: "dialog", exists: true },
  "match-tree": { target: "dialog", matches: '- button "Save"' },
  audit: { standards: ["wcag_aa"] },
  screenshot: {},
  "visual-diff": { baseline: "a.png" },
  clipboard: { action: "write", text: "x" },
  "run-script": { script: "x" },
};

Deno.test("every verb of the catalogue is said by ax_workflow and comes back, or is refused by name with its line", () => {
  const said: string[] = [], refused: string[] = [];
  for (const { name, views: { yaml } } of catalogue) {
    if (yaml === undefined) continue;
    const input = VERBS[name];
    assert.ok(input !== undefined, `${name} has no step here`);
    const source = `name: one\napp: gedit\nsteps:\n  - ${yaml.verb}: ${JSON.stringify(input)}\n`;
    let recording: Recording;
    try {
      recording = readRecording(source, OPTIONS);
    } catch (thrown) {
      throw new Error(`${name}: ${thrown instanceof Error ? thrown.message : thrown}`, { cause: thrown });
    }
    try {
      const json = write(recording, "ax_workflow");
      assert.equal(write(readRecording(json, OPTIONS), "ax_workflow"), json, name);
      said.push(name);
    } catch (thrown) {
      if (!(thrown instanceof BackstepError) || thrown.code !== "workflow") throw thrown;
      const [fault = "", ...others] = faultsOf(thrown);
      assert.deepEqual(others, []);
      assert.match(fault, new RegExp(`^4:5 step 1: .*\`${name}\``), fault);
      refused.push(name);
    }
  }
  assert.equal(
    said.length + refused.length,
    catalogue.filter(({ views: { yaml } }) => yaml !== undefined).length,
  );
  assert.equal(
    said.join(" "),
    "launch quit find click click-at type set press scroll drag wait-idle assert",
  );
});

Deno.test("the published example becomes verbs, and comes back as it was", () => {
  const example = {
    name: "save-and-confirm",
    steps: [
      { tool: "ax_key_press", args: { app: "TextEdit", key: "s", modifiers: ["cmd"] } },
      { tool: "ax_wait_idle", args: { app: "TextEdit", timeout_ms: 2000 } },
      { tool: "ax_find", args: { app: "TextEdit", query: "Save" }, retry: 3 },
      { tool: "ax_click", args: { app: "TextEdit", query: "Save" } },
    ],
  };
  const yaml = write(read(JSON.stringify(example)), "yaml");
  assert.equal(
    yaml,
    `name: save-and-confirm
app: TextEdit
on_failure: stop
steps:
  - press: ctrl+s
  - wait_idle: { timeout_ms: 2000 }
  - find: { target: Save, required: true }
    retry: 3
  - click: { target: Save, background: true }
`,
  );
  const [press, ...others] = example.steps;
  // `cmd` is the key of shortcuts, and that is Control here.
  const expected = {
    ...example,
    steps: [{ ...press, args: { ...press?.args, modifiers: ["ctrl"] } }, ...others],
  };
  assert.deepEqual(JSON.parse(write(read(yaml), "ax_workflow")), expected);
  const call = { name: "ax_workflow", arguments: example };
  assert.deepEqual(read(JSON.stringify(call)), read(JSON.stringify(example)));
});

Deno.test("pauses, references and failures unlike the others stay calls of tools in a file, and come back", () => {
  const example = {
    name: "raw",
    steps: [
      { tool: "ax_get_value", args: { app: "gedit", query: "textarea", nth: 1 }, wait_after_ms: 200 },
      { tool: "ax_type", args: { app: "gedit", text: "{{step_1.value}} {{vars.x}}", mode: "focus" } },
      { tool: "ax_click", args: { app: "gedit", query: "Save" }, on_fail: "rollback" },
      { tool: "ax_click", args: { app: "gedit", query: "Close" }, on_fail: "skip" },
    ],
  };
  const yaml = write(read(JSON.stringify(example)), "yaml");
  assert.match(yaml, /tool: ax_type\n {4}args: .*'\{\{step_1\.value\}\} \{\{\{\{vars\.x\}\}'/);
  assert.deepEqual(JSON.parse(write(read(yaml), "ax_workflow")), example);
});

Deno.test("what a format cannot say is refused by name, with the step and its line", () => {
  const file = `name: much
app: gedit
session: isolated
vars:
  who: { type: string, default: Ada }
before:
  - launch: gedit
steps:
  - set: { target: textfield, value: '{{vars.who}}' }
  - transaction:
      - click: Save
  - window: minimise
  - click: { target: Save, button: middle }
  - press: ctrl+k ctrl+s
    irreversible: true
    changes: { only: [window] }
`.replace("window: minimise", "window: { do: minimise }");
  assert.deepEqual(faultsOf(refusal(file, "ax_workflow")), [
    "3:1 `session:`: ax_workflow cannot say that",
    "4:1 `vars:`: ax_workflow cannot say that",
    "6:1 `before:`: ax_workflow cannot say that",
    "9:5 step 1: ax_workflow cannot say {{vars.who}}",
    "10:5 step 2 is `transaction:`: ax_workflow cannot say that",
    "12:5 step 3: no tool of ax_workflow does `window`",
    "13:5 step 4: ax_click cannot say `button` of `click` as it is here",
    "14:5 step 5 has `irreversible:`: ax_workflow cannot say that",
    "14:5 step 5 has `changes:`: ax_workflow cannot say that",
    "14:5 step 5: ax_key_press cannot say `keys` of `press` as it is here",
  ]);
  assert.deepEqual(faultsOf(refusal(file, "ts")), ["14:5 step 5 has `changes:`: a program cannot say that"]);
  const looping =
    `name: l\nsteps:\n  - if: { exists: button }\n    then: [ { click: button } ]\n  - repeat: { times: 2, steps: [] }\n`;
  assert.deepEqual(faultsOf(refusal(looping, "yaml")), [
    "3:5 step 1 has `if:`, which a list of steps cannot say",
    "5:5 step 2 has `repeat:`, which a list of steps cannot say",
  ]);
  const undo =
    `{ "steps": [\n  { "tool": "ax_undo", "args": {} },\n  { "tool": "ax_screenshot", "args": {} } ] }`;
  assert.deepEqual(faultsOf(refusal(undo, "yaml")), [
    "2:5 step 1 calls ax_undo, which cannot be converted",
    "3:5 step 2 calls ax_screenshot, which cannot be converted",
  ]);
});
