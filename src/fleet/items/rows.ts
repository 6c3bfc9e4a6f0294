import { z } from "zod";
import { closest } from "../../base/closest.ts";
import { BackstepError } from "../../base/error.ts";
import type { Queryable } from "../database/database.ts";
import { ITEM_STATES, ItemRow } from "../schema/tables.ts";

/** What an item's state can be. */
export type ItemState = typeof ITEM_STATES[number];

/** Items that one statement reads. */
const PAGE = 1_000;

/** Which items are meant. */
export interface ItemFilter {
  readonly states?: readonly ItemState[];
  /** Numbers, or keys. */
  readonly names?: readonly string[];
}

/** A list of items with how many there are of each state. */
export interface ItemList {
  readonly list: string;
  readonly counts: Readonly<Record<ItemState, number>>;
  readonly total: number;
  readonly created: Date;
}

/** Reads the state that a person writes: "in progress" is "in_progress". Throws `usage`. */
export function readState(word: string): ItemState {
  const found = ITEM_STATES.find((state) => state === word.trim().replaceAll(/[ -]/g, "_"));
  if (found) return found;
  throw new BackstepError("usage", `Cannot look for the state ${JSON.stringify(word)}: there is none`, {
    hint: `There are: ${ITEM_STATES.join(", ")}.`,
  });
}

/** All lists, by name. */
export async function itemLists(database: Queryable): Promise<ItemList[]> {
  const rows = await database.rows(
    z.object({
      name: z.string(),
      state: z.enum(ITEM_STATES).nullable(),
      n: z.coerce.number(),
      created_at: z.date(),
    }),
    `select l.name, i.state, count(i.id) as n, l.created_at from item_list l left join item i on i.list = l.name
     group by l.name, i.state, l.created_at order by l.name`,
  );
  const lists = new Map<string, ItemList & { counts: Record<ItemState, number>; total: number }>();
  for (const { name, state, n, created_at: created } of rows) {
    const one = lists.get(name) ?? {
      list: name,
      counts: { new: 0, in_progress: 0, done: 0, failed: 0, rejected: 0, cancelled: 0 },
      total: 0,
      created,
    };
    lists.set(name, one);
    if (state) one.counts[state] = n;
    one.total += n;
  }
  return [...lists.values()];
}

/** One list. Throws `not_found`, naming the nearest. */
export async function itemList(database: Queryable, name: string): Promise<ItemList> {
  const lists = await itemLists(database);
  const found = lists.find(({ list }) => list === name);
  if (found) return found;
  const names = lists.map(({ list }) => list);
  const near = closest(name, names);
  throw new BackstepError(
    "not_found",
    `Cannot find the list ${JSON.stringify(name)}: there is no such list`,
    {
      hint: near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : names.length > 0
        ? `There are: ${names.slice(0, 10).join(", ")}.`
        : "None was loaded: backstep fleet items load orders.csv --into orders --workflow order.yaml",
    },
  );
}

/** The items of a list in the order of their numbers, page by page. */
export async function* itemsOf(
  database: Queryable,
  list: string,
  { states, names }: ItemFilter = {},
): AsyncGenerator<ItemRow> {
  for (let after = 0;;) {
    const rows = await database.rows(
      ItemRow,
      `select * from item where list = $1 and number > $2
         and ($3::text[] is null or state = any($3)) and ($4::text[] is null or number::text = any($4) or key = any($4))
       order by number limit ${PAGE}`,
      [list, after, states ?? null, names ?? null],
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.number;
  }
}

/** One item by its number or key. Throws `not_found`. */
export async function itemNamed(database: Queryable, list: string, name: string): Promise<ItemRow> {
  await itemList(database, list);
  for await (const item of itemsOf(database, list, { names: [name] })) return item;
  throw new BackstepError(
    "not_found",
    `Cannot find ${JSON.stringify(name)} in ${list}: no item has that number or key`,
    {
      hint: `See: backstep fleet items list ${list}`,
    },
  );
}
