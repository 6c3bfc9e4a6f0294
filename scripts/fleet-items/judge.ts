import type { Json } from "../../src/base/error.ts";
import { isMap } from "../../src/base/json.ts";
import type { ExportedItem } from "../../src/fleet/items/export.ts";
import { type ItemTrialOptions, type ItemTrialResult, type Order, RETRIES } from "./trial.ts";

/** What is judged. */
export interface Found {
  /** The export as JSON. */
  readonly items: readonly ExportedItem[];
  /** The exports as CSV, read by the loader of items: everything, and what is not done. */
  readonly all: readonly { readonly [column: string]: Json }[];
  readonly left: readonly { readonly [column: string]: Json }[];
  /** What the applications wrote of themselves. */
  readonly account: readonly { readonly [key: string]: Json }[];
  readonly on: ItemTrialOptions["on"];
}

/** What must come of an order. */
function meant({ how }: Order): { readonly state: string; readonly attempts: number } {
  switch (how) {
    case "well":
      return { state: "done", attempts: 1 };
    case "busy":
      return { state: "done", attempts: 2 };
    case "unknown":
      return { state: "rejected", attempts: 1 };
    case "broken":
      return { state: "failed", attempts: 1 + RETRIES };
  }
}

/** Compares what was found with what must be. */
export function judge(given: readonly Order[], found: Found): Omit<ItemTrialResult, "took"> {
  const faults: string[] = [];
  const say = (what: string, is: unknown, must: unknown) => {
    const [a, b] = [JSON.stringify(is), JSON.stringify(must)];
    if (a !== b) faults.push(`${what} is ${a}, and must be ${b}`);
  };
  say("the number of items", found.items.length, given.length);
  const counts: Record<string, number> = {};
  let rolledBack = 0;
  for (const [index, order] of given.entries()) {
    const item = found.items[index];
    const row = found.all[index];
    const { state, attempts } = meant(order);
    const name = `${order.order} (${order.how})`;
    if (!item || !row) {
      faults.push(`${name} is not exported`);
      continue;
    }
    counts[item.state] = (counts[item.state] ?? 0) + 1;
    say(`${name}: number and key`, [item.number, item.key], [index + 1, order.order]);
    say(`${name}: state`, item.state, state);
    say(`${name}: attempts`, item.attempts, attempts);
    say(`${name}: fields`, item.fields, { ...order });
    say(`${name}: what remains`, [item.drift, state === "done" || item.rollback === "restored"], [[], true]);
    const reason = state === "rejected" ? `There is no customer ${order.customer}` : undefined;
    if (reason !== undefined) say(`${name}: reason`, item.reason, reason);
    if (state === "done") say(`${name}: reason`, item.reason, null);
    if (state === "failed" && !item.reason?.startsWith("Cannot confirm")) {
      faults.push(`${name}: reason is ${item.reason}`);
    }
    // What CSV trims is no part of it.
    say(
      `${name}: its row`,
      [row["key"], row["state"], row["attempts"], row["customer"], row["amount"]],
      [order.order, state, String(attempts), order.customer, order.amount],
    );
    const lines = found.account.filter((line) => line["order"] === order.order);
    say(`${name}: tries by its own account`, lines.filter(({ what }) => what === "opened").length, attempts);
    if (found.on === "gtk3") {
      const clean = judgeAccount(name, order, state, attempts, lines, say);
      if (state !== "done" && clean) rolledBack++;
      const entered = item.results["entered"];
      if (state === "done") {
        say(`${name}: what it returned`, isMap(entered) ? entered["value"] : entered, order.amount);
      }
    } else if (state !== "done" && item.rollback === "restored") rolledBack++;
  }
  say(
    "the export of what is not done",
    found.left.map((one) => one["key"]),
    given.filter((one) => meant(one).state !== "done").map(({ order }) => order),
  );
  return { faults, counts, rolledBack };
}

const EMPTY = { Customer: "", Amount: "", Express: false };

/** How its window was when it closed, by its own account: each try that did not pass left nothing in it. */
function judgeAccount(
  name: string,
  order: Order,
  state: string,
  attempts: number,
  lines: readonly { readonly [key: string]: Json }[],
  say: (what: string, is: unknown, must: unknown) => void,
): boolean {
  const closed = lines.flatMap(({ what, fields }) => what === "closed" ? [fields ?? null] : []);
  const done = { Customer: order.customer, Amount: order.amount, Express: true };
  const must = Array.from(
    { length: attempts },
    (_, n) => state === "done" && n === attempts - 1 ? done : EMPTY,
  );
  say(`${name}: what its windows held when they closed`, closed, must);
  // It was really entered before it was rolled back.
  const entered = lines.filter(({ what, field, to }) =>
    what === "changed" && field === "Customer" && to === order.customer
  );
  say(`${name}: times that its customer was entered`, entered.length, attempts);
  return JSON.stringify(closed) === JSON.stringify(must);
}
