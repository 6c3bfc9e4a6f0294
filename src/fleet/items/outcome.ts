import type { Json } from "../../base/error.ts";
import type { RunResult } from "../../contract/events.ts";
import type { TestTryResult } from "../../report/reporter.ts";
import type { Queryable } from "../database/database.ts";
import type { JobRow } from "../schema/tables.ts";

/** Characters of what an item keeps of its run, as JSON, of one output and of a reason. */
const MOST = { results: 64_000, output: 16_000, reason: 2_000 };
/** Differences that an item names. */
const MOST_DRIFT = 20;

/** How a try ended, or a file that was never tried. */
export type Outcome = Pick<TestTryResult, "exit" | "error" | "result"> & { readonly status: string };

/** What became of an item's last try, as its row has it. */
export interface ItemVerdict {
  /** As `backstep run` would have exited. */
  readonly exit: number;
  /** Of the rollback; "none": there was nothing to undo, or nothing was undone since it passed. */
  readonly rollback: string;
  /** What is not as it was: "text of textfield "Name"" with what was expected and found. */
  readonly drift: readonly { readonly [key: string]: Json }[];
  /** How many differences there are in all. */
  readonly drifted: number;
  /** The irreversible step that the rollback ended at. */
  readonly barrier: string | null;
}

/** The verdict of a try; of one that never ended there is none but its exit code. */
export function verdictOf({ exit, result }: Pick<Outcome, "exit" | "result">): ItemVerdict {
  const { verdict = "unknown", drift = [], barrier } = result?.rollback ?? {};
  return {
    exit,
    rollback: verdict,
    drift: drift.slice(0, MOST_DRIFT).map((one) => ({ ...one })),
    drifted: drift.length,
    barrier: barrier ? `${barrier.path} ${barrier.name}` : null,
  };
}

/** What the steps with an `id:` returned, by id: what is too long is left out. */
export function outputsOf({ steps }: Pick<RunResult, "steps">): { readonly [id: string]: Json } {
  const found: [string, Json][] = [];
  let room = MOST.results;
  for (const { id, output } of steps) {
    if (id === undefined || output === undefined) continue;
    const length = JSON.stringify(output).length;
    if (length > Math.min(room, MOST.output)) continue;
    room -= length;
    found.push([id, output]);
  }
  return Object.fromEntries(found);
}

/** Why an item is not done, as a text that PostgreSQL takes. */
export function reasonOf({ error, result }: Pick<Outcome, "error" | "result">): string | undefined {
  const text = result?.rejected ?? error?.message;
  return text?.replaceAll("\0", "\ufffd").slice(0, MOST.reason);
}

/** Writes down how a job ended, where it is searched by that, and what its item keeps: in the transaction that ends the job. */
export async function noteOutcome(tx: Queryable, job: JobRow, last: Outcome): Promise<void> {
  const { result, error, status } = last;
  const code = status === "passed" ? undefined : error?.code;
  await tx.run("update job set verdict = $2, error_code = $3 where id = $1", [
    job.id,
    result?.rollback.verdict ?? null,
    code ?? null,
  ]);
  if (job.item === null) return;
  await tx.run(
    "update item set verdict = $3::json, result = $4::json, reason = $5 where id = $1 and job = $2",
    [
      job.item,
      job.id,
      JSON.stringify(verdictOf(last)),
      JSON.stringify(result ? outputsOf(result) : {}),
      status === "passed" ? null : reasonOf(last) ?? null,
    ],
  );
}
