/**
 * The fleet's tables, by name, and what stands in them. Every statement of `src/fleet/` names them as they stand here:
 * the connection's search path is the fleet's schema. The migrations beside this file make them.
 *
 * @module
 */
import { z } from "zod";
import {
  ATTEMPT_STATES,
  CLAIM_OUTCOMES,
  ITEM_STATES,
  JOB_STATES,
  RUN_STATES,
  WORKER_STATES,
} from "./states.ts";

export { ATTEMPT_STATES, CLAIM_OUTCOMES, ITEM_STATES, JOB_STATES, RUN_STATES, WORKER_STATES };

/** The fleet's tables. The queue's own lie in `<schema>_queue` and belong to pg-boss. */
export const TABLES = [
  "migration", // which migrations were applied
  "run", // a submission: the files of one `fleet submit`
  "job", // one file of a run, or one of its cases
  "attempt", // one try of a job; its id is that of pg-boss's job
  "claim", // before each irreversible action: (attempt, step path, number)
  "worker", // one life of a worker process
  "lock", // a name of `locks:` that an attempt holds
  "event", // what a run tells while it goes
  "blob", // bytes by their hash: files, includes, baselines
  "blob_use", // which run needs which blob
  "duration", // how long each file took the last time
  "artefact", // a log or encrypted evidence of an attempt
  "artefact_piece", // its bytes, piece by piece
  "item_list", // work items by the name of their list
  "item", // one work item
] as const;
/** A table of the fleet. */
export type Table = typeof TABLES[number];

/** How many bytes and rows are kept at most. */
export const LIMITS = {
  /** Bytes of one stored file. */
  blob: 16 << 20,
  /** Bytes of all files that one job is made of. */
  files: 64 << 20,
  /** Files that one job is made of. */
  fileCount: 1_000,
  /** Jobs of one run. */
  jobs: 100_000,
  /** Bytes of one event; what is longer is cut to its kind. */
  event: 256 << 10,
  /** Events of one attempt; those of single steps end there. */
  events: 5_000,
  /** Bytes of one piece of an artefact. */
  piece: 256 << 10,
  /** Bytes of one artefact. */
  artefact: 64 << 20,
  /** Characters of a key, a label, a lock. */
  word: 200,
} as const;

/** Numbers of 64 bits come as text. */
export const Big = z.union([z.number(), z.string()]).transform(Number);
/** A column of type json. */
export const Column = z.unknown();

export const RunRow = z.object({
  id: z.string(),
  key: z.string().nullable(),
  name: z.string(),
  state: z.enum(RUN_STATES),
  priority: z.number(),
  options: Column,
  jobs: z.number(),
  submitted_by: z.string(),
  created_at: z.date(),
  finished_at: z.date().nullable(),
});
/** A submission. */
export type RunRow = z.infer<typeof RunRow>;

export const JobRow = z.object({
  id: z.string(),
  run: z.string(),
  number: z.number(),
  test: Column,
  spec: Column,
  files: Column,
  labels: z.array(z.string()),
  locks: z.array(z.string()),
  duration_key: z.string(),
  expected_ms: z.number().nullable(),
  retries: z.number(),
  state: z.enum(JOB_STATES),
  exit: z.number().nullable(),
  reason: z.string().nullable(),
  result: Column,
  item: z.string().nullable(),
  not_before: z.date().nullable(),
  deadline: z.date().nullable(),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
});
/** One file of a run. */
export type JobRow = z.infer<typeof JobRow>;

export const AttemptRow = z.object({
  id: z.string(),
  job: z.string(),
  number: z.number(),
  queue: z.string(),
  state: z.enum(ATTEMPT_STATES),
  token: z.number().nullable(),
  worker: z.string().nullable(),
  slot: z.number().nullable(),
  deliveries: z.number(),
  began_at: z.date().nullable(),
  finished_at: z.date().nullable(),
  result: Column,
});
/** One try of a job. `token`: pg-boss's retry count of the delivery that holds it. */
export type AttemptRow = z.infer<typeof AttemptRow>;

export const ClaimRow = z.object({
  attempt: z.string(),
  path: z.string(),
  number: z.number(),
  token: z.number(),
  worker: z.string(),
  step: z.string(),
  at: z.date(),
  outcome: z.enum(CLAIM_OUTCOMES).nullable(),
});
/** An irreversible action that a worker was about to do. */
export type ClaimRow = z.infer<typeof ClaimRow>;

export const WorkerRow = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  pid: z.number(),
  labels: z.array(z.string()),
  desktops: z.number(),
  version: z.string(),
  state: z.enum(WORKER_STATES),
  started_at: z.date(),
  seen_at: z.date(),
  finished_at: z.date().nullable(),
});
/** One life of a worker process. */
export type WorkerRow = z.infer<typeof WorkerRow>;

export const EventRow = z.object({
  id: Big,
  run: z.string(),
  job: z.string().nullable(),
  attempt: z.string().nullable(),
  token: z.number().nullable(),
  at: z.date(),
  body: Column,
});
/**
 * What a run told. `body`: a `TestEvent`. Ids are not given in the order of commits: who reads as it goes keeps to the
 * column `xact`, and reads below `pg_snapshot_xmin(pg_current_snapshot())` alone.
 */
export type EventRow = z.infer<typeof EventRow>;

export const ItemRow = z.object({
  id: z.string(),
  list: z.string(),
  number: z.number(),
  key: z.string().nullable(),
  data: Column,
  state: z.enum(ITEM_STATES),
  attempts: z.number(),
  run: z.string().nullable(),
  job: z.string().nullable(),
  not_before: z.date().nullable(),
  deadline: z.date().nullable(),
  reason: z.string().nullable(),
  verdict: Column,
  result: Column,
  created_at: z.date(),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
});
/** One work item. */
export type ItemRow = z.infer<typeof ItemRow>;
