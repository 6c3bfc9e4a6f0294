import { randomUUID } from "node:crypto";
import { z } from "zod";
import { BackstepError, type Json, type Place } from "../../base/error.ts";
import type { TestEvent } from "../../report/reporter.ts";
import type { LoadedItem } from "../../workflow/read-items.ts";
import type { Queryable } from "../database/database.ts";
import { JOBS_ADDED } from "../channels.ts";
import { notify } from "../database/listen.ts";
import { enqueue, type NewRun } from "../queue/enqueue.ts";
import type { Fleet } from "../queue/fleet.ts";
import { LIMITS } from "../schema/tables.ts";
import type { PreparedJob } from "../submit.ts";
import { type ItemTime, timeOfItem } from "./times.ts";

/** What is loaded, and how. */
export interface ItemLoad {
  /** The list that they go into. */
  readonly list: string;
  readonly items: readonly LoadedItem[];
  /** The field by which an item is known: one that the list has already is left alone. */
  readonly keyField?: string | undefined;
  readonly notBefore?: ItemTime | undefined;
  readonly deadline?: ItemTime | undefined;
  /** The job of every item, but for the item itself. */
  readonly job: PreparedJob;
}

/** What came of it. */
export interface Loaded {
  readonly list: string;
  /** Absent: every item was there already. */
  readonly run?: string;
  readonly loaded: number;
  /** Keys that the list had already. */
  readonly existing: number;
}

/** An item on its way into its row. */
interface Draft {
  readonly id: string;
  readonly number: number;
  readonly key: string | undefined;
  readonly item: LoadedItem;
  readonly notBefore: Date | undefined;
  readonly deadline: Date | undefined;
}

/** How often it begins anew where somebody else loads the same keys at the same time. */
const TRIES = 5;
/** Rows of one statement. */
const BATCH = 1_000;

/** Queues a run with a job an item. All of it is there, or nothing. Throws `usage`, `limit`. */
export async function loadItems(
  fleet: Fleet,
  run: Omit<NewRun, "events">,
  load: ItemLoad,
  now: Date = new Date(),
): Promise<Loaded> {
  const { list } = load;
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(list) || list.length > LIMITS.word) {
    throw new BackstepError(
      "usage",
      `Cannot load into ${JSON.stringify(list)}: a list is called by letters, digits, ., _ and -`,
    );
  }
  const keys = keysOf(load);
  await fleet.database.run("insert into item_list (name) values ($1) on conflict do nothing", [list]);
  for (let tries = 1;; tries++) {
    const existing = await existingKeys(fleet.database, list, keys);
    const wanted = load.items.filter((_, index) => !existing.has(keys[index] ?? ""));
    const counts = { list, loaded: wanted.length, existing: load.items.length - wanted.length };
    if (wanted.length === 0) return counts;
    const drafts = await draftsOf(wanted, load, fleet.database, now);
    try {
      const jobs = drafts.map((one) => jobOf(one, load));
      const files = jobs.map(({ test }) => test);
      const events: TestEvent[] = [{ event: "tests-started", files, workers: 0, at: now.getTime() }];
      const { run: id, created } = await enqueue(
        fleet,
        { ...run, events },
        jobs,
        (tx, ids) => insertItems(tx, run.id, load, drafts, ids),
      );
      await notify(fleet.database, JOBS_ADDED);
      return created ? { ...counts, run: id } : { list, loaded: 0, existing: load.items.length, run: id };
    } catch (thrown) {
      // Somebody loads the same keys.
      const taken = thrown instanceof BackstepError && thrown.details?.["code"] === "23505";
      if (!taken || tries === TRIES) throw thrown;
    }
  }
}

/** The key of each item, "" where there is none to know it by. Throws `usage` where one has none, or two have the same. */
function keysOf({ items, keyField, list }: ItemLoad): string[] {
  if (keyField === undefined) return [];
  const lines = new Map<string, number>();
  return items.map(({ fields, line }) => {
    const value = fields[keyField];
    const key = typeof value === "string" || typeof value === "number" ? String(value) : "";
    const fail = (why: string) =>
      new BackstepError("usage", `Cannot load into ${list}: the item of line ${line} ${why}`, {
        hint: "--key names a field that is there in every item, each with another value.",
      });
    if (key === "") throw fail(`has no text or number in its field ${JSON.stringify(keyField)}`);
    if (key.length > LIMITS.word || key.includes("\0")) throw fail(`has a key that is too long, or none`);
    const other = lines.get(key);
    if (other !== undefined) throw fail(`has the key ${JSON.stringify(key)} of line ${other}`);
    lines.set(key, line);
    return key;
  });
}

