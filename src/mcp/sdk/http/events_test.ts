import assert from "node:assert/strict";
import { BoundedEvents, EventBudget } from "./events.ts";
import type { JSONRPCMessage } from "./sdk.ts";

const message = (id: number, padding = ""): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  result: { padding },
});

async function replayed(events: BoundedEvents, after: string): Promise<unknown[]> {
  const got: unknown[] = [];
  await events.replayEventsAfter(after, {
    send: (_id, each) => {
      got.push("id" in each ? each.id : undefined);
      return Promise.resolve();
    },
  });
  return got;
}

Deno.test("what came after an event is replayed, of its own stream and in order", async () => {
  const events = new BoundedEvents({ events: 10, eventBytes: 10_000 });
  const first = await events.storeEvent("a", message(1));
  await events.storeEvent("b", message(2));
  await events.storeEvent("a", message(3));
  const last = await events.storeEvent("a", message(4));
  assert.deepEqual(await replayed(events, first), [3, 4]);
  assert.deepEqual(await replayed(events, last), []);
  assert.equal(await events.getStreamIdForEventId(first), "a");
});

Deno.test("no more events and bytes are kept than may be, the oldest go first", async () => {
  const events = new BoundedEvents({ events: 3, eventBytes: 1_000 });
  for (let id = 1; id <= 5; id++) await events.storeEvent("a", message(id));
  assert.equal(events.size.events, 3);
  await events.storeEvent("a", message(6, "x".repeat(930)));
  assert.equal(events.size.events, 1);
  await events.storeEvent("a", message(7, "x".repeat(2_000)));
  assert.deepEqual(events.size, { events: 0, bytes: 0 });
});

Deno.test("what cannot be replayed whole is not replayed at all", async () => {
  const events = new BoundedEvents({ events: 3, eventBytes: 10_000 });
  const ids: string[] = [];
  for (let id = 1; id <= 5; id++) ids.push(await events.storeEvent("a", message(id)));
  const [one = "", two = "", three = ""] = ids;
  // 1 and 2 are gone: whoever saw 2 misses nothing, whoever saw only 1 would miss 2.
  assert.equal(await events.getStreamIdForEventId(one), undefined);
  assert.deepEqual(await replayed(events, two), [3, 4, 5]);
  assert.deepEqual(await replayed(events, three), [4, 5]);
  await assert.rejects(() => replayed(events, one));
});

Deno.test("a gap is known even where what was lost is long forgotten", async () => {
  const events = new BoundedEvents({ events: 2, eventBytes: 10_000 });
  const seen = await events.storeEvent("a", message(1));
  await events.storeEvent("a", message(2));
  for (let id = 3; id < 20; id++) await events.storeEvent(`other-${id}`, message(id));
  await events.storeEvent("a", message(20));
  assert.equal(await events.getStreamIdForEventId(seen), undefined);
});

Deno.test("ids that are none of ours are unknown", async () => {
  const events = new BoundedEvents({ events: 3, eventBytes: 10_000 });
  await events.storeEvent("a", message(1));
  for (const id of ["", "1", "a", "1.b", "2.a", "-1.a", "1e9.a", `${"9".repeat(400)}.a`, "1.a\n"]) {
    assert.equal(await events.getStreamIdForEventId(id), undefined, id);
  }
});

Deno.test("all sessions share a budget; one that ends gives back what it had", async () => {
  const limits = { events: 10, eventBytes: 1_000 };
  const budget = new EventBudget(1_500);
  const one = new BoundedEvents(limits, budget);
  const other = new BoundedEvents(limits, budget);
  await one.storeEvent("a", message(1, "x".repeat(900)));
  await other.storeEvent("b", message(2, "x".repeat(900)));
  assert.deepEqual([one.size.events, other.size.events], [1, 0]);
  one.clear();
  await other.storeEvent("b", message(3, "x".repeat(900)));
  assert.equal(other.size.events, 1);
  other.clear();
  assert.equal(budget.bytes, 0);
});
