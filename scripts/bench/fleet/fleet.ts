import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { pause } from "../../../src/base/call.ts";
import { newRunId } from "../../../src/engine/run/run-id.ts";
import { EmbeddedPostgres } from "../../../src/fleet/embedded/postgres.ts";
import { readFleetUrl } from "../../../src/fleet/database/place.ts";
import { type OpenFleet, openFleet } from "../../../src/fleet/open-fleet.ts";
import { enqueue } from "../../../src/fleet/queue/enqueue.ts";
import { allProcesses, readProcessTime } from "./processor-time.ts";

/** What is measured, and what is promised of it. */
export interface FleetRow {
  readonly what: string;
  readonly value: number;
  readonly unit: "jobs/s" | "s" | "% of a core" | "x";
  readonly note: string;
}

/** Jobs a second with two workers; share of a core of a worker and its database that have nothing to do; slower by history. */
export const PROMISED = { rate: 200, idle: 5, history: 1.5 } as const;

const WORKERS = 2, SLOTS = 6, JOBS = 3_000, BATCH = 20, HISTORY = 100_000;
/** Seconds that idleness is measured for. */
const IDLE = 15;
const ROOT = resolve(import.meta.dirname ?? "", "../../..");

/** Measures the queue on a PostgreSQL of its own. */
export async function fleetBench(): Promise<FleetRow[]> {
  const folder = mkdtempSync("/tmp/bsb-");
  chmodSync(folder, 0o755);
  const postgres = new EmbeddedPostgres({ folder: join(folder, "pg") });
  try {
    await postgres.start();
    const fleet = await openFleet(readFleetUrl(postgres.url), { name: "bench" });
    try {
      return await measure(fleet, postgres, folder);
    } finally {
      await fleet.close();
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(fleet: OpenFleet, postgres: EmbeddedPostgres, folder: string): Promise<FleetRow[]> {
  const { url } = postgres;
  const rate = (seconds: number) => Math.round(JOBS / seconds);
  const row = (what: string, value: number, unit: FleetRow["unit"], note: string): FleetRow => ({
    what,
    value,
    unit,
    note,
  });
  const submitted = await add(fleet);
  const fresh = await drain(url, 0);
  await fleet.database.run("vacuum analyze");
  await add(fleet);
  const analysed = await drain(url, 0);
  await add(fleet);
  await fleet.database.run("vacuum analyze");
  const batch = await drain(url, BATCH);
  const idle = await idleness(url, postgres, folder);
  await history(fleet);
  await fleet.database.run("vacuum analyze");
  await add(fleet);
  const old = await drain(url, 0);
  return [
    row("submit", rate(submitted), "jobs/s", `${JOBS} jobs in one transaction`),
    row("one at a time, before autovacuum", rate(fresh), "jobs/s", `${WORKERS} workers, ${SLOTS} slots each`),
    row(
      "one at a time, after autovacuum",
      rate(analysed),
      "jobs/s",
      `${WORKERS} workers, ${SLOTS} slots each`,
    ),
    row(`by batch of ${BATCH}`, rate(batch), "jobs/s", "pg-boss's fetch and complete alone"),
    row("idle worker", idle.worker, "% of a core", `over ${IDLE} s`),
    row("idle PostgreSQL", idle.database, "% of a core", `over ${IDLE} s`),
    row(`after ${HISTORY} finished jobs`, rate(old), "jobs/s", `${WORKERS} workers, ${SLOTS} slots each`),
    row("slower by them", Math.round(old / analysed * 100) / 100, "x", "time with them, by time without"),
  ];
}

async function add(fleet: OpenFleet): Promise<number> {
  const began = performance.now();
  await enqueue(
    fleet,
    {
      id: newRunId(),
      name: "bench",
      priority: 0,
      options: {},
      submittedBy: "bench",
      lease: 30_000,
      blobs: [],
      events: [],
    },
    Array.from({ length: JOBS }, (_, index) => ({
      test: { id: `${index}` },
      spec: {},
      files: {},
      labels: [],
      locks: [],
      durationKey: `${index}`,
      retries: 0,
    })),
  );
  return (performance.now() - began) / 1_000;
}

/** Seconds until two workers have done all that is queued. */
async function drain(url: string, batch: number): Promise<number> {
  const workers = Array.from({ length: WORKERS }, () => {
    const script = join(import.meta.dirname ?? "", "worker.ts");
    return spawn(process.execPath, ["run", "-A", "--quiet", script, url, String(SLOTS), String(batch)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
  });
  try {
    await Promise.all(workers.map(ready));
    const began = performance.now();
    const ends = workers.map(finished);
    for (const worker of workers) worker.stdin?.write("go\n");
    await Promise.all(ends);
    return (performance.now() - began) / 1_000;
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolved, rejected) => {
    child.stdout?.once("data", () => resolved());
    child.once("exit", (code) => rejected(new Error(`a worker of the benchmark ended with ${code}`)));
  });
}

function finished(child: ChildProcess): Promise<void> {
  return new Promise((resolved, rejected) => {
    child.once(
      "exit",
      (code) => code === 0 ? resolved() : rejected(new Error(`a worker ended with ${code}`)),
    );
  });
}

/** What a real worker and the database take of a core when there is nothing to do. */
async function idleness(
  url: string,
  postgres: EmbeddedPostgres,
  folder: string,
): Promise<{ readonly worker: number; readonly database: number }> {
  const child = spawn(
    process.execPath,
    ["run", "-A", "--quiet", join(ROOT, "bin.ts"), "fleet", "worker", "--desktops", "4"],
    {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, BACKSTEP_STATE: folder, BACKSTEP_FLEET_URL: url },
    },
  );
  try {
    await new Promise<void>((begun) => child.stderr?.once("data", () => begun()));
    await pause(3_000);
    const server = postgres.pid ?? 0;
    const ofServer = () =>
      allProcesses().filter(({ pid, parent }) => pid === server || parent === server).map(({ pid }) => pid);
    const [worker, database] = [readProcessTime([child.pid ?? 0]), readProcessTime(ofServer())];
    const began = performance.now();
    await pause(IDLE * 1_000);
    const share = (from: number, to: number) =>
      Math.round((to - from) / (performance.now() - began) * 1_000) / 10;
    return {
      worker: share(worker, readProcessTime([child.pid ?? 0])),
      database: share(database, readProcessTime(ofServer())),
    };
  } finally {
    const gone = new Promise<void>((done) => child.once("exit", () => done()));
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), 20_000);
    await gone;
    clearTimeout(late);
  }
}

/** Finished jobs as they lie there after a while; pg-boss keeps none. */
async function history({ database }: OpenFleet): Promise<void> {
  const run = newRunId();
  await database.run(
    `insert into run (id, name, state, options, jobs, submitted_by, finished_at)
     values ($1, 'history', 'finished', '{}', $2, 'bench', now())`,
    [run, HISTORY],
  );
  await database.run(
    `insert into job (run, number, test, spec, files, duration_key, state, exit, result, finished_at)
     select $1, n, '{}', '{}', '{}', 'old ' || n, 'passed', 0, '{}', now() from generate_series(1, $2::int) as n`,
    [run, HISTORY],
  );
  await database.run(
    `insert into attempt (id, job, number, queue, state, deliveries, finished_at)
     select gen_random_uuid(), id, 1, 'jobs', 'passed', 1, now() from job where run = $1`,
    [run],
  );
}

/** The rows for people. */
export function fleetTable(rows: readonly FleetRow[]): string {
  return rows.map(({ what, value, unit, note }) =>
    `${what.padEnd(36)} ${String(value).padStart(8)} ${unit.padEnd(12)} ${note}`
  ).join("\n");
}

/** Promises that a measurement does not keep, as sentences. */
export function fleetFaults(rows: readonly FleetRow[]): string[] {
  const of = (start: string) => rows.find(({ what }) => what.startsWith(start))?.value ?? NaN;
  const rate = of("one at a time, after");
  const idle = of("idle worker");
  const slower = of("slower");
  return [
    ...(rate >= PROMISED.rate ? [] : [`at least ${PROMISED.rate} jobs a second: ${rate}`]),
    ...(idle <= PROMISED.idle ? [] : [`an idle worker within ${PROMISED.idle} % of a core: ${idle}`]),
    ...(slower <= PROMISED.history
      ? []
      : [`at most ${PROMISED.history}x as long after ${HISTORY} jobs: ${slower}x`]),
  ];
}
