import assert from "node:assert/strict";
import { stepPromises } from "./promises.ts";
import type { StepRow } from "./step.ts";

const row = (of: Partial<StepRow>): StepRow => ({
  app: "chromium",
  kind: "all",
  what: "median act",
  method: null,
  ms: 1,
  calls: 0,
  trees: 0,
  nodes: 0,
  waits: 0,
  waited_ms: 0,
  own_ms: 0,
  ops: {},
  peer: "playwright",
  peer_ms: 1,
  ratio: null,
  lean_ms: null,
  samples: 1,
  peer_samples: 1,
  ...of,
});
const counts = (of: Partial<StepRow>) => {
  const { broken, unreached } = stepPromises([row(of)]);
  return [broken.length, unreached.length];
};

Deno.test("a ratio is kept, not reached, or broken", () => {
  assert.deepEqual(counts({ ratio: 1 }), [0, 0]);
  assert.deepEqual(counts({ ratio: 1.5 }), [0, 1]);
  assert.deepEqual(counts({ ratio: 1.6 }), [1, 0]);
  assert.deepEqual(counts({ ratio: null }), [0, 0]);
});

Deno.test("an act of more calls, or with a whole tree, does not reach what is meant", () => {
  assert.deepEqual(counts({ kind: "act", calls: 10 }), [0, 0]);
  assert.deepEqual(counts({ kind: "act", calls: 11 }), [0, 1]);
  assert.deepEqual(counts({ kind: "act", trees: 1 }), [0, 1]);
});
