import assert from "node:assert/strict";
import { catalogue } from "../../catalogue.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { forTransaction, withTransactions } from "./arrange.ts";
import { insertSteps } from "./insert-steps.ts";
import { action, type Recording } from "./model.ts";
import { secretsAsNames } from "./secrets-as-names.ts";
import { stepAt, upTo } from "./step-at.ts";

const NEW: Recording = {
  name: "new",
  settings: { app: "x", secrets: ["TOKEN"] },
  vars: { typed: { type: "string" } },
  before: [],
  steps: [action("click", { target: "slider" }, { comment: "a\nb" })],
  after: [],
};

/** The file with the new step after one of its own; it reads as a workflow. */
function inserted(source: string, wanted: string, recording = NEW): string {
  const options = { file: "a.yaml", operations: catalogue };
  const workflow = parseWorkflow(source, options);
  const text = insertSteps(source, recording, { ...options, at: stepAt(workflow, wanted) });
  parseWorkflow(text, options);
  return text;
}

Deno.test("steps go in after a step in its own style, and what they need is declared in the style of the file", () => {
  assert.equal(
    inserted("name: A\r\nsteps:\r\n- find: slider # one\r\n- find: button", "1"),
    "name: A\r\nsecrets: [ TOKEN ]\r\nvars: { typed: { type: string } }\r\nsteps:\r\n- find: slider # one\r\n" +
      "# a\r\n# b\r\n- click: slider\r\n- find: button",
  );
  assert.equal(
    inserted("name: A\nsteps:\n  - find: slider", "1"),
    "name: A\nsecrets: [ TOKEN ]\nvars: { typed: { type: string } }\nsteps:\n  - find: slider\n  # a\n  # b\n  - click: slider\n",
  );
  assert.match(
    inserted(
      "name: A\nsecrets: [B]\nvars: { x: { type: string, default: y } }\nsteps:\n  - find: slider\n",
      "1",
    ),
    /secrets: \[B, TOKEN\]\nvars: \{ x: \{ type: string, default: y \}, typed: \{ type: string \} \}\n/,
  );
  assert.match(
    inserted(
      "name: A\nsecrets:\n  - B # first\n\nvars:\n  x:\n    type: string\n    default: y\nsteps:\n  - find: slider\n",
      "1",
    ),
    /secrets:\n {2}- B # first\n {2}- TOKEN\n\nvars:\n {2}x:\n {4}type: string\n {4}default: y\n {2}typed: \{ type: string \}\n/,
  );
  assert.match(
    inserted("name: A\nsecrets: { B: { env: C } }\nsteps:\n  - find: slider\n", "1"),
    /secrets: \{ B: \{ env: C \}, TOKEN: \{ env: TOKEN \} \}\n/,
  );
  assert.match(
    inserted("name: A\nsecrets: [ TOKEN ]\nsteps:\n  - find: |-\n      slider\n\n  - find: button\n", "1"),
    /slider\n\n? {2}# a\n {2}# b\n {2}- click: slider\n/,
  );
});

Deno.test("a step is found by number, name, id and savepoint, in transactions, and the file is cut behind it", () => {
  const source = `name: A
steps:
  - { id: one, find: slider }
  - transaction:
      - { name: two, find: slider }
      - { savepoint: three }
      - find: slider
  - find: button
`;
  const workflow = parseWorkflow(source, { file: "a.yaml", operations: catalogue });
  const found = ["1", "one", "2", "2.1", "two", "three", "3"].map((wanted) =>
    stepAt(workflow, wanted).join()
  );
  assert.deepEqual(found, ["0", "0", "1", "1,0", "1,0", "1,1", "2"]);
  const cut = upTo(workflow, [1, 1]);
  assert.equal(cut.steps.length, 2);
  const [, last] = cut.steps;
  assert.equal(last?.kind === "transaction" ? last.steps.length : 0, 2);
  assert.match(
    inserted(source, "2.1"),
    /name: two, find: slider \}\n {6}# a\n {6}# b\n {6}- click: slider\n/,
  );
});

Deno.test("a secret that an application shows goes into no file", () => {
  const steps = [
    action("set", { target: 'label[name="to hunter2"]', value: "hunter2" }, {
      comment: "hunter2",
      alternatives: ["hunter2"],
    }),
  ];
  const text = JSON.stringify(
    secretsAsNames({ ...NEW, steps }, new Map([["TOKEN", "hunter2"], ["NONE", ""]])),
  );
  assert.ok(!text.includes("hunter2"), text);
  assert.equal(text.match(/\{\{secrets\.TOKEN\}\}/g)?.length, 4);
});

Deno.test("a form up to its button is a transaction, and nothing else is; in one of somebody else barriers are declared", () => {
  const set = (value: string) =>
    action("set", { target: 'textfield[name="A"]', value }, { effect: "restorable" });
  const look = action("assert", { target: "slider", exists: true }, { effect: "read" });
  const send = action("click", { target: 'button[name="Send it"]' }, { effect: "irreversible" });
  const item = action("click", { target: 'menuitem[name="Send"]' }, { effect: "irreversible" });
  const kinds = (...steps: Recording["steps"]) =>
    withTransactions({ ...NEW, steps }).steps.map((step) =>
      step.kind === "transaction" ? step.name : step.kind
    );
  assert.deepEqual(kinds(set("a"), look, set("b"), send, look), ["send it", "action"]);
  assert.deepEqual(kinds(set("a"), send), ["action", "action"]);
  assert.deepEqual(kinds(set("a"), set("b")), ["action", "action"]);
  assert.deepEqual(kinds(set("a"), set("b"), item, send), ["action", "action", "action", "action"]);
  const other = { ...send, input: { target: { selector: 'button[name="Send it"]', app: "y" } } };
  assert.deepEqual(kinds(set("a"), set("b"), other), ["action", "action", "action"]);
  const inside = forTransaction({
    ...NEW,
    steps: [set("a"), look, send, action("press", { keys: "Return" })],
  });
  assert.deepEqual(inside.steps.map((step) => "irreversible" in step), [false, false, true, true]);
});
