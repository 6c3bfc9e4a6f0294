import { deepStrictEqual, ok, throws } from "node:assert/strict";
import type { Workflow } from "../engine/step.ts";
import { FAKE_CATALOGUE } from "./fake-catalogue.ts";
import { parseWorkflow, type Source } from "./parse.ts";
import { printWorkflow } from "./print.ts";

const load = (reference: string): Source => ({
  file: reference,
  key: reference,
  folder: ".",
  bytes: "name: inner\nvars: { user: { type: string } }\nsteps: []\n",
});
const parse = (source: string) => parseWorkflow(source, { file: "p.yaml", operations: FAKE_CATALOGUE, load });

/** Without places, which printing moves. */
const plain = (workflow: Workflow): unknown =>
  JSON.parse(JSON.stringify(workflow, (key, value) => key === "place" ? undefined : value));

const SOURCE = `
name: "true"
description: 'a: b # c'
tags: [smoke]
app: gedit
session: simulated
vars: { a: 1, b: "2", c: { type: map, default: { x: [1] } }, d: { type: list }, e: { default: true, description: on } }
secrets: [T]
timeout: 10s
on_failure: continue
files: [a/b]
on_conflict: force
rollback: rebuild
expect: { status: failed }
locks: [printer]
needs: { programs: [gedit], env: [T] }
skip: not yet
before: [press: a]
after: [press: b]
steps:
  - click: 'x{{{{literal {{{vars.a}}} {{secrets.T}}'
    id: one
    name: One
    if: { not: { exists: a, within: 1s } }
    timeout: 5
    retry: 1
    optional: false
    irreversible: true
    changes: { only: [a, '{{vars.b}}'], include: [c] }
    done_when: { equals: ['{{vars.a}}', null] }
    undo: { guard: { gone: b }, steps: [press: Escape] }
  - press: '"- {'
    undo: [press: '{{{{{']
  - savepoint: s
  - rollback_to: s
    name: Back
  - transaction: { name: t, steps: [{ set: { target: "a\\nb", value: "007" } }] }
  - if: { file: f, exists: true }
    then: [wait_idle: ]
    else: [click: '{{steps.one.x}}']
  - repeat: { times: '{{vars.a}}', until: { target: a, value: { contains: b } }, steps: [] }
  - for_each: { in: [1, '{{vars.b}}'], as: row, steps: [click: '{{vars.row}}'] }
  - run: inner.yaml
    with: { user: '{{vars.b}}' }
`;

Deno.test("a printed workflow parses to the same workflow", () => {
  const workflow = parse(SOURCE);
  const printed = printWorkflow(workflow, FAKE_CATALOGUE);
  deepStrictEqual(plain(parse(printed)), plain(workflow), printed);
  ok(printed.startsWith('name: "true"\n'), printed);
});

Deno.test("a step whose operation has no verb cannot be printed", () => {
  throws(() => printWorkflow(parse("name: n\nsteps: [press: a]"), []), { code: "internal" });
});
