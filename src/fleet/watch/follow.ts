import { z } from "zod";
import { pause } from "../../base/call.ts";
import type { TestEvent } from "../../report/reporter.ts";
import { patiently } from "../database/database.ts";
import type { Fleet } from "../queue/fleet.ts";
import { EventRow } from "../schema/tables.ts";
import { sweep } from "../sweep.ts";

/** Milliseconds between two looks for what is new. */
const PERIOD = 250;
/** Milliseconds between two looks for what nobody else ends. */
const SWEEP = 5_000;
/** Milliseconds that a database that went away is waited for. */
const PATIENCE = 120_000;
/** Events that one look takes. */
const MOST = 1_000;

const Row = EventRow.extend({ xact: z.string() });
const State = z.object({ state: z.string(), open: z.number() });

/** How a run is followed. */
export interface Following {
  readonly listener: (event: TestEvent) => void;
  readonly signal?: AbortSignal | undefined;
  /** Told what is waited for. */
  readonly failed?: (error: unknown) => void;
  /** Ends with what there is now; default: waits until the run is over. */
  readonly now?: boolean;
}

/**
 * Tells everything that a run has told and tells, in order, until it is over: true, or false where it was told to stop
 * before. What an earlier delivery of a job tells after a later one has begun is left out: it does not count.
 */
export async function follow(fleet: Fleet, run: string, following: Following): Promise<boolean> {
  const { listener, signal, failed, now = false } = following;
  const deliveries = new Deliveries();
  let at = { xact: "0", id: 0 };
  let swept = performance.now();
  for (;;) {
    if (signal?.aborted) return false;
    // Looked at before the events: once it is over, what comes then is all of it.
    const over = await patiently(() => isOver(fleet, run), {
      within: PATIENCE,
      signal,
      ...(failed ? { failed } : {}),
    });
    for (let more = true; more;) {
      const rows = await patiently(() => eventsAfter(fleet, run, at), {
        within: PATIENCE,
        signal,
        ...(failed ? { failed } : {}),
      });
      for (const row of rows) {
        at = { xact: row.xact, id: row.id };
        for (const event of deliveries.pass(row)) listener(event);
      }
      more = rows.length === MOST;
    }
    if (over || now) return over;
    if (performance.now() - swept > SWEEP) {
      swept = performance.now();
      // Workers do it too; a run whose last worker died ends by this.
      await sweep(fleet).catch((thrown: unknown) => failed?.(thrown));
    }
    await pause(PERIOD, signal).catch(() => {
      // Told to stop: seen at the top.
    });
  }
}

async function isOver({ database }: Fleet, run: string): Promise<boolean> {
  const [found] = await database.rows(
    State,
    `select state, (select count(*)::int from job where job.run = run.id and job.state in ('waiting', 'running')) as open
     from run where id = $1`,
    [run],
  );
  return found === undefined || found.open === 0;
}

async function eventsAfter(
  { database }: Fleet,
  run: string,
  { xact, id }: { readonly xact: string; readonly id: number },
): Promise<z.infer<typeof Row>[]> {
  return await database.rows(
    Row,
    `select id, run, job, attempt, token, at, body, xact::text as xact from event
     where run = $1 and (xact, id) > ($2::xid8, $3::bigint) and xact < pg_snapshot_xmin(pg_current_snapshot())
     order by xact, id limit ${MOST}`,
    [run, xact, id],
  );
}

/** Which delivery of each attempt counts: the latest. */
class Deliveries {
  readonly #tokens = new Map<string, number>();

  /** What of an event is told. */
  *pass({ attempt, token, body }: z.infer<typeof EventRow>): Generator<TestEvent> {
    if (!isEvent(body)) return;
    if (attempt !== null && token !== null) {
      const latest = this.#tokens.get(attempt);
      if (latest !== undefined && token < latest) return;
      if (latest !== undefined && token > latest) {
        yield {
          event: "tests-note",
          level: "warning",
          message: `${
            "test" in body ? body.test : "a job"
          } is done once more: its worker was lost, or gave it back`,
        };
      }
      this.#tokens.set(attempt, token);
    }
    yield body;
  }
}

function isEvent(body: unknown): body is TestEvent {
  return typeof body === "object" && body !== null && "event" in body;
}
