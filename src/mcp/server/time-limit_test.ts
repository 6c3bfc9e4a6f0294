import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import { fixture, PLAIN_CLIENT } from "../session/_host.ts";
import type { McpCall } from "./call.ts";
import type { McpClient } from "./client.ts";
import { limited } from "./time-limit.ts";
import { sessionInfo } from "../tools/session-info.ts";
import { workflow } from "../tools/workflow.ts";

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const fired = (signal: AbortSignal) =>
  new Promise<string>((resolve) =>
    signal.addEventListener("abort", () => resolve("stopped"), { once: true })
  );
const times = { limit: 60, grace: 60 };

async function within<R>(
  action: (own: McpCall) => Promise<R>,
  client: Partial<McpClient> = {},
  signal?: AbortSignal,
): Promise<R> {
  return await fixture({}, ({ call }) => {
    const own = call({ client: { ...PLAIN_CLIENT, ...client }, ...(signal ? { signal } : {}) });
    return limited(workflow, {}, own, action, times);
  });
}

Deno.test("a call is stopped when its time is over, and may come to its end then", async () => {
  assert.equal(await within(({ signal }) => fired(signal)), "stopped");
});

Deno.test("a call that does not come to its end is given up, as timed out or as cancelled", async () => {
  await assert.rejects(within(() => new Promise(() => {})), { kind: "Timeout" });
  await assert.rejects(within(() => new Promise(() => {}), {}, AbortSignal.abort()), { kind: "Cancelled" });
});

Deno.test("a look that its time has stopped is late, and not cancelled: nobody did", async () => {
  const stopped = (signal: AbortSignal) =>
    fired(signal).then(() => {
      throw new BackstepError("cancelled", "Cannot wait for an event: it was cancelled");
    });
  await fixture({}, async ({ call }) => {
    const look = limited(sessionInfo, {}, call(), ({ signal }) => stopped(signal), times);
    await assert.rejects(look, { kind: "Timeout" });
    const act = limited(workflow, {}, call(), ({ signal }) => stopped(signal), times);
    await assert.rejects(act, { code: "cancelled" });
  });
});

Deno.test("while a person or the client's model is asked, the time stands still", async () => {
  const client: Partial<McpClient> = {
    elicit: async () => (await wait(150), { action: "accept", content: {} }),
    sample: async () => (await wait(150), { model: "m", stopReason: undefined, content: [] }),
  };
  const answer = await within(async ({ client, signal }) => {
    const form = { mode: "form", message: "?", requestedSchema: {} } as const;
    await Promise.all([
      client.elicit(form, signal),
      client.sample({ messages: [], maxTokens: 1 }, signal),
    ]);
    return signal.aborted;
  }, client);
  assert.equal(answer, false);
});

Deno.test("after the question the time goes on", async () => {
  const client: Partial<McpClient> = { elicit: async () => (await wait(30), { action: "cancel" }) };
  const answer = await within(async ({ client, signal }) => {
    await client.elicit({ mode: "form", message: "?", requestedSchema: {} }, signal);
    return await fired(signal);
  }, client);
  assert.equal(answer, "stopped");
});
