import assert from "node:assert/strict";
import type { RollbackResult, RunEvent, RunResult, StepResult } from "../contract/events.ts";
import { width } from "./layout.ts";
import { listReport } from "./list.ts";
import { PLAIN } from "./style.ts";

const step = (path: string, more: Partial<StepResult> = {}): StepResult => ({
  path,
  name: `click button "${path}"`,
  operation: "click",
  effect: "irreversible",
  status: "passed",
  duration_ms: 12,
  ...more,
});

const rollback: RollbackResult = {
  verdict: "drift",
  steps: [
    { path: "1.1", verdict: "already", what: 'text of "Name"', method: "none" },
    {
      path: "1.2",
      verdict: "conflict",
      what: 'value of "Age"',
      method: "Value",
      reason: "somebody set it to 7",
    },
  ],
  drift: [{ participant: '"Age"', property: "value", expected: 5, actual: 7 }],
  enrolled: [],
};

const result: RunResult = {
  run: "20261121-000000-abcdef",
  workflow: "W",
  desktop: { kind: "simulated", label: "simulated" },
  status: "failed",
  exit: 3,
  duration_ms: 1_234,
  steps: [],
  rollback,
  unstable: [],
  error: { code: "launch_failed", message: "Failed to launch it", hint: "Try again." },
};

function reported(events: readonly RunEvent[], columns = 0): string {
  let text = "";
  const terminal = columns > 0;
  const report = listReport({ write: (t) => text += t, terminal, live: terminal, columns }, PLAIN);
  for (const event of events) report(event);
  return text;
}

Deno.test("steps of a transaction stand within its bracket, times below each other", () => {
  const lines = reported([
    { event: "step-finished", step: step("before.1") },
    { event: "transaction-started", path: "1", name: "fill" },
    { event: "step-finished", step: step("1.1", { duration_ms: 61_500, attempts: 2 }) },
    { event: "transaction-finished", path: "1", name: "fill", committed: true },
  ]).split("\n");
  assert.match(lines[0] ?? "", /^ {2}✓ before\.1 {2}click button "before\.1" +12 ms$/);
  assert.equal(lines[1], "  ┌ 1         transaction fill");
  assert.match(lines[2] ?? "", /^ {2}│ ✓ 1\.1 {5}click button "1\.1" \(2 tries\) +1 min 2 s$/);
  assert.equal(lines[3], "  └ 1         transaction fill committed");
  assert.equal(lines[0]?.indexOf("click"), lines[2]?.indexOf("click"));
});

Deno.test("the rollback tells each verdict, why it is bad, and every difference", () => {
  const text = reported([
    { event: "rollback-started", path: "", reason: { code: "assertion", message: "no" } },
    ...rollback.steps.map((s): RunEvent => ({ event: "rollback-step", step: s })),
    { event: "rollback-finished", path: "", rollback },
  ]);
  assert.match(text, /↩ rolling back the workflow\n/);
  assert.match(text, /✓ 1\.1 +text of "Name" +already\n/);
  assert.doesNotMatch(text, /by none/);
  assert.match(text, /✗ 1\.2 +value of "Age" +conflict +by Value, somebody set it to 7\n/);
  assert.match(text, /drift: 1 difference\n +"Age": value should be 5, is 7\n/);
});

Deno.test("steps of an undo stand among what is rolled back", () => {
  const text = reported([
    { event: "rollback-started", path: "1", reason: { code: "assertion", message: "no" } },
    { event: "step-finished", step: step("1.2.undo.1") },
    ...rollback.steps.slice(0, 1).map((s): RunEvent => ({ event: "rollback-step", step: s })),
    { event: "rollback-finished", path: "1", rollback },
    { event: "step-finished", step: step("2") },
  ]);
  assert.match(text, /\n {4}✓ 1\.2\.undo\.1 .*\n {4}✓ 1\.1 /);
  assert.match(text, /\n {2}✓ 2 /);
});

Deno.test("an error that no step has told is told with the summary", () => {
  const text = reported([{ event: "run-finished", result }]);
  assert.equal(
    text,
    "Failed to launch it\nTry again.\nfailed in 1.2 s · 0 steps · rollback: drift · exit 3 · run 20261121-000000-abcdef\n",
  );
});

Deno.test("on a narrow terminal every line fits, and the live line is cleared", () => {
  const text = reported([
    { event: "step-started", path: "1", name: "x".repeat(90), operation: "click" },
    { event: "step-progress", path: "1", message: "half" },
    { event: "step-finished", step: step("1", { name: "世界".repeat(40) }) },
    { event: "note", level: "info", message: "done" },
    { event: "run-finished", result },
  ], 60);
  for (const line of text.replaceAll("\r\x1b[K", "\n").split("\n")) assert.ok(width(line) <= 60, line);
  assert.equal(text.split("\r\x1b[K").length - 1, 2);
});

Deno.test("what a file or an application says cannot steer the terminal", () => {
  const text = reported([{ event: "step-finished", step: step("1", { name: "\x1b]0;evil\x07" }) }], 80);
  assert.ok(!text.includes("\x1b]") && !text.includes("\x07"));
  assert.match(text, /\\u\{1b\}\]0;evil/);
});

Deno.test("line breaks in the text of an application or a file make no lines of their own", () => {
  const text = reported([
    {
      event: "run-started",
      run: "r",
      workflow: "W\n✓ 1 forged",
      file: "a\nb.yaml",
      desktop: { kind: "simulated", label: "simulated" },
    },
    { event: "step-finished", step: step("1", { name: 'click button "a\n::error::b\tc"' }) },
  ]);
  assert.equal(text.trimEnd().split("\n").length, 2);
  assert.match(text, /^W\\n✓ 1 forged {2}a\\nb\.yaml on simulated$/m);
  assert.match(text, /a\\n::error::b\\tc/);
});

Deno.test("the rollback to a savepoint, and what differs beside the verdict, are told", () => {
  const beside = [{ participant: 'label "News"', property: "name", expected: "a", actual: "b" }];
  const text = reported([
    { event: "rollback-started", path: "5", savepoint: "filled" },
    {
      event: "rollback-finished",
      path: "5",
      rollback: { ...rollback, verdict: "restored", drift: [], beside },
    },
  ]);
  assert.match(text, /↩ rolling back to savepoint filled\n/);
  assert.match(
    text,
    /restored: 0 participants.*\n.*1 difference in elements that were not protected when they changed\n.*label "News": name should be "a", is "b"/,
  );
});
