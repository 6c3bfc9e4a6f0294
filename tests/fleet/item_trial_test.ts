import assert from "node:assert/strict";
import { judge } from "../../scripts/fleet-items/judge.ts";
import { itemTrial, type Order, orders } from "../../scripts/fleet-items/trial.ts";
import type { Json } from "../../src/base/error.ts";
import type { ExportedItem } from "../../src/fleet/items/export.ts";
import { isInstalled } from "../_installed.ts";

type Row = { readonly [key: string]: Json };

Deno.test("forty items on simulated desktops: states and exports are exact, what failed is rolled back", async () => {
  const { faults, counts, rolledBack } = await itemTrial({
    items: 40,
    seed: 3,
    on: "simulated",
    workers: 2,
    desktops: 1,
  });
  assert.deepEqual(faults, []);
  assert.equal(counts["rejected"], 4);
  assert.ok((counts["failed"] ?? 0) > 0, JSON.stringify(counts));
  assert.equal(rolledBack, 4 + (counts["failed"] ?? 0));
});

Deno.test({
  name: "ten items on GTK 3, judged by the application's own account",
  ignore: !isInstalled("/usr/bin/python3"),
  async fn() {
    const { faults, counts } = await itemTrial({ items: 10, seed: 278, on: "gtk3", workers: 2, desktops: 1 });
    assert.deepEqual(faults, []);
    // One fails for good, one the first time only.
    assert.deepEqual(counts, { done: 8, failed: 1, rejected: 1 });
  },
});

Deno.test("the judge of items notices a state, a row, a rollback and a window that are otherwise", () => {
  const given = orders(10, 278);
  const state = ({ how }: Order) =>
    how === "unknown" ? "rejected" as const : how === "broken" ? "failed" as const : "done" as const;
  const tries = ({ how }: Order) => how === "broken" || how === "busy" ? 2 : 1;
  const done = (one: Order) => ({ Customer: one.customer, Amount: one.amount, Express: true });
  const empty = { Customer: "", Amount: "", Express: false };
  const items = given.map((one, index): ExportedItem => ({
    number: index + 1,
    key: one.order,
    state: state(one),
    attempts: tries(one),
    reason: state(one) === "done"
      ? null
      : state(one) === "rejected"
      ? `There is no customer ${one.customer}`
      : "Cannot confirm",
    rollback: state(one) === "done" ? "none" : "restored",
    drift: [],
    started: null,
    finished: null,
    run: null,
    fields: { ...one },
    results: { entered: { value: one.amount } },
  }));
  const rows: Row[] = items.map(({ key, state, attempts, fields }) => ({
    key,
    state,
    attempts: String(attempts),
    ...fields,
  }));
  const account: Row[] = given.flatMap((one) =>
    Array.from({ length: tries(one) }, (_, n): Row[] => [
      { order: one.order, what: "opened" },
      { order: one.order, what: "changed", field: "Customer", to: one.customer },
      {
        order: one.order,
        what: "closed",
        fields: state(one) === "done" && n === tries(one) - 1 ? done(one) : empty,
      },
    ]).flat()
  );
  const left = rows.filter(({ state }) => state !== "done");
  const found = { items, all: rows, left, account, on: "gtk3" as const };
  assert.deepEqual(judge(given, found).faults, []);
  const first = <T>(list: readonly T[], change: Partial<T>): T[] =>
    list.map((one, n) => n === 0 ? { ...one, ...change } : one);
  const wrong = (change: Partial<typeof found>) => judge(given, { ...found, ...change }).faults.length;
  assert.ok(wrong({ items: first(items, { state: "failed" }) }) > 0);
  assert.ok(wrong({ items: first(items, { attempts: 2 }) }) > 0);
  assert.ok(wrong({ items: first(items, { fields: {} }) }) > 0);
  assert.ok(
    wrong({ items: items.map((one) => one.state === "rejected" ? { ...one, rollback: "drift" } : one) }) > 0,
  );
  assert.ok(wrong({ all: first(rows, { customer: "Eve" }) }) > 0);
  assert.ok(wrong({ left: left.slice(1) }) > 0);
  assert.ok(wrong({ account: account.slice(3) }) > 0);
  assert.ok(
    wrong({
      account: account.map((one) => "fields" in one ? { ...one, fields: { Customer: "Eve" } } : one),
    }) > 0,
  );
});
