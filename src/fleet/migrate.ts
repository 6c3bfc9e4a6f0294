import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import type { Database } from "./database/database.ts";
import { installQueue, queueState } from "./queue/boss.ts";
import { CURRENT, MIGRATIONS } from "./schema/migrations.ts";

/** What a database has of the fleet's schema. */
export interface SchemaState {
  /** The number of its last migration; 0: nothing is there. */
  readonly number: number;
  /** The queue's tables are those that this Backstep uses. */
  readonly queue: "absent" | "current" | "other";
}

/** Reads how far a database is. */
export async function schemaState(database: Database): Promise<SchemaState> {
  const { schema } = database.place;
  const [found] = await database.rows(
    z.object({ there: z.boolean() }),
    "select to_regclass($1) is not null as there",
    [`${schema}.migration`],
  );
  const [last] = found?.there
    ? await database.rows(
      z.object({ number: z.number() }),
      "select coalesce(max(number), 0) as number from migration",
    )
    : [];
  return { number: last?.number ?? 0, queue: await queueState(database) };
}

/** Makes the schema, or brings it up to date; several processes may do so at once. Answers the migrations that it applied. */
export async function migrate(database: Database): Promise<readonly string[]> {
  const { schema } = database.place;
  const before = await schemaState(database);
  if (before.number > CURRENT) throw tooNew(database, before.number);
  const applied: string[] = [];
  await database.transaction(async (tx) => {
    // Released with the transaction; whoever waits finds the work done.
    await tx.run("select pg_advisory_xact_lock(hashtext($1))", [`backstep ${schema}`]);
    if (before.number === 0) {
      await tx.run(`create schema if not exists ${schema}`);
      await tx.run(
        `create table if not exists ${schema}.migration (
           number integer primary key, name text not null, at timestamptz not null default now())`,
      );
    }
    const done = await tx.rows(z.object({ number: z.number() }), "select number from migration");
    const there = new Set(done.map(({ number }) => number));
    for (const { number, name, sql } of MIGRATIONS) {
      if (there.has(number)) continue;
      await tx.run(sql);
      await tx.run("insert into migration (number, name) values ($1, $2)", [number, name]);
      applied.push(`${number}: ${name}`);
    }
  });
  if ((await queueState(database)) !== "current") {
    await installQueue(database);
    applied.push("the queue (pg-boss)");
  }
  return applied;
}

/**
 * Makes sure that the schema is the one that this Backstep uses. An empty database gets it at once; an older one is left
 * alone, since workers may still use it: `backstep fleet migrate` changes it. Throws `invalid`.
 */
export async function requireSchema(database: Database): Promise<void> {
  const { number, queue } = await schemaState(database);
  if (number === CURRENT && queue === "current") return;
  if (number === 0) return void await migrate(database);
  if (number > CURRENT) throw tooNew(database, number);
  const why = number < CURRENT
    ? `its schema has number ${number}, and this Backstep uses ${CURRENT}`
    : `its queue is ${queue === "absent" ? "not there" : "of another version of pg-boss"}`;
  throw new BackstepError("invalid", `Cannot use the fleet's database ${database.place.words}: ${why}`, {
    hint: "End the workers of the older version, then run: backstep fleet migrate",
    details: { schema: number, wanted: CURRENT },
  });
}

function tooNew(database: Database, number: number): BackstepError {
  return new BackstepError(
    "invalid",
    `Cannot use the fleet's database ${database.place.words}: its schema has number ${number}, and this Backstep knows ${CURRENT}`,
    {
      hint: "A newer Backstep made it: use that version here, too.",
      details: { schema: number, wanted: CURRENT },
    },
  );
}
