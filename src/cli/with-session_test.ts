import assert from "node:assert/strict";
import { closing } from "./with-session.ts";

function tried(action: () => Promise<string>, close: () => Promise<void>) {
  const notes: string[] = [];
  const outcome = closing({ close }, { note: (text) => void notes.push(text) }, () => false, action);
  return { notes, outcome };
}
const fails = (message: string) => () => Promise.reject(new Error(message));

Deno.test("why an action failed is told even where the session does not close either", async () => {
  const both = tried(fails("the action"), fails("the end"));
  await assert.rejects(both.outcome, { message: "the action" });
  assert.deepEqual(both.notes, ["the end"]);
  const end = tried(() => Promise.resolve("done"), fails("the end"));
  await assert.rejects(end.outcome, { message: "the end" });
  assert.deepEqual(end.notes, []);
});

Deno.test("a session is closed once, after the action", async () => {
  const order: string[] = [];
  const { outcome } = tried(() => {
    order.push("action");
    return Promise.resolve("done");
  }, () => {
    order.push("close");
    return Promise.resolve();
  });
  assert.equal(await outcome, "done");
  assert.deepEqual(order, ["action", "close"]);
});
