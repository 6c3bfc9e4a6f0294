import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Patience, patiently, type Queryable } from "../database/database.ts";
import { ClaimRow } from "../schema/tables.ts";
import { queueSchema } from "./boss.ts";
import { type Fleet, type Held, lockDelivery } from "./fleet.ts";

/** An irreversible action that is about to be done. */
export interface Intention {
  /** Of the step, with the indices of its loops: "5[2].1". */
  readonly path: string;
  /** For people: what it does, without secrets. */
  readonly step: string;
  /** The step can say whether it was done. */
  readonly doneWhen: boolean;
}

/** What a claim comes to. */
export type Claimed =
  /** It may be done, once: its number tells it from earlier ones of the same step. */
  | { readonly verdict: "go"; readonly number: number }
  /** It must not be done: the job is another worker's. */
  | { readonly verdict: "lost" }
  /** It must not be done: it was claimed before, and may have been done then, or was. */
  | { readonly verdict: "doubt"; readonly earlier: ClaimRow };

const Earlier = ClaimRow.extend({ nonce: z.string(), gone: z.boolean() });

/**
 * Claims one irreversible action, in one transaction with the look whether the job is still this worker's: until that is
 * committed nobody else can be given the job. Tried again while the database is not reached: a claim that did get there
 * is known by its own number of chance.
 *
 * An earlier claim of the same step allows another one only where it is known that nothing came of it: its worker said
 * so, or a step with `done_when` says so and no process of that worker is left that could still act.
 */
export async function claim(
  fleet: Fleet,
  held: Held & { readonly worker: string },
  intention: Intention,
  patience: Patience,
): Promise<Claimed> {
  const nonce = randomUUID();
  return await patiently(
    () =>
      fleet.database.transaction((tx) => claimIn(tx, queueSchema(fleet.database), held, intention, nonce)),
    patience,
  );
}

async function claimIn(
  tx: Queryable,
  schema: string,
  held: Held & { readonly worker: string },
  { path, step, doneWhen }: Intention,
  nonce: string,
): Promise<Claimed> {
  if (!await lockDelivery(tx, schema, held)) return { verdict: "lost" };
  const earlier = await tx.rows(
    Earlier,
    `select claim.*, coalesce(worker.state = 'ended', false) as gone
     from claim left join worker on worker.id = claim.worker
     where attempt = $1 and path = $2 order by number`,
    [held.attempt, path],
  );
  const own = earlier.find((one) => one.nonce === nonce);
  if (own) return { verdict: "go", number: own.number };
  const doubtful = earlier.find((one) => !mayFollow(one, held, doneWhen));
  if (doubtful) return { verdict: "doubt", earlier: doubtful };
  const number = earlier.length + 1;
  await tx.run(
    "insert into claim (attempt, path, number, token, worker, nonce, step) values ($1, $2, $3, $4, $5, $6, $7)",
    [held.attempt, path, number, held.token, held.worker, nonce, step],
  );
  return { verdict: "go", number };
}

/** May the same step be claimed again after this claim? */
function mayFollow(earlier: z.infer<typeof Earlier>, { token }: Held, doneWhen: boolean): boolean {
  if (earlier.outcome === "not_done") return true;
  if (!doneWhen) return false;
  // Whoever asks has just found that `done_when` does not hold: of its own earlier try that is enough.
  if (earlier.token === token) return true;
  return earlier.outcome === null && earlier.gone;
}

/** Writes down what became of a claimed action, as far as that is known. */
export async function resolveClaim(
  { database }: Fleet,
  { attempt, token }: Held,
  { path, number, outcome }: {
    readonly path: string;
    readonly number: number;
    readonly outcome: "done" | "not_done";
  },
  patience: Patience,
): Promise<void> {
  await patiently(() =>
    database.run(
      "update claim set outcome = $5 where attempt = $1 and path = $2 and number = $3 and token = $4",
      [attempt, path, number, token, outcome],
    ), patience);
}

/** The claims of earlier deliveries of an attempt of which it is not known that nothing came of them. */
export async function earlierClaims({ database }: Fleet, { attempt, token }: Held): Promise<ClaimRow[]> {
  return await database.rows(
    ClaimRow,
    `select * from claim where attempt = $1 and token <> $2 and outcome is distinct from 'not_done'
     order by at`,
    [attempt, token],
  );
}