async function existingKeys(
  database: Queryable,
  list: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await database.rows(
    z.object({ key: z.string() }),
    "select key from item where list = $1 and key = any($2::text[])",
    [list, keys],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Gives the items their numbers: taken before they are there, so that one is never given twice. */
async function draftsOf(
  items: readonly LoadedItem[],
  { list, keyField, notBefore, deadline }: ItemLoad,
  database: Queryable,
  now: Date,
): Promise<Draft[]> {
  const times = items.map((item) => ({
    notBefore: notBefore && timeOfItem("not-before", notBefore, item, now),
    deadline: deadline && timeOfItem("deadline", deadline, item, now),
  }));
  for (const [index, { notBefore: from, deadline: until }] of times.entries()) {
    if (until === undefined || until > (from ?? now)) continue;
    throw new BackstepError(
      "usage",
      `Cannot load into ${list}: the deadline of line ${items[index]?.line} is over before it may begin`,
    );
  }
  const [next] = await database.rows(
    z.object({ first: z.number() }),
    "update item_list set next = next + $2 where name = $1 returning next - $2 as first",
    [list, items.length],
  );
  const first = next?.first ?? 1;
  return items.map((item, index) => {
    const value = keyField === undefined ? undefined : item.fields[keyField];
    return {
      id: randomUUID(),
      number: first + index,
      key: value === undefined ? undefined : String(value),
      item,
      notBefore: times[index]?.notBefore,
      deadline: times[index]?.deadline,
    };
  });
}

function jobOf({ id, number, key, item, notBefore, deadline }: Draft, { list, job }: ItemLoad): PreparedJob {
  const { test, spec } = job;
  const named = `${test.id} [${list} ${key ?? number}]`;
  return {
    ...job,
    test: { ...test, id: named },
    spec: { ...spec, id: named, given: { ...spec.given, item: item.fields } },
    item: id,
    notBefore,
    deadline,
  };
}

async function insertItems(
  tx: Queryable,
  run: string,
  { list }: ItemLoad,
  drafts: readonly Draft[],
  jobs: readonly string[],
): Promise<void> {
  for (let at = 0; at < drafts.length; at += BATCH) {
    const rows = drafts.slice(at, at + BATCH).map((
      { id, number, key, item, notBefore, deadline },
      index,
    ) => ({
      id,
      number,
      key: key ?? null,
      data: item.fields,
      job: jobs[at + index],
      not_before: notBefore?.toISOString() ?? null,
      deadline: deadline?.toISOString() ?? null,
    }));
    await tx.run(
      `insert into item (id, list, number, key, data, run, job, not_before, deadline)
       select id, $1, number, key, data, $2, job, not_before, deadline
       from json_to_recordset($3::json) as x(id uuid, number int, key text, data json, job uuid,
         not_before timestamptz, deadline timestamptz)`,
      [list, run, JSON.stringify(rows)],
    );
  }
}

/**
 * Makes sure that the items have what a workflow's placeholders name. Throws `workflow` at the placeholder, naming the line
 * of the first item that lacks it.
 */
export function checkFields(
  items: readonly LoadedItem[],
  wanted: ReadonlyMap<string, Place>,
  file: string,
): void {
  for (const [name, place] of wanted) {
    const without = items.find(({ fields }) => !Object.hasOwn(fields, name));
    if (!without) continue;
    const there = Object.keys(without.fields);
    throw new BackstepError(
      "workflow",
      `Cannot fill in {{item.${name}}}: the item in line ${without.line} of ${file} has no field "${name}"`,
      {
        place,
        hint: `It has: ${there.slice(0, 10).join(", ")}${there.length > 10 ? ", …" : ""}. ` +
          "Placeholders reach fields whose names are letters, digits, _ and -.",
      },
    );
  }
}

/** The fields that any of the items has. */
export function fieldNames(
  items: readonly { readonly fields: { readonly [name: string]: Json } }[],
): Set<string> {
  return new Set(items.flatMap(({ fields }) => Object.keys(fields)));
}
