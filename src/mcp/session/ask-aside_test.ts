import assert from "node:assert/strict";
import { askingAside } from "./ask-aside.ts";
import type { McpCall } from "../server/call.ts";
import { Caller } from "../server/caller.ts";
import type { Elicited } from "../server/client.ts";
import { guarded } from "../security/_guarded.ts";
import { Queue } from "./queue.ts";

const QUESTION = { mode: "form", message: "Really?", requestedSchema: { type: "object" } } as const;
const never = new AbortController().signal;

/** Asks within a turn; `elicit` is what the client does with it. */
async function asking(
  parts: { elicit(stop: AbortSignal): Promise<Elicited>; mayAct?(): Promise<void>; most?: number },
  beside: (queue: Queue) => Promise<void> = () => Promise.resolve(),
): Promise<Elicited> {
  const queue = new Queue();
  const { promise, resolve, reject } = Promise.withResolvers<Elicited>();
  await guarded({}, async (fixture) => {
    const plain = fixture.call();
    const call: McpCall = {
      ...plain,
      client: { ...plain.client, elicit: (_, stop) => parts.elicit(stop) },
      ...(parts.mayAct ? { mayAct: parts.mayAct } : {}),
    };
    const turn = queue.run("asks", never, async (turn) => {
      const own = askingAside(call, turn, new Caller(call), parts.most);
      await own.client.elicit(QUESTION, own.signal).then(resolve, reject);
    });
    await beside(queue);
    await turn;
  });
  return await promise;
}

/** Rejects when it is told to stop. */
function silence(stop: AbortSignal): Promise<Elicited> {
  return new Promise((_, reject) =>
    stop.addEventListener("abort", () => reject(stop.reason), { once: true })
  );
}

Deno.test("while a client is asked others have the turn, and a question in a workflow ends by itself", async () => {
  let others = 0;
  const asked = asking({ elicit: silence, most: 300 }, async (queue) => {
    for (let at = 0; at < 5; at++) await queue.run("acts", never, () => Promise.resolve(void others++));
    assert.equal(others, 5);
  });
  await assert.rejects(asked, { name: "TimeoutError" });
});

Deno.test("an answer that comes after the caller's token has ended is none", async () => {
  const elicit = () => Promise.resolve<Elicited>({ action: "accept", content: {} });
  assert.deepEqual(await asking({ elicit }), { action: "accept", content: {} });
  const mayAct = () => Promise.reject(new Error("it has expired"));
  await assert.rejects(asking({ elicit, mayAct }), { code: "cancelled" });
});
