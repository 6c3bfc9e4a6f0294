import { ok } from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { FAKE_CATALOGUE } from "./_catalogue.ts";
import { parseWorkflow } from "./parse.ts";

const parse = (source: string) => parseWorkflow(source, { file: "m.yaml", operations: FAKE_CATALOGUE });

Deno.test("mutations of a good file are accepted or refused as a workflow fault, never otherwise", () => {
  const good = `
name: n
vars: { title: { type: string, default: Draft }, rows: [a, b] }
secrets: [T]
steps:
  - press: a
    id: one
  - &s
    click: 'button[name="{{vars.title}}"]'
    undo: { guard: { exists: x, within: 1s }, steps: [{ press: Escape }] }
  - transaction: { name: t, steps: [*s, { set: { target: x, value: "{{secrets.T}}" } }] }
  - for_each: { in: '{{vars.rows}}', as: row, steps: [{ press: '{{vars.row}}' }] }
  - if: { not: { equals: [1, '{{steps.one.x}}'] } }
    then: [{ tool: ax_click, args: { query: a }, wait_after_ms: 5 }]
`;
  const pieces = [
    "{",
    "}",
    "[",
    "]",
    ":",
    "-",
    "'",
    '"',
    "{{",
    "}}",
    "\n",
    "  ",
    "\t",
    "&a",
    "*s",
    "!!",
    "#",
    "\0",
    "|",
    "null",
    "9e99",
    "😀",
    "\uD800",
    "__proto__: ",
    "<<: *s",
    "%",
    "@",
    "---\n",
  ];
  let seed = 20_260_101;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  const seen = { accepted: 0, refused: 0 };
  for (let round = 0; round < 600; round++) {
    let text = good;
    for (let edits = 1 + random(3); edits > 0; edits--) {
      const from = random(text.length);
      const to = random(3) === 0 ? from + random(40) : from + random(2);
      text = text.slice(0, from) + (random(3) === 0 ? "" : pieces[random(pieces.length)] ?? "") +
        text.slice(to);
    }
    const started = performance.now();
    try {
      parse(text);
      seen.accepted += 1;
    } catch (error) {
      ok(error instanceof BackstepError && error.code === "workflow", `${JSON.stringify(text)}\n${error}`);
      ok(error.place !== undefined && error.place.line >= 1 && error.place.column >= 1, JSON.stringify(text));
      seen.refused += 1;
    }
    ok(performance.now() - started < 5_000, `too slow: ${JSON.stringify(text)}`);
  }
  ok(seen.accepted > 20 && seen.refused > 200, JSON.stringify(seen));
});
