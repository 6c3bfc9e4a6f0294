import { mkdtempSync, rmSync } from "node:fs";
import { EmbeddedPostgres } from "../../src/fleet/embedded/postgres.ts";
import { readFleetUrl } from "../../src/fleet/database/place.ts";
import type { FleetPlace } from "../../src/fleet/database/place.ts";
import { newRunId } from "../../src/engine/run/run-id.ts";
import { enqueue, type Enqueued, type NewJob, type NewRun } from "../../src/fleet/queue/enqueue.ts";
import type { Fleet } from "../../src/fleet/queue/fleet.ts";

/** A PostgreSQL of a test's own, which goes with it. */
export async function withPostgres(
  use: (postgres: EmbeddedPostgres, place: FleetPlace) => Promise<void>,
): Promise<void> {
  // As a user's folder may be called.
  const folder = mkdtempSync("/tmp/bsf, user's ");
  const postgres = new EmbeddedPostgres({ folder, settings: ["fsync=off"] });
  try {
    await postgres.start();
    await use(postgres, readFleetUrl(postgres.url));
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Queues jobs that nothing is said of but what matters. */
export async function queued(
  fleet: Fleet,
  jobs: readonly Partial<NewJob>[],
  run: Partial<NewRun> = {},
): Promise<Enqueued> {
  const id = newRunId();
  return await enqueue(
    fleet,
    {
      id,
      name: "a test",
      priority: 0,
      options: {},
      submittedBy: "a test",
      lease: 10_000,
      blobs: [],
      events: [],
      ...run,
    },
    jobs.map((job, index) => ({
      test: { id: `${index + 1}` },
      spec: {},
      files: {},
      labels: [],
      locks: [],
      durationKey: `${index + 1}`,
      retries: 0,
      ...job,
    })),
  );
}
