import type { PgBoss } from "pg-boss";
import { z } from "zod";
import type { Database, Queryable } from "../database/database.ts";

/** The fleet's database and its queue, open. */
export interface Fleet {
  readonly database: Database;
  readonly boss: PgBoss;
}

/** A delivery of an attempt: its id is pg-boss's, and the token is pg-boss's count of redeliveries. */
export interface Held {
  readonly attempt: string;
  readonly queue: string;
  readonly token: number;
}

const Affected = z.looseObject({ affected: z.number() });

/** Did a command of pg-boss reach the delivery that it names? It does not once the lease is lost. */
export function reached(response: unknown): boolean {
  return Affected.parse(response).affected > 0;
}

/** As pg-boss names a delivery. */
export function bossJob({ attempt, token }: Held): { id: string; retryCount: number } {
  return { id: attempt, retryCount: token };
}

/**
 * Locks the job of a delivery in pg-boss's table, so that it cannot be given to another worker before the transaction
 * ends. False: it is another's already, or over.
 */
export async function lockDelivery(
  tx: Queryable,
  schema: string,
  { attempt, queue, token }: Held,
): Promise<boolean> {
  const found = await tx.rows(
    z.object({ id: z.string() }),
    `select id from ${schema}.job where name = $1 and id = $2 and state = 'active' and retry_count = $3 for update`,
    [queue, attempt, token],
  );
  return found.length > 0;
}
