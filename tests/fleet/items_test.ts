import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { newRunId } from "../../src/engine/run/run-id.ts";
import { asCsv, exported } from "../../src/fleet/items/export.ts";
import { type ItemLoad, loadItems } from "../../src/fleet/items/load.ts";
import { noteOutcome } from "../../src/fleet/items/outcome.ts";
import { retryItems } from "../../src/fleet/items/retry.ts";
import { itemList, itemNamed, itemsOf, type ItemState } from "../../src/fleet/items/rows.ts";
import { readSpec } from "../../src/fleet/jobs/spec.ts";
import { type OpenFleet, openFleet } from "../../src/fleet/open-fleet.ts";
import { finishAttempt } from "../../src/fleet/queue/finish.ts";
import { take, type Taken } from "../../src/fleet/queue/take.ts";
import type { TestTryResult } from "../../src/report/reporter.ts";
import { itemsIn } from "../../src/workflow/read-items.ts";
import { withPostgres } from "./_fleet.ts";

const NEVER = new Date("2999-01-01T00:00:00Z");
const newRun = () => ({
  id: newRunId(),
  name: "orders",
  priority: 0,
  options: {},
  submittedBy: "a test",
  lease: 10_000,
});

function load(fleet: OpenFleet, csv: string, more: Partial<ItemLoad> = {}) {
  return loadItems(fleet, { ...newRun(), blobs: [] }, {
    list: "orders",
    items: itemsIn(csv, "orders.csv"),
    keyField: "id",
    job: {
      test: { id: "order.yaml", file: "order.yaml", name: "Order", tags: [] },
      spec: { version: 1, id: "order.yaml", file: "order.yaml", cwd: "", given: { vars: {} } },
      files: {},
      labels: [],
      locks: [],
      durationKey: "order.yaml",
      retries: 0,
    },
    ...more,
  });
}

const taker = () => ({ worker: randomUUID(), slot: 1, labels: [] });

async function next(fleet: OpenFleet): Promise<Taken> {
  const taken = await take(fleet, taker());
  assert.ok(taken, "there is a job");
  return taken;
}

/** Ends a try as a worker does; `again`: it is tried once more. */
async function end(
  fleet: OpenFleet,
  taken: Taken,
  last: Partial<TestTryResult> & Pick<TestTryResult, "status">,
  again = false,
): Promise<void> {
  const result: TestTryResult = {
    test: "t",
    file: "order.yaml",
    attempt: taken.number,
    worker: 1,
    run: "r",
    folder: "",
    state: "",
    exit: last.status === "passed" ? 0 : 1,
    began: 0,
    duration_ms: 1,
    ...last,
  };
  const done = await finishAttempt(fleet, taken, taken.job, {
    state: last.status === "passed" ? "passed" : "failed",
    result,
    job: again
      ? undefined
      : { state: last.status === "passed" ? "passed" : "failed", exit: result.exit, result: {} },
    events: [],
    also: again ? undefined : (tx) => noteOutcome(tx, taken.job, result),
  }, { priority: 0, lease: 10_000, patience: { within: 5_000 } });
  assert.ok(done);
}

const rolledBack = (verdict: "restored" | "drift", drift: readonly string[] = []) => ({
  run: "r",
  workflow: "w",
  desktop: { kind: "simulated" as const, label: "simulated" },
  status: "failed" as const,
  exit: 1,
  duration_ms: 1,
  steps: [],
  rollback: {
    verdict,
    steps: [],
    enrolled: [],
    drift: drift.map((participant) => ({ participant, property: "text", expected: "a", actual: "b" })),
  },
  unstable: [],
});

async function states(fleet: OpenFleet, list = "orders"): Promise<string[]> {
  const found: string[] = [];
  for await (const { number, state } of itemsOf(fleet.database, list)) found.push(`${number} ${state}`);
  return found;
}

