/** The fleet under faults: see USAGE. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pause } from "../src/base/call.ts";
import { seeded } from "../src/base/random.ts";
import { EmbeddedPostgres } from "../src/fleet/embedded/postgres.ts";
import { patiently } from "../src/fleet/database/database.ts";
import { listen } from "../src/fleet/database/listen.ts";
import { readFleetUrl } from "../src/fleet/database/place.ts";
import { openFleet } from "../src/fleet/open-fleet.ts";
import { MONITOR } from "../src/fleet/queue/boss.ts";
import { submit } from "../src/fleet/submit.ts";
import { POLL } from "../src/fleet/worker/worker.ts";
import { Faults, LEASE } from "./fleet-chaos/faults.ts";
import { judge } from "./fleet-chaos/judge.ts";
import { Machine } from "./fleet-chaos/machine.ts";
import { makeWorld } from "./fleet-chaos/world.ts";
import { z } from "zod";
import { optionsOf } from "./options.ts";

const USAGE =
  `deno task fleet-chaos [--jobs N] [--seed S] [--kills N] [--workers N] [--desktops N] [--on simulated|gtk3] [--limit SECONDS]
                      [--without-claims] [--keep] [--format json|text]

The fleet under faults: jobs that each do three irreversible actions, on workers and a PostgreSQL that are killed, frozen, cut
off and restarted by chance. The world's own log says what was done: each action at most once, each job that passed all of its
three, each other one in doubt with an error that says so.

  --desktops         of a worker; default 2
  --format           text (the default) or json
  --jobs             default 300
  --keep             leaves the folder of the database there
  --kills            faults while jobs run; default: as many as there is time for
  --limit            seconds for all of it; default 600
  --on               simulated (the default) or gtk3
  --seed             a whole number; default 1
  --without-claims   forgets each claim as it is made: then actions are done twice, and the judge must say so
  --workers          default 3`;

const { values } = optionsOf(USAGE, {
  options: {
    jobs: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    kills: { type: "string", default: "1000000" },
    workers: { type: "string", default: "3" },
    desktops: { type: "string", default: "2" },
    limit: { type: "string", default: "600" },
    on: { type: "string", default: "simulated" },
    format: { type: "string", default: "text" },
    keep: { type: "boolean", default: false },
    "without-claims": { type: "boolean", default: false },
  },
});
const jobs = Number(values.jobs);
const seed = Number(values.seed);
const kills = Number(values.kills);
const workers = Number(values.workers);
const desktops = Number(values.desktops);
const limit = Number(values.limit);
const on = values.on === "gtk3" ? "gtk3" : "simulated";
const json = values.format === "json";
const log = (line: string) => console.error(line);

/** Milliseconds after which the next fault comes although few jobs were done since the last one. */
const PATIENCE = 15_000;
/** A claim tells the name of its worker; the mutant forgets it at once. */
const TRIGGER = `
create function chaos_claim() returns trigger language plpgsql as $$
begin
  perform pg_notify('chaos_claim', (select name from worker where id = new.worker));
  return ${values["without-claims"] ? "null" : "new"};
end $$;
create trigger chaos before insert on claim for each row execute function chaos_claim()`;

const began = performance.now();
const folder = mkdtempSync("/tmp/bsc-");
const postgres = new EmbeddedPostgres({ folder: join(folder, "pg") });
const over = new AbortController();
const machines: Machine[] = [];
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => void tidy().finally(() => process.exit(130)));
}
try {
  process.exitCode = await experiment();
} finally {
  await tidy();
}

/** Nothing of it is left, however it ends. */
async function tidy(): Promise<void> {
  over.abort();
  for (const machine of machines) machine.signal("all", "SIGKILL");
  await postgres.stop();
  if (!values.keep) rmSync(folder, { recursive: true, force: true });
  else log(`kept: ${folder}`);
}

