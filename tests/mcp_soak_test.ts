import assert from "node:assert/strict";
import { faultsOf, soak, type Soaked } from "../scripts/soak.ts";

Deno.test("sessions over HTTP that are dropped end by themselves", async () => {
  // What they leave in memory is seen after more of them: `deno task soak`.
  const soaked = await soak({ sessions: 20, calls: 100, concurrency: 10, idleMs: 1_000 });
  assert.deepEqual([soaked.failed, soaked.calls, soaked.end.sessions], [[], 100, [0, 0]]);
});

Deno.test("what is left, grew or failed is a fault", () => {
  const held = { rss: 100, heapUsed: 100, sessions: [0, 0] as const, connections: 0, faults: [] };
  const good: Soaked = {
    sessions: 1,
    calls: 1,
    failed: [],
    callsPerSecond: 1,
    p50: 1,
    p95: 1,
    start: held,
    busy: held,
    end: { ...held, rss: 119 },
  };
  assert.deepEqual(faultsOf(good), []);
  assert.equal(faultsOf({ ...good, failed: ["ax_find: no"] }).length, 1);
  assert.equal(faultsOf({ ...good, end: { ...held, sessions: [0, 1] } }).length, 1);
  assert.equal(faultsOf({ ...good, end: { ...held, rss: 121, heapUsed: 121 } }).length, 2);
});
