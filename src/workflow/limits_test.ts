import { equal, ok, throws } from "node:assert/strict";
import { FAKE_CATALOGUE } from "./_catalogue.ts";
import { faultOf, steps } from "./_refusal.ts";
import { parseWorkflow } from "./parse.ts";

Deno.test("all faults of a file are reported at once, in the order they stand", () => {
  const error = faultOf(
    ["nam: n", "session: x", "steps:", "  - clik: a", "  - set: { target: a, value: 1 }"].join("\n"),
  );
  const faults = error.details?.["faults"];
  ok(Array.isArray(faults));
  const lines = faults.map((fault) => JSON.stringify(fault).match(/"line":(\d+)/)?.[1]);
  equal(lines.join(" "), "1 2 4 5");
  equal(error.message, 'unknown key "nam" in the workflow');
});

Deno.test("no more than twenty faults are reported, and the rest is counted", () => {
  const error = faultOf(steps(...Array.from({ length: 30 }, () => "  - clik: a")));
  const faults = error.details?.["faults"];
  ok(Array.isArray(faults));
  equal(faults.length, 20);
  equal(error.details?.["total"], 30);
});

Deno.test("an alias bomb is refused", () => {
  const lines = ["name: n", "a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 9; i++) lines.push(`a${i}: &a${i} [${Array(9).fill(`*a${i - 1}`).join(", ")}]`);
  const error = faultOf([...lines, "steps: []"].join("\n"));
  ok(JSON.stringify(error.details).includes("aliases"), error.message);
});

Deno.test("brackets without end are refused", () => {
  throws(() => parseWorkflow("[".repeat(200_000), { file: "f.yaml", operations: [] }), { code: "workflow" });
  const nested = `name: n\nsteps: ${"[".repeat(500)}${"]".repeat(500)}`;
  ok(faultOf(nested).message.includes("nest"), faultOf(nested).message);
});

Deno.test("steps nest 32 levels and no more", () => {
  const nest = (levels: number) =>
    `{"name":"n","steps":${'[{"transaction":'.repeat(levels - 1)}[{"click":"a"}]${"}]".repeat(levels - 1)}}`;
  equal(parseWorkflow(nest(32), { file: "f.yaml", operations: FAKE_CATALOGUE }).steps.length, 1);
  ok(faultOf(nest(33)).message.includes("deeper than 32 levels"));
});

Deno.test("a file has 10,000 steps and no more", () => {
  const many = (count: number) => steps(...Array.from({ length: count }, () => "- press: a"));
  ok(faultOf(many(10_001)).message.includes("more than 10000 steps"));
  equal(parseWorkflow(many(10_000), { file: "f.yaml", operations: FAKE_CATALOGUE }).steps.length, 10_000);
});

Deno.test("a file beyond one MiB is refused", () => {
  ok(faultOf(`name: n\nsteps: []\n#${"x".repeat(1 << 20)}`).message.includes("larger than"));
});

Deno.test("very many keys are not compared each with every other one", () => {
  const took = (count: number) => {
    const keys = Array.from({ length: count }, (_, k) => `k${k}: 1`).join("\n");
    const started = performance.now();
    ok(faultOf(keys).message.includes("unknown key"));
    return performance.now() - started;
  };
  took(1_000);
  // Twelve times the keys: about 12 times as long, and 60 and more when each is compared. How fast the machine is does not
  // matter; that it was held up in one of the two may, so that the best of some tries counts.
  let ratio = Infinity;
  for (let tries = 0; tries < 5 && ratio >= 30; tries++) {
    const few = took(2_000);
    ratio = Math.min(ratio, took(24_000) / few);
  }
  ok(ratio < 30, `${ratio} times as long`);
});

Deno.test("a number and a text that read alike are one key", () => {
  equal(
    faultOf(`name: n\nvars: { x: { 1: a, "1": b } }\nsteps: []`).message,
    'the key "1" is already there, in line 2',
  );
});
