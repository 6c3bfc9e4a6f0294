import type { z } from "zod";
import { loadPg } from "./load-pg.ts";
import { pause } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { databaseError, mayPass } from "./database-error.ts";
import type { ClientConfig, Pool, PoolClient, QueryResult } from "./pg-types.d.ts";
import type { FleetPlace } from "./place.ts";

/** Milliseconds and counts that bound what this process does to the database. */
export const BOUNDS = {
  /** Connections of one process. */
  connections: 6,
  connect: 10_000,
  statement: 30_000,
  /** Longer than the statement's: the server gives up first, and says so. */
  query: 35_000,
  lock: 10_000,
  /** A worker that is frozen within a transaction holds its locks for so long. */
  idleTransaction: 5_000,
  idleConnection: 30_000,
} as const;

/** Runs statements: the database itself, or one transaction of it. */
export interface Queryable {
  /** Rows as a schema reads them. */
  rows<T>(row: z.ZodType<T>, text: string, values?: readonly unknown[]): Promise<T[]>;
  /** How many rows it changed. */
  run(text: string, values?: readonly unknown[]): Promise<number>;
  /** As pg-boss takes it, for its `db` option. */
  readonly forQueue: QueueDatabase;
}

/** What pg-boss asks of a database. Its rows are its own. */
export interface QueueDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** The fleet's database: a bounded pool of connections, each statement within a time. */
export class Database implements Queryable {
  readonly place: FleetPlace;
  readonly forQueue: QueueDatabase;
  readonly #pool: Pool;

  private constructor(place: FleetPlace, pool: Pool) {
    this.place = place;
    this.#pool = pool;
    this.forQueue = queueDatabase((text, values) => pool.query(text, values));
  }

  /** Opens it, and makes sure that it is reached. Throws `io`, `refused`, `usage`. */
  static async open(
    place: FleetPlace,
    options: { readonly name: string; readonly connections?: number },
  ): Promise<Database> {
    const pg = await loadPg();
    const pool = new pg.Pool({
      ...clientConfig(place, options.name),
      max: options.connections ?? BOUNDS.connections,
      idleTimeoutMillis: BOUNDS.idleConnection,
    });
    // An idle connection that breaks is replaced by the next one that is asked for; who asks is told where that fails.
    pool.on("error", () => {});
    const database = new Database(place, pool);
    try {
      await database.run("select 1");
    } catch (thrown) {
      await pool.end();
      throw thrown;
    }
    return database;
  }

  async rows<T>(row: z.ZodType<T>, text: string, values: readonly unknown[] = []): Promise<T[]> {
    return rowsOf(row, await this.#query(text, values));
  }

  async run(text: string, values: readonly unknown[] = []): Promise<number> {
    return (await this.#query(text, values)).rowCount ?? 0;
  }

  /** What the action does happens as a whole, or not at all. */
  async transaction<T>(action: (tx: Queryable) => Promise<T>): Promise<T> {
    let client: PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (thrown) {
      throw databaseError("begin", this.place, thrown);
    }
    let broken: Error | undefined;
    const breaks = (error: Error) => {
      broken = error;
    };
    client.on("error", breaks);
    try {
      await client.query("begin");
      const result = await action(transactionOf(client, this.place));
      await client.query("commit");
      return result;
    } catch (thrown) {
      try {
        if (!broken) await client.query("rollback");
      } catch (error) {
        // The connection goes, and the server rolls back with it.
        broken = error instanceof Error ? error : new Error(String(error));
      }
      if (mayPass(thrown)) broken ??= new Error("the connection may be broken");
      throw databaseError("write", this.place, thrown);
    } finally {
      client.removeListener("error", breaks);
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    try {
      return await this.#pool.query(text, values);
    } catch (thrown) {
      throw databaseError("read or write", this.place, thrown);
    }
  }
}

/** How a connection is made: all of its statements have a time, and see the fleet's schema alone. */
export function clientConfig(place: FleetPlace, name: string): ClientConfig {
  const { host, port, user, password, database, tls, schema } = place;
  return {
    host,
    port,
    database,
    ...defined({ user, password }),
    ssl: tls,
    options: `-c search_path=${schema}`,
    application_name: name,
    connectionTimeoutMillis: BOUNDS.connect,
    statement_timeout: BOUNDS.statement,
    query_timeout: BOUNDS.query,
    lock_timeout: BOUNDS.lock,
    idle_in_transaction_session_timeout: BOUNDS.idleTransaction,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

function transactionOf(client: PoolClient, place: FleetPlace): Queryable {
  const query = async (text: string, values: readonly unknown[]) => {
    try {
      return await client.query(text, values);
    } catch (thrown) {
      throw databaseError("write", place, thrown);
    }
  };
  return {
    rows: async (row, text, values = []) => rowsOf(row, await query(text, values)),
    run: async (text, values = []) => (await query(text, values)).rowCount ?? 0,
    forQueue: queueDatabase((text, values) => client.query(text, values)),
  };
}

function queueDatabase(query: (text: string, values?: unknown[]) => Promise<QueryResult>): QueueDatabase {
  return { executeSql: (text, values) => query(text, values) };
}

function rowsOf<T>(row: z.ZodType<T>, { rows }: QueryResult): T[] {
  return rows.map((one) => row.parse(one));
}

/** How long what may pass is tried again, and how far apart. */
export interface Patience {
  /** Milliseconds from now. */
  readonly within: number;
  readonly signal?: AbortSignal | undefined;
  /** Told of each failure that is waited for. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Does something again while the database is not reached: it must be the same when it happened already. Throws the last
 * error when the time is over, and what will not pass at once.
 */
export async function patiently<T>(
  action: () => Promise<T>,
  { within, signal, failed }: Patience,
): Promise<T> {
  const until = performance.now() + within;
  for (let wait = 50;; wait = Math.min(wait * 2, 1_000)) {
    try {
      return await action();
    } catch (thrown) {
      if (!mayPass(thrown) || performance.now() + wait > until || signal?.aborted) throw thrown;
      failed?.(thrown);
      await pause(wait, signal);
    }
  }
}
