import assert from "node:assert/strict";
import { Acting } from "./acting.ts";
import type { JSONRPCMessage, RequestId, Transport } from "./sdk.ts";

/** What acts in a session, and the way of its messages to the client. */
function session() {
  const acting = new Acting((tool) => tool !== "look");
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  acting.watch(transport);
  const send = (message: JSONRPCMessage, relatedRequestId?: RequestId) =>
    transport.send(message, relatedRequestId === undefined ? {} : { relatedRequestId });
  const call = (id: RequestId, name: string) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name },
  });
  return {
    acting,
    take: (id: RequestId, name: string) => acting.took(call(id, name)),
    answer: (id: RequestId, result = {}) => send({ jsonrpc: "2.0", id, result }),
    /** Asks the client, and answers whether its answer needs the scope for acting. */
    async asks(id: RequestId, related?: RequestId): Promise<boolean> {
      await send({ jsonrpc: "2.0", id, method: "elicitation/create", params: {} }, related);
      return acting.needs({ jsonrpc: "2.0", id, result: {} });
    },
    send,
  };
}

Deno.test("an answer needs the scope for acting where what was asked belongs to an act, or may", async () => {
  const { take, answer, asks } = session();
  take(1, "look");
  assert.equal(await asks(1, 1), false);
  assert.equal(await asks(2), false, "nothing has acted yet");
  take(2, "act");
  assert.equal(await asks(3, 2), true);
  assert.equal(await asks(4, 1), false);
  assert.equal(await asks(5), true, "nobody knows what it belongs to");
  // "1" and 1 are two requests.
  assert.equal(await asks(6, "1"), true);
  await answer(1);
  assert.equal(await asks(7, 1), true);
});

Deno.test("an act does not pass for a look that had its number, in whichever order they come and end", async () => {
  const first = session();
  first.take(5, "look");
  first.take(5, "act");
  assert.equal(await first.asks(1, 5), true);
  await first.answer(5);
  assert.equal(await first.asks(2, 5), true);
  const second = session();
  second.take(5, "act");
  assert.equal(second.acting.needs({ id: 5, method: "tools/call", params: { name: "look" } }), true);
  assert.equal(second.acting.needs({ id: "5", method: "tools/call", params: { name: "look" } }), false);
});

Deno.test("a session is busy until its acts are answered or cancelled, and its tasks are over", async () => {
  const { acting, take, answer, send } = session();
  take(1, "look");
  assert.equal(acting.busy, false);
  take(2, "act");
  take(3, "act");
  assert.equal(acting.busy, true);
  assert.equal(acting.needs({ method: "notifications/cancelled", params: { requestId: 1 } }), false);
  const cancel = { method: "notifications/cancelled", params: { requestId: 2 } };
  assert.equal(acting.needs(cancel), true);
  acting.took(cancel);
  await answer(3, { task: { taskId: "t" } });
  const about = (status: string) =>
    send({ jsonrpc: "2.0", method: "notifications/tasks/status", params: { taskId: "t", status } });
  await about("input_required");
  assert.equal(acting.busy, true);
  assert.equal(acting.needs({ id: 9, method: "tasks/cancel", params: { taskId: "t" } }), true);
  assert.equal(acting.needs({ id: 9, method: "tasks/get", params: { taskId: "t" } }), false);
  assert.equal(acting.needs({ id: 9, method: "tasks/cancel", params: { taskId: "other" } }), false);
  await about("completed");
  assert.equal(acting.busy, false);
});

Deno.test("what is no message needs nothing, and a tool without a name acts", () => {
  const { acting } = session();
  for (const nothing of [null, 1, [], {}, { id: {} }, { method: 7 }, { id: 1, result: {} }]) {
    acting.took(nothing);
    assert.equal(acting.needs(nothing), false);
  }
  assert.equal(acting.needs({ id: 1, method: "tools/call" }), true);
});
