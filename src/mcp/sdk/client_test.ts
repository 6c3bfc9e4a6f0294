import assert from "node:assert/strict";
import { BackstepError, type Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { McpCall } from "../server/call.ts";
import { serving, tool } from "./_served.ts";
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  McpError,
} from "./sdk.ts";

type Asked = Parameters<typeof serving>[0]["client"];

/** What a tool learns that asks its client something: the answer, or the error's code. */
async function asking(
  capabilities: ClientCapabilities,
  client: Asked,
  ask: (call: McpCall) => Promise<unknown>,
): Promise<Json> {
  let reported: Json = null;
  const asks = tool("asks", async (call) => {
    try {
      reported = JSON.parse(JSON.stringify(await ask(call)));
    } catch (error) {
      assert.ok(error instanceof BackstepError, String(error));
      reported = error.code;
    }
    return {};
  });
  await serving(
    { tools: [asks], capabilities, ...defined({ client }) },
    async ({ client }) => {
      await client.callTool({ name: "asks" });
    },
  );
  return reported;
}

const FORM = {
  mode: "form",
  message: "Which?",
  requestedSchema: {
    type: "object",
    properties: { app: { type: "string", enum: ["a", "b"] } },
    required: ["app"],
  },
} as const;
const SAMPLE = {
  messages: [{ role: "user", content: [{ type: "text", text: "What next?" }] }],
  maxTokens: 10,
} as const;

Deno.test("a client can what it says that it can; an empty capability to elicit means forms", async () => {
  const can = (capabilities: ClientCapabilities) =>
    asking(capabilities, undefined, (call) => Promise.resolve(call.client.can));
  const nothing = { form: false, url: false, sampling: false, samplingTools: false, roots: false };
  assert.deepEqual(await can({}), nothing);
  assert.deepEqual(await can({ elicitation: {} }), { ...nothing, form: true });
  assert.deepEqual(await can({ elicitation: { url: {} }, roots: {} }), {
    ...nothing,
    url: true,
    roots: true,
  });
  assert.deepEqual(await can({ sampling: { tools: {} } }), {
    ...nothing,
    sampling: true,
    samplingTools: true,
  });
});

Deno.test("a person accepts, declines or closes a form; an answer that does not fit it is refused", async () => {
  const answer = (given: { action: "accept" | "decline" | "cancel"; content?: { app: string } }) =>
    asking(
      { elicitation: { form: {} } },
      (client) => client.setRequestHandler(ElicitRequestSchema, () => Promise.resolve(given)),
      (call) => call.client.elicit(FORM, call.signal),
    );
  assert.deepEqual(await answer({ action: "accept", content: { app: "a" } }), {
    action: "accept",
    content: { app: "a" },
  });
  assert.deepEqual(await answer({ action: "decline" }), { action: "decline" });
  assert.deepEqual(await answer({ action: "cancel" }), { action: "cancel" });
  assert.equal(await answer({ action: "accept", content: { app: "c" } }), "refused");
});

Deno.test("an address is handed over for the person, and the client hears when that is over", async () => {
  const seen: string[] = [];
  const over = Promise.withResolvers<string>();
  const answer = await asking(
    { elicitation: { url: {} } },
    (client) => {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        if (params.mode === "url") seen.push(params.url, params.elicitationId);
        return Promise.resolve({ action: "accept" });
      });
      client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
        over.resolve(params.elicitationId);
      });
    },
    async (call) => {
      const answered = await call.client.elicit({
        mode: "url",
        message: "Enter the key",
        url: "http://127.0.0.1:1/key",
        elicitationId: "e-1",
      }, call.signal);
      await call.client.elicited("e-1");
      return answered;
    },
  );
  assert.deepEqual([answer, seen], [{ action: "accept", content: {} }, ["http://127.0.0.1:1/key", "e-1"]]);
  assert.equal(await over.promise, "e-1");
});

Deno.test("the client's model answers, with a call of a tool where it was offered one", async () => {
  const plain = await asking(
    { sampling: {} },
    (client) =>
      client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
        // One piece of content comes alone, as older clients expect it.
        const [message] = params.messages;
        const said = message && !Array.isArray(message.content) && message.content.type === "text"
          ? message.content.text
          : "?";
        return Promise.resolve({
          model: "m",
          stopReason: "endTurn",
          role: "assistant",
          content: { type: "text", text: `You said: ${said}` },
        });
      }),
    (call) => call.client.sample(SAMPLE, call.signal),
  );
  assert.deepEqual(plain, {
    model: "m",
    stopReason: "endTurn",
    content: [{ type: "text", text: "You said: What next?" }],
  });
  const tools = [{ name: "look", description: "Looks", inputSchema: { type: "object" } }];
  const use = { type: "tool_use" as const, id: "u1", name: "look", input: { at: "it" } };
  const withTools = await asking(
    { sampling: { tools: {} } },
    (client) =>
      client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
        assert.equal(params.tools?.[0]?.name, "look");
        return Promise.resolve({ model: "m", stopReason: "toolUse", role: "assistant", content: [use] });
      }),
    (call) => call.client.sample({ ...SAMPLE, tools, toolChoice: { mode: "auto" } }, call.signal),
  );
  assert.deepEqual(withTools, { model: "m", stopReason: "toolUse", content: [use] });
});

Deno.test("a question that was refused, that the client does not know, or whose call was cancelled says which", async () => {
  const failing = (code: number) =>
    asking(
      { sampling: {} },
      (client) =>
        client.setRequestHandler(
          CreateMessageRequestSchema,
          () => Promise.reject(new McpError(code, "No")),
        ),
      (call) => call.client.sample(SAMPLE, call.signal),
    );
  assert.equal(await failing(-1), "refused");
  assert.equal(await failing(-32601), "unsupported");
  const stopped = await asking(
    { sampling: {} },
    (client) => client.setRequestHandler(CreateMessageRequestSchema, () => new Promise(() => {})),
    (call) => {
      const stop = new AbortController();
      const answer = call.client.sample(SAMPLE, stop.signal);
      stop.abort();
      return answer;
    },
  );
  assert.equal(stopped, "cancelled");
});

Deno.test("a client's folders are listed", async () => {
  const roots = await asking(
    { roots: {} },
    (client) =>
      client.setRequestHandler(
        ListRootsRequestSchema,
        () => Promise.resolve({ roots: [{ uri: "file:///work", name: "work" }, { uri: "file:///tmp" }] }),
      ),
    (call) => call.client.roots(call.signal),
  );
  assert.deepEqual(roots, [{ uri: "file:///work", name: "work" }, { uri: "file:///tmp" }]);
});
