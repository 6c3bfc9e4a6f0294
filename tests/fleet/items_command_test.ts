import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asMap, isList } from "../../src/base/json.ts";
import type { Json } from "../../src/base/error.ts";
import { PASSES } from "../../src/testing/_suite.ts";
import { Place } from "../cli/program.ts";
import { withPostgres } from "./_fleet.ts";

const WORKFLOW = PASSES.replace("value: Grace", "value: '{{item.customer}}'") +
  `  - reject: 'No {{item.customer}}'
    if: { equals: ['{{item.customer}}', Eve] }
  - id: seen
    value: 'textfield[name="Name"]'
`;

Deno.test("fleet items: load, list, show, export, retry; fleet runs and key", async () => {
  const place = new Place();
  try {
    mkdirSync(join(place.work, ".git"));
    place.file("order.yaml", WORKFLOW);
    await withPostgres(async (postgres) => {
      const env = { BACKSTEP_FLEET_URL: postgres.url, BACKSTEP_FLEET_KEY: undefined };
      const run = async (code: number, ...args: string[]) => {
        const done = await place.run(["fleet", ...args], { env });
        assert.equal(done.code, code, `${args.join(" ")}\n${done.out}${done.err}`);
        return done;
      };
      const json = async (...args: string[]): Promise<{ readonly [key: string]: Json }> =>
        asMap(JSON.parse((await run(0, ...args, "--format", "json")).out));
      const load = ["--into", "orders", "--workflow", "order.yaml", "--key-field", "id"];

      // A field that the workflow needs is missed before anything is queued, at its place.
      place.file("bad.csv", "id,custmer\n1,Ada\n");
      const { err } = await run(2, "items", "load", "bad.csv", ...load);
      assert.match(err, /order\.yaml:7:\d+: .*line 2 of bad\.csv has no field "customer"/s);
      assert.match(err, /It has: id, custmer/);
      assert.match((await run(2, "items", "lod")).err, /Did you mean load/);
      assert.match((await run(2, "submit", "order.yaml", "--into", "x")).err, /--into is for items/);
      assert.match((await run(0, "items", "list")).out, /No work items were loaded/);

      place.file("orders.json", JSON.stringify([{ id: 1, customer: "Ada" }, { id: 2, customer: "Eve" }]));
      const loaded = await json("items", "load", "orders.json", ...load);
      assert.equal(loaded["loaded"], 2);
      assert.equal((await json("items", "load", "orders.json", ...load))["existing"], 2);
      // One whose time is over before a worker comes, and one whose time has not come.
      place.file("late.yaml", "- { id: late, customer: Mary, until: 200ms }\n");
      await run(0, "items", "load", "late.yaml", "--into", "late", ...load.slice(2), "--deadline", "until");
      await run(0, "items", "load", "late.yaml", "--into", "early", ...load.slice(2), "--not-before", "2d");

      const { err: said } = await run(0, "worker", "--once");
      assert.match(said, /There is no BACKSTEP_FLEET_KEY/);
      const states = async (list: string) => {
        const { items } = await json("items", "list", list);
        return isList(items ?? null) ? [items ?? []].flat().map((one) => asMap(one)["state"]) : [];
      };
      assert.deepEqual(await states("orders"), ["done", "rejected"]);
      assert.deepEqual(await states("late"), ["cancelled"]);
      assert.deepEqual(await states("early"), ["new"]);
      assert.match(
        (await run(0, "items", "list", "late")).out,
        /cancelled\s+not run: its deadline, .* is over/,
      );
      const shown = (await run(0, "items", "show", "orders", "2")).out;
      assert.match(shown, /state\s+rejected/);
      assert.match(shown, /rollback\s+restored/);
      assert.match((await run(1, "items", "show", "orders", "9")).err, /no item has that number or key/);
      await run(0, "items", "export", "orders", "--state", "done", "--output", "done.csv");
      assert.match(
        readFileSync(join(place.work, "done.csv"), "utf8"),
        /^number,.*results\.seen\.value\n1,1,done,.*,Ada\n$/s,
      );

      const again = await json("items", "retry", "orders", "--state", "rejected");
      assert.equal(again["retried"], 1);
      assert.deepEqual(await states("orders"), ["done", "new"]);
      assert.match(
        (await run(0, "runs", "--verdict", "restored", "--since", "1h")).out,
        /order\.yaml \[orders 2\]\s+failed/,
      );
      assert.match((await run(1, "runs", "--file", "elsewhere")).out, /There is no such run/);

      const { out: made } = await run(0, "key");
      assert.match(made, /^[\w-]{43}\n$/);
      assert.equal((await run(0, "key")).out, made, "made once");
    });
  } finally {
    await place.clear();
  }
});
