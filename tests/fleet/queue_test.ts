import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type OpenFleet, openFleet } from "../../src/fleet/open-fleet.ts";
import { claim, resolveClaim } from "../../src/fleet/queue/claim.ts";
import { finishAttempt, finishRun, giveBack } from "../../src/fleet/queue/finish.ts";
import { take, type Taken } from "../../src/fleet/queue/take.ts";
import { queued, withPostgres } from "./_fleet.ts";

const patience = { within: 5_000 };
const taker = (labels: readonly string[] = []) => ({ worker: randomUUID(), slot: 1, labels });

async function end(fleet: OpenFleet, taken: Taken, again = false): Promise<boolean> {
  return await finishAttempt(fleet, taken, taken.job, {
    state: again ? "failed" : "passed",
    result: { status: "passed" },
    job: again ? undefined : { state: "passed", exit: 0, result: {} },
    duration: 1_200,
    events: [{ event: "file-finished" }],
  }, { priority: 0, lease: 10_000, patience });
}

const numberOf = (taken: Taken | undefined) => taken?.job.number;

Deno.test("the queue on a PostgreSQL of its own", async (t) => {
  await withPostgres(async (_, place) => {
    const fleet = await openFleet(place, { name: "a test" });
    try {
      await t.step("the longest job is first, and a run of a higher priority before it", async () => {
        await queued(fleet, [{ expected: 100 }, { expected: 9_000 }, { expected: 1_000 }]);
        await queued(fleet, [{ expected: 1, durationKey: "urgent" }], { priority: 5 });
        const order = [];
        for (let one = await take(fleet, taker()); one; one = await take(fleet, taker())) {
          order.push(one.job.duration_key);
          ok(await end(fleet, one));
        }
        deepStrictEqual(order, ["urgent", "2", "3", "1"]);
      });

      await t.step("a worker takes what its labels allow", async () => {
        await queued(fleet, [{ labels: ["gtk4", "x11"] }, { labels: ["x11"], expected: 9_000 }]);
        strictEqual(await take(fleet, taker(["gtk4"])), undefined);
        const x11 = await take(fleet, taker(["x11"]));
        strictEqual(numberOf(x11), 2);
        strictEqual(await take(fleet, taker(["x11"])), undefined);
        const both = await take(fleet, taker(["gtk4", "qt", "x11"]));
        strictEqual(numberOf(both), 1);
        for (const one of [x11, both]) if (one) ok(await end(fleet, one));
      });

      await t.step("what a lock holds is passed over, and comes when it is free", async () => {
        const jobs = [{ locks: ["printer"], expected: 900 }, { locks: ["printer", "a"], expected: 800 }, {
          expected: 1,
        }];
        await queued(fleet, jobs);
        const first = await take(fleet, taker());
        strictEqual(numberOf(first), 1);
        const other = await take(fleet, taker());
        strictEqual(numberOf(other), 3);
        strictEqual(await take(fleet, taker()), undefined);
        if (first) ok(await end(fleet, first));
        const second = await take(fleet, taker());
        strictEqual(numberOf(second), 2);
        for (const one of [other, second]) if (one) ok(await end(fleet, one));
      });

      await t.step("the same key is one run", async () => {
        const one = await queued(fleet, [{}], { key: "build 7" });
        const two = await queued(fleet, [{}, {}], { key: "build 7" });
        deepStrictEqual([one.created, two.created, one.run === two.run], [true, false, true]);
        const taken = await take(fleet, taker());
        if (taken) ok(await end(fleet, taken));
        strictEqual(await take(fleet, taker()), undefined);
        ok(await finishRun(fleet, one.run));
        ok(!await finishRun(fleet, one.run));
      });

      await t.step("a try more is another attempt, after all others", async () => {
        await queued(fleet, [{ expected: 9_000 }, { expected: 10 }]);
        const first = await take(fleet, taker());
        if (first) ok(await end(fleet, first, true));
        const second = await take(fleet, taker());
        strictEqual(numberOf(second), 2);
        const retried = await take(fleet, taker());
        deepStrictEqual([numberOf(retried), retried?.number, retried?.token], [1, 2, 0]);
        for (const one of [second, retried]) if (one) ok(await end(fleet, one));
      });

      await t.step(
        "an irreversible action is claimed once, and a delivery that is over claims nothing",
        async () => {
          await queued(fleet, [{}]);
          const step = { path: "5[2].1", step: 'click button "Send"', doneWhen: false };
          const old = await take(fleet, taker());
          if (!old) throw new Error("there is nothing to take");
          deepStrictEqual(await claim(fleet, old, step, patience), { verdict: "go", number: 1 });
          strictEqual((await claim(fleet, old, step, patience)).verdict, "doubt");
          ok(await giveBack(fleet, old, "its worker is gone"));
          strictEqual((await claim(fleet, old, { ...step, path: "6" }, patience)).verdict, "lost");
          ok(!await end(fleet, old));
          const next = await take(fleet, taker());
          if (!next) throw new Error("it was not given back");
          deepStrictEqual([next.attempt === old.attempt, next.token], [true, 1]);
          strictEqual((await claim(fleet, old, { ...step, path: "7" }, patience)).verdict, "lost");
          const found = await claim(fleet, next, step, patience);
          strictEqual(found.verdict === "doubt" && found.earlier.worker, old.worker);
          ok(await end(fleet, next));
        },
      );

      await t.step("a claim follows another one where nothing can have come of that", async () => {
        await queued(fleet, [{}]);
        const step = { path: "1", step: "send", doneWhen: true };
        const old = await take(fleet, taker());
        if (!old) throw new Error("there is nothing to take");
        await claim(fleet, old, step, patience);
        await resolveClaim(fleet, old, { path: "1", number: 1, outcome: "not_done" }, patience);
        deepStrictEqual(await claim(fleet, old, { ...step, doneWhen: false }, patience), {
          verdict: "go",
          number: 2,
        });
        ok(await giveBack(fleet, old, "its worker is frozen"));
        const next = await take(fleet, taker());
        if (!next) throw new Error("it was not given back");
        strictEqual((await claim(fleet, next, step, patience)).verdict, "doubt", "its worker may still act");
        await fleet.database.run(
          `insert into worker (id, name, host, pid, labels, desktops, version, state)
           values ($1, 'old', 'here', 1, '{}', 1, '0', 'ended')`,
          [old.worker],
        );
        strictEqual((await claim(fleet, next, { ...step, doneWhen: false }, patience)).verdict, "doubt");
        deepStrictEqual(await claim(fleet, next, step, patience), { verdict: "go", number: 3 });
        ok(await end(fleet, next));
      });

      await t.step("what was settled is written once: results, events, durations, locks", async () => {
        const { run } = await queued(fleet, [{ locks: ["x"], durationKey: "long.yaml" }]);
        const taken = await take(fleet, taker());
        if (!taken) throw new Error("there is nothing to take");
        ok(await end(fleet, taken));
        ok(await end(fleet, taken), "its answer may have been lost");
        const count = async (text: string, ...values: string[]) =>
          (await fleet.database.rows(z.object({ n: z.number() }), `select (${text})::int as n`, values))[0]
            ?.n;
        strictEqual(await count("select count(*) from event where run = $1", run), 1);
        strictEqual(await count("select count(*) from lock"), 0);
        strictEqual(await count("select duration_ms from duration where key = 'long.yaml'"), 1_200);
        strictEqual(await count("select count(*) from job where state in ('waiting', 'running')"), 0);
      });
    } finally {
      await fleet.close();
    }
  });
});