Deno.test("work items in a database", async (t) => {
  await withPostgres(async (_, place) => {
    const fleet = await openFleet(place, { name: "a test" });
    try {
      await t.step(
        "each item is a job with its fields, and one that is there already is left alone",
        async () => {
          const first = await load(fleet, 'id,customer\nA1,Ada\nA2,"=Grace"\nA3,Hedy\n');
          assert.deepEqual([first.loaded, first.existing], [3, 0]);
          const again = await load(fleet, "id,customer\nA2,Grace\nA4,Mary\n");
          assert.deepEqual([again.loaded, again.existing], [1, 1]);
          const none = await load(fleet, "id,customer\nA1,Ada\n");
          assert.deepEqual([none.loaded, none.existing, none.run], [0, 1, undefined]);
          assert.deepEqual(await states(fleet), ["1 new", "2 new", "3 new", "4 new"]);
        },
      );

      await t.step("an item follows its job: begun, tried again, done, failed, rejected", async () => {
        const one = await next(fleet);
        const spec = readSpec(one.job.spec);
        assert.deepEqual(spec.given, { vars: {}, item: { id: "A1", customer: "Ada" } });
        assert.equal(spec.id, "order.yaml [orders A1]");
        assert.deepEqual(await states(fleet), ["1 in_progress", "2 new", "3 new", "4 new"]);
        await end(fleet, one, { status: "failed" }, true);
        assert.equal((await states(fleet))[0], "1 in_progress", "between two tries");
        const two = await next(fleet);
        await end(fleet, two, {
          status: "failed",
          result: rolledBack("drift", ['text of textfield "Name"']),
          error: { code: "assertion", message: "the total is\0 wrong" },
        });
        await end(fleet, await next(fleet), {
          status: "failed",
          result: { ...rolledBack("restored"), rejected: "customer unknown" },
          error: { code: "rejected", message: "Rejected: customer unknown" },
        });
        // The first one's second try came behind all others.
        const last = await next(fleet);
        assert.deepEqual(await states(fleet), ["1 in_progress", "2 failed", "3 rejected", "4 in_progress"]);
        const again = await next(fleet);
        assert.deepEqual([last.job.number, again.number], [1, 2]);
        const result = {
          ...rolledBack("restored"),
          steps: [step("total", { value: "+12" }), step("list", [1, 2])],
        };
        await end(fleet, again, { status: "passed", result });
        await end(fleet, last, { status: "passed" });
        assert.deepEqual(await states(fleet), ["1 done", "2 failed", "3 rejected", "4 done"]);
        assert.deepEqual((await itemList(fleet.database, "orders")).counts, {
          new: 0,
          in_progress: 0,
          done: 2,
          failed: 1,
          rejected: 1,
          cancelled: 0,
        });
      });

      await t.step(
        "an export says what became of each, with its fields and what its steps returned",
        async () => {
          const items = [];
          for await (const row of itemsOf(fleet.database, "orders")) items.push(exported(row));
          assert.deepEqual(
            items.map((
              { key, state, attempts, reason, rollback },
            ) => [key, state, attempts, reason, rollback]),
            [
              ["A1", "done", 2, null, "restored"],
              ["A2", "failed", 1, "the total is\ufffd wrong", "drift"],
              ["A3", "rejected", 1, "customer unknown", "restored"],
              ["A4", "done", 1, null, "unknown"],
            ],
          );
          const lines = asCsv(items).split("\n");
          assert.equal(
            lines[0],
            "number,key,state,attempts,reason,rollback,drift,started,finished,run,id,customer,results.total.value,results.list",
          );
          assert.match(lines[1] ?? "", /^1,A1,done,2,,restored,.*,A1,Ada,'\+12,"\[1,2\]"$/);
          assert.match(
            lines[2] ?? "",
            /"text of textfield ""Name"": text should be ""a"", is ""b""".*,A2,=Grace,,$/,
          );
        },
      );

      await t.step("failed ones are done again, and rejected ones where that is asked for", async () => {
        const again = await retryItems(fleet, newRun(), "orders", {});
        assert.equal(again.retried, 1);
        assert.deepEqual(await states(fleet), ["1 done", "2 new", "3 rejected", "4 done"]);
        assert.equal((await itemNamed(fleet.database, "orders", "A2")).run, again.run);
        await end(fleet, await next(fleet), { status: "passed" });
        assert.equal((await itemNamed(fleet.database, "orders", "2")).state, "done");
        assert.equal((await retryItems(fleet, newRun(), "orders", {})).retried, 0);
        const rejected: ItemState[] = ["rejected"];
        assert.equal(
          (await retryItems(fleet, newRun(), "orders", { states: rejected, names: ["A9"] })).retried,
          0,
        );
        assert.equal(
          (await retryItems(fleet, newRun(), "orders", { states: rejected, names: ["A3"] })).retried,
          1,
        );
        await assert.rejects(retryItems(fleet, newRun(), "orders", { states: ["done"] }), { code: "usage" });
        await assert.rejects(retryItems(fleet, newRun(), "ordres", {}), {
          code: "not_found",
          hint: /orders/,
        });
        await end(fleet, await next(fleet), { status: "passed" });
      });

      await t.step("an item that may not begin yet is not given to a worker", async () => {
        await load(fleet, "id\nL1\n", { list: "later", notBefore: { at: NEVER } });
        assert.equal(await take(fleet, taker()), undefined);
        assert.deepEqual(await states(fleet, "later"), ["1 new"]);
        const over = { at: new Date(0) };
        await assert.rejects(load(fleet, "id\nL2\n", { list: "later", deadline: over }), { code: "usage" });
      });

      await t.step("two that load the same at once load it once", async () => {
        const csv = `id\n${Array.from({ length: 50 }, (_, n) => `K${n}`).join("\n")}\n`;
        const both = await Promise.all([1, 2].map(() => load(fleet, csv, { list: "twice" })));
        assert.equal(both.reduce((sum, { loaded }) => sum + loaded, 0), 50);
        assert.equal((await itemList(fleet.database, "twice")).total, 50);
      });

      await t.step("items that have no key, or the same one, are refused with their lines", async () => {
        await assert.rejects(load(fleet, "id\nA\nA\n"), {
          code: "usage",
          message: /line 3 has the key "A" of line 2/,
        });
        await assert.rejects(load(fleet, "ix\nA\n"), {
          code: "usage",
          message: /line 2 has no text or number/,
        });
      });
    } finally {
      await fleet.close();
    }
  });
});

function step(id: string, output: { value: string } | number[]) {
  return {
    path: "1",
    id,
    name: id,
    operation: "value",
    effect: "read" as const,
    status: "passed" as const,
    duration_ms: 1,
    output,
  };
}