async function experiment(): Promise<number> {
  // Whoever runs PostgreSQL comes through here.
  const { chmodSync } = await import("node:fs");
  chmodSync(folder, 0o755);
  await postgres.start();
  const { url } = postgres;
  const place = readFleetUrl(url);
  const world = makeWorld(folder, on);
  const fleet = await openFleet(place, { name: "chaos" });
  await fleet.database.run(TRIGGER);
  let waiting: ((name: string | undefined) => void) | undefined;
  const listener = await listen(place, "chaos", ["chaos_claim"], (_, name) => {
    if (name !== "") waiting?.(name);
  });
  const claimed = async (within: number) => {
    const heard = Promise.withResolvers<string | undefined>();
    const timer = setTimeout(() => heard.resolve(undefined), within);
    waiting = heard.resolve;
    const name = await heard.promise;
    clearTimeout(timer);
    waiting = undefined;
    return name;
  };
  const { run } = await submit(fleet, {
    files: Array.from({ length: jobs }, (_, index) => ({
      id: String(index + 1),
      file: "send.yaml",
      path: world.workflow,
      description: undefined,
      locks: [],
      expected: undefined,
      job: { vars: { id: String(index + 1) }, evidence: "off" as const },
    })),
    job: { vars: {} },
    folder: join(world.workflow, ".."),
    labels: [on === "gtk3" ? "gtk3" : "simulated"],
    priority: 0,
    lease: LEASE,
    retries: 0,
    failOnFlaky: false,
  });
  for (let number = 1; number <= workers; number++) {
    const machine = new Machine({ name: `m${number}`, folder, url, desktops, programs: world.programs });
    machine.start();
    machines.push(machine);
  }
  const faults = new Faults({
    machines,
    postgres,
    database: fleet.database,
    random: seeded(seed),
    claimed,
    over: over.signal,
    log,
  });
  const deadline = began + limit * 1_000;
  // Faults are spread over the jobs, so that most of them happen while others go on; at the latest after a while.
  const share = jobs * 0.9 / Math.max(1, kills);
  let last = performance.now();
  let done = 0;
  let measured: readonly number[] | undefined;
  let reportedAt = performance.now();
  while (performance.now() < deadline) {
    const open = await openJobs(fleet, run);
    if (performance.now() - reportedAt > 15_000) {
      reportedAt = performance.now();
      log(`${jobs - open} of ${jobs} jobs, ${done} faults, ${Math.round((reportedAt - began) / 1_000)} s`);
    }
    if (open === 0) break;
    const due = jobs - open >= done * share || performance.now() - last > PATIENCE;
    if (done < kills && due && open < jobs) {
      await faults.next();
      done++;
      last = performance.now();
      await pause(150);
    } else if (done < kills) await pause(100);
    else if (measured === undefined && open < jobs) measured = await faults.measure();
    else await pause(250);
    for (const machine of machines) if (!machine.runs && done >= kills) await revive(machine, faults);
  }
  over.abort();
  await faults.finish();
  const verdict = await patiently(() => judge(fleet.database, run, world.lines()), { within: 60_000 });
  for (const machine of machines) await machine.stop();
  await listener.close();
  await fleet.close();
  const slowest = Math.round(Math.max(0, ...faults.redeliveries));
  // The lease is found to be over by the next look, for which somebody asks at each poll.
  const bound = LEASE + MONITOR * 1_000 + POLL;
  const late = (measured ?? []).filter((one) => one > bound);
  const seconds = Math.round((performance.now() - began) / 1_000);
  const bad = late.length + verdict.lost.length + verdict.doubled.length + verdict.wrong.length +
    verdict.unnamed.length;
  if (json) {
    console.log(
      JSON.stringify({ ...verdict, faults: Object.fromEntries(faults.counts), kills: faults.kills, slowest }),
    );
  } else {
    for (const [kind, n] of faults.counts) console.log(`${String(n).padStart(5)}  ${kind}`);
    for (
      const line of [
        ...verdict.doubled.map((one) => `TWICE ${one}`),
        ...verdict.wrong.map((one) => `WRONG ${one}`),
      ]
    ) {
      console.log(line);
    }
    for (const key of verdict.lost) console.log(`LOST ${key}`);
    for (const key of verdict.unnamed) console.log(`UNNAMED ${key}`);
  }
  const shown = (measured ?? []).map((one) => `${Math.round(one)} ms`).join(", ") || "not measured";
  console.log(
    `redelivery from one dead machine: ${shown}; bound ${bound} ms (lease ${LEASE}, look ${
      MONITOR * 1_000
    }, poll ${POLL}); under further faults: ${faults.redeliveries.length}, the slowest after ${slowest} ms`,
  );
  console.log(
    `fleet chaos: seed ${seed}, ${verdict.jobs} jobs on ${on}, ${workers} workers, ${done} faults, ${faults.kills} kills; ` +
      `${verdict.passed} passed, ${verdict.doubts} in doubt, ${verdict.lost.length} lost, ` +
      `${verdict.doubled.length} actions done twice, ${verdict.wrong.length} wrong, ${verdict.unnamed.length} unnamed; ` +
      `died between claim and action ${verdict.between}, after it ${verdict.after}; ` +
      `${verdict.redelivered} redelivered, ${seconds} s`,
  );
  return bad === 0 ? 0 : 1;
}

async function revive(machine: Machine, faults: Faults): Promise<void> {
  await faults.finish();
  if (!machine.runs) machine.start();
}

async function openJobs(fleet: Awaited<ReturnType<typeof openFleet>>, run: string): Promise<number> {
  const [found] = await patiently(() =>
    fleet.database.rows(
      z.object({ n: z.number() }),
      "select count(*)::int as n from job where run = $1 and state in ('waiting', 'running')",
      [run],
    ), { within: 60_000 });
  return found?.n ?? 0;
}
