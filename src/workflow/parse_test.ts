import { deepStrictEqual, equal, ok } from "node:assert/strict";
import type { Step, Workflow } from "../engine/model/step.ts";
import { FAKE_CATALOGUE } from "./_catalogue.ts";
import { parseWorkflow } from "./parse.ts";

const parse = (source: string | Uint8Array): Workflow =>
  parseWorkflow(source, { file: "g.yaml", operations: FAKE_CATALOGUE });

/** A step without its places, and without the keys of conditions and placeholders that only repeat what is written. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, item) => key === "place" ? undefined : item));
}

function onlyStep(...lines: string[]): Step {
  const [step] = parse(["name: n", "vars: { rows: [1], n: 2 }", "steps:", ...lines].join("\n")).steps;
  if (!step) throw new Error("there is no step");
  return step;
}

const map = (entries: Record<string, unknown>) => ({ kind: "map", entries: Object.entries(entries) });
const hole = (...path: string[]) => ({ kind: "placeholder", path, source: `{{${path.join(".")}}}` });
const click = (target: string) => ({ kind: "operation", operation: "click", input: map({ target }) });

const STEPS: readonly (readonly [name: string, lines: readonly string[], expected: unknown])[] = [
  ["a scalar goes through the operation's view", ["- click: button"], click("button")],
  ["a map is the input", ["- click: { target: button }"], click("button")],
  ["a verb without a value has an empty input", ["- wait_idle:"], {
    kind: "operation",
    operation: "wait-idle",
    input: map({}),
  }],
  ["a whole placeholder stands for any type", ["- click: { target: a, count: '{{vars.n}}' }"], {
    kind: "operation",
    operation: "click",
    input: map({ target: "a", count: hole("vars", "n") }),
  }],
  ["a placeholder inside a union's map is passed over", [
    "- assert: { target: a, title: { contains: '{{vars.n}}' } }",
  ], {
    kind: "operation",
    operation: "assert",
    input: map({ target: "a", title: map({ contains: hole("vars", "n") }) }),
  }],
  ["common keys are read", [
    "- press: ctrl+s",
    "  id: save",
    "  name: Save it",
    "  timeout: 1.5s",
    "  retry: 2",
    "  optional: true",
    "  irreversible: true",
    "  if: { exists: dialog, within: 500ms }",
    "  done_when: { gone: dialog }",
    "  undo: [{ press: Escape }]",
  ], {
    kind: "operation",
    operation: "press",
    id: "save",
    name: "Save it",
    timeout: 1500,
    retry: 2,
    optional: true,
    irreversible: true,
    if: { kind: "assert", negate: false, input: map({ target: "dialog", exists: true, timeout: 500 }) },
    doneWhen: { kind: "assert", negate: false, input: map({ target: "dialog", exists: false, timeout: 0 }) },
    undo: { steps: [{ kind: "operation", operation: "press", input: map({ keys: "Escape" }) }] },
    input: map({ keys: "ctrl+s" }),
  }],
  ["an undo may have a guard", [
    "- click: a",
    "  undo: { guard: { not: { gone: b } }, steps: [{ click: c }] }",
  ], {
    ...click("a"),
    undo: {
      guard: { kind: "assert", negate: true, input: map({ target: "b", exists: false, timeout: 0 }) },
      steps: [click("c")],
    },
  }],
  ["a transaction is a list", ["- transaction: [{ click: a }]"], {
    kind: "transaction",
    steps: [click("a")],
  }],
  ["a transaction has a name", ["- transaction: { name: t, steps: [{ click: a }] }"], {
    kind: "transaction",
    name: "t",
    steps: [click("a")],
  }],
  ["if has then and else", [
    "- if: { target: a, value: x }",
    "  then: [{ click: b }]",
    "  else: [{ click: c }]",
  ], {
    kind: "if",
    condition: { kind: "assert", negate: false, input: map({ target: "a", value: "x", timeout: 0 }) },
    then: [click("b")],
    else: [click("c")],
  }],
  ["not turns a condition round", ["- if: { not: { not: { equals: ['{{vars.n}}', 2] } } }", "  then: []"], {
    kind: "if",
    condition: { kind: "equals", negate: false, left: hole("vars", "n"), right: 2 },
    then: [],
    else: [],
  }],
  ["a file can be asked for", ["- if: { file: a.txt, exists: false, within: 2s }", "  then: []"], {
    kind: "if",
    condition: { kind: "assert", negate: false, input: map({ file: "a.txt", exists: false, timeout: 2000 }) },
    then: [],
    else: [],
  }],
  ["repeat counts or waits", [
    "- repeat: { times: '{{vars.n}}', until: { exists: a }, steps: [{ click: b }] }",
  ], {
    kind: "repeat",
    times: hole("vars", "n"),
    steps: [click("b")],
    until: { kind: "assert", negate: false, input: map({ target: "a", exists: true, timeout: 0 }) },
  }],
  ["for_each names its variable", [
    "- for_each: { in: '{{vars.rows}}', as: row, steps: [{ click: '{{vars.row}}' }] }",
  ], {
    kind: "for_each",
    in: hole("vars", "rows"),
    as: "row",
    steps: [{ kind: "operation", operation: "click", input: map({ target: hole("vars", "row") }) }],
  }],
  ["a tool becomes an operation", [
    "- tool: ax_click",
    "  args: { app: Safari, query: Save, click_type: double }",
    "  retry: 2",
    "  wait_after_ms: 200",
    "  on_fail: rollback",
  ], {
    kind: "operation",
    operation: "click",
    retry: 2,
    raw: true,
    tool: "ax_click",
    waitAfter: 200,
    onFail: "rollback",
    input: map({ target: map({ selector: "Save", app: "Safari" }), count: 2, background: true }),
  }],
  ["cmd is ctrl, and opt is alt", [
    "- tool: ax_key_press",
    "  args: { key: s, modifiers: [cmd, opt, shift] }",
  ], {
    kind: "operation",
    operation: "press",
    raw: true,
    tool: "ax_key_press",
    input: map({ keys: "ctrl+alt+shift+s" }),
  }],
  ["a tool's assertions are the operation's", [
    "- tool: ax_assert",
    "  args: { query: OK, assertions: { exists: true, title: '{{vars.n}}' } }",
  ], {
    kind: "operation",
    operation: "assert",
    raw: true,
    tool: "ax_assert",
    input: map({ target: "OK", exists: true, title: hole("vars", "n") }),
  }],
  ["a tool's arguments take placeholders", ["- tool: ax_click", "  args: { query: 'x {{vars.n}}' }"], {
    kind: "operation",
    operation: "click",
    raw: true,
    tool: "ax_click",
    input: map({ target: { kind: "interpolated", parts: ["x ", hole("vars", "n")] }, background: true }),
  }],
  ["changes takes selectors", ["- click: a", "  changes: { only: [a, '{{vars.n}}'], include: [b] }"], {
    ...click("a"),
    changes: { only: ["a", hole("vars", "n")], include: ["b"] },
  }],
];

for (const [name, lines, expected] of STEPS) {
  Deno.test(name, () => deepStrictEqual(plain(onlyStep(...lines.map((line) => `  ${line}`))), expected));
}

Deno.test("a savepoint is a name, and so is what goes back to it", () => {
  const { steps } = parse(
    "name: n\nsteps:\n  - savepoint: here\n  - rollback_to: here\n    optional: true\n",
  );
  deepStrictEqual(plain(steps), [
    { kind: "savepoint", savepoint: "here" },
    { kind: "rollback_to", savepoint: "here", optional: true },
  ]);
});

Deno.test("the top level is read", () => {
  const workflow = parse(`
name: Rename a document
description: About it
tags: [smoke, gtk]
app: org.gnome.TextEditor
session: isolated
vars: { title: { type: string, default: Draft }, n: 3, on: true, rows: [1], m: { type: map } }
secrets: [API_TOKEN]
files: ["~/Documents", notes.txt]
timeout: 60s
on_failure: stop
on_conflict: ask
on_interference: abort
rollback: rebuild
expect: { status: failed, rollback: restored }
before: [ { press: a } ]
after: [ { press: '{{step_1.x}} {{secrets.API_TOKEN}} {{env.HOME}}' } ]
steps: [ { press: b } ]
`);
  const { before, after, steps, vars, ...rest } = workflow;
  deepStrictEqual(rest, {
    file: "g.yaml",
    name: "Rename a document",
    description: "About it",
    tags: ["smoke", "gtk"],
    app: "org.gnome.TextEditor",
    session: "isolated",
    secrets: ["API_TOKEN"],
    files: ["~/Documents", "notes.txt"],
    timeout: 60_000,
    onFailure: "stop",
    onConflict: "ask",
    onInterference: "abort",
    rollback: "rebuild",
    expect: { status: "failed", rollback: "restored" },
  });
  deepStrictEqual([before.length, steps.length, after.length], [1, 1, 1]);
  deepStrictEqual(plain(vars), {
    title: { type: "string", default: "Draft" },
    n: { type: "number", default: 3 },
    on: { type: "boolean", default: true },
    rows: { type: "list", default: [1] },
    m: { type: "map" },
  });
});

Deno.test("what is not said has a default", () => {
  const workflow = parse("name: n\nsteps: []");
  deepStrictEqual(workflow, {
    file: "g.yaml",
    name: "n",
    tags: [],
    vars: {},
    secrets: [],
    files: [],
    onFailure: "rollback",
    before: [],
    steps: [],
    after: [],
  });
});

Deno.test("a byte order mark, JSON and an alias are accepted", () => {
  equal(parse(new TextEncoder().encode("\uFEFFname: n\nsteps: []")).name, "n");
  equal(parse('\uFEFF{"name": "n", "steps": [{"click": "a"}]}').steps.length, 1);
  equal(parse("name: n\nbefore: &b [{ click: a }]\nsteps: *b").steps.length, 1);
});

Deno.test("earlier steps are named by id and by number, also out of a transaction", () => {
  const { steps } = parse(`
name: n
steps:
  - click: a
    id: one
  - transaction:
      - click: '{{steps.one.x}} {{step_1.x}}'
        id: two
      - click: '{{steps.two.x}}'
        undo: [{ click: '{{steps.one.x}}' }]
  - click: '{{steps.two.x}} {{step_2.x}}'
`);
  equal(steps.length, 3);
});

Deno.test("a placeholder knows its own place", () => {
  const step = onlyStep("  - click: 'ab {{vars.n}}'");
  ok(step.kind === "operation");
  ok(
    JSON.stringify(step.input).includes('{"file":"g.yaml","line":4,"column":16}'),
    JSON.stringify(step.input),
  );
});
