/**
 * A worker of the benchmark: takes jobs and ends them at once, with the product's own `take` and `finishAttempt`, or by
 * batch with pg-boss's calls alone. Arguments: URL, slots, batch (0: one at a time). Ends when there is nothing to do.
 */
import { randomUUID } from "node:crypto";
import process from "node:process";
import { readFleetUrl } from "../../../src/fleet/database/place.ts";
import { type OpenFleet, openFleet } from "../../../src/fleet/open-fleet.ts";
import { finishAttempt } from "../../../src/fleet/queue/finish.ts";
import { take } from "../../../src/fleet/queue/take.ts";

const [url = "", slots = "8", batch = "0"] = process.argv.slice(2);
const fleet = await openFleet(readFleetUrl(url), {
  name: "backstep worker bench",
  works: true,
  connections: Number(slots) + 2,
});
console.log("ready");
await new Promise<void>((go) => process.stdin.once("data", () => go()));
const worker = randomUUID();
const all = Array.from({ length: Number(slots) }, (_, index) => index + 1);
await Promise.all(
  all.map((slot) => Number(batch) > 0 ? byBatch(fleet, Number(batch)) : oneByOne(fleet, slot)),
);
await fleet.close();
process.exit(0);

async function oneByOne(fleet: OpenFleet, slot: number): Promise<void> {
  for (;;) {
    const taken = await take(fleet, { worker, slot, labels: [] });
    if (!taken) return;
    const result = { id: taken.job.duration_key, status: "passed" };
    const written = await finishAttempt(fleet, taken, taken.job, {
      state: "passed",
      result,
      job: { state: "passed", exit: 0, result },
      duration: 1,
      events: [{ event: "file-finished", result }],
    }, { priority: 0, lease: taken.lease, patience: { within: 10_000 } });
    if (!written) throw new Error("its end was not written");
  }
}

async function byBatch({ boss }: OpenFleet, size: number): Promise<void> {
  for (;;) {
    const jobs = await boss.fetch("jobs", { batchSize: size });
    if (jobs.length === 0) return;
    await boss.complete("jobs", jobs.map(({ id, retryCount }) => ({ id, retryCount })));
  }
}
