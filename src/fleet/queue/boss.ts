import type { PgBoss } from "pg-boss";
import { optional } from "../../base/optional.ts";
import type { Database } from "../database/database.ts";
import { FLEET_PACKAGES } from "../database/load-pg.ts";
import { databaseError } from "../database/database-error.ts";

/** Seconds between two looks for leases that ran out: pg-boss's least. Workers ask for one at each poll, and the first who may looks. */
export const MONITOR = 1;
/** How often a job that its workers lost is delivered again. */
export const REDELIVERIES = 10;
/** Seconds that pg-boss keeps its row of a finished job: what became of it stands in our tables. */
const KEPT = 3_600;
/** Seconds that a job may wait or run at all. */
const LONGEST_WAIT = 14 * 86_400;
const LONGEST_RUN = 86_400 - 1;

/** Seconds of a lease where nobody says otherwise, and the least: pg-boss's own. */
export const LEASE = { usual: 30, least: 10, most: 3_600 } as const;

/** The schema of pg-boss's own tables. */
export function queueSchema(database: Database): string {
  return `${database.place.schema}_queue`;
}

/** How a queue is used. */
export interface QueueUse {
  /** Is told of as one that works: it calls pg-boss's `supervise` again and again. */
  readonly works: boolean;
  /** Told what pg-boss cannot do in the background; it goes on. */
  readonly failed?: (error: unknown) => void;
}

async function make(
  database: Database,
  { works, failed }: QueueUse,
  migrate: boolean,
): Promise<PgBoss> {
  const { PgBoss } = await optional("use a fleet", FLEET_PACKAGES, () => import("pg-boss"));
  const boss = new PgBoss({
    db: database.forQueue,
    schema: queueSchema(database),
    migrate,
    createSchema: migrate,
    // Its own timer would not tell when what it found can be put first: see `sweep`.
    supervise: false,
    monitorIntervalSeconds: MONITOR,
    maintenanceIntervalSeconds: 60,
    queueCacheIntervalSeconds: 5,
    schedule: false,
    registerInstance: works,
    openTelemetry: { enabled: false },
  });
  // Without a listener an error in the background would end the process.
  boss.on("error", (error) => failed?.(error instanceof Error ? error : new Error(JSON.stringify(error))));
  boss.on("warning", (warning) => failed?.(new Error(warning.message)));
  return boss;
}

/** Starts pg-boss on the fleet's database. Whoever does stops it: `stop({ graceful: false, close: false })`. */
export async function openQueue(database: Database, use: QueueUse): Promise<PgBoss> {
  const boss = await make(database, use, false);
  try {
    return await boss.start();
  } catch (thrown) {
    throw databaseError("use the queue", database.place, thrown);
  }
}

/** Makes pg-boss's tables, or brings them up to date. */
export async function installQueue(database: Database): Promise<void> {
  const boss = await make(database, { works: false }, true);
  try {
    await boss.start();
    await makeQueue(boss, "jobs");
  } catch (thrown) {
    throw databaseError("make the queue", database.place, thrown);
  } finally {
    await boss.stop({ graceful: false, close: false });
  }
}

/** Whether pg-boss's tables are those that this version of it uses. */
export async function queueState(database: Database): Promise<"absent" | "current" | "other"> {
  const boss = await make(database, { works: false }, false);
  if (!await boss.isInstalled()) return "absent";
  try {
    await boss.start();
    return "current";
  } catch (thrown) {
    // The one thing that it refuses by itself; a fault of the database is one.
    if (thrown instanceof Error && /migrat/i.test(thrown.message)) return "other";
    throw databaseError("read the queue", database.place, thrown);
  } finally {
    await boss.stop({ graceful: false, close: false });
  }
}

/** Milliseconds for which the names of queues are kept: a new one is served that much later. */
const NAMES = 1_000;
const names = new WeakMap<PgBoss, { readonly at: number; readonly found: Promise<readonly string[]> }>();

/** The names of all queues. */
export async function queueNames(boss: PgBoss): Promise<readonly string[]> {
  const kept = names.get(boss);
  if (kept && performance.now() - kept.at < NAMES) return await kept.found;
  const found = boss.getQueues().then((queues) => queues.map(({ name }) => name));
  names.set(boss, { at: performance.now(), found });
  // One that failed is not kept.
  found.catch(() => names.delete(boss));
  return await found;
}

/** Makes a queue where it is not there yet. */
export async function makeQueue(boss: PgBoss, name: string): Promise<void> {
  names.delete(boss);
  await boss.createQueue(name, {
    retryLimit: REDELIVERIES,
    retryDelay: 0,
    heartbeatSeconds: LEASE.usual,
    expireInSeconds: LONGEST_RUN,
    retentionSeconds: LONGEST_WAIT,
    deleteAfterSeconds: KEPT,
    // Its warning would be an entry in a table that nobody reads.
    warningQueueSize: 1_000_000,
  });
}
