import assert from "node:assert/strict";
import { once } from "node:events";
import { BackstepError } from "../../base/error.ts";
import { ProtocolError } from "../server/wire.ts";
import { Client, InMemoryTransport } from "./_client.ts";
import { serving, tool } from "./_served.ts";
import {
  CallToolResultSchema,
  CancelTaskResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  EmptyResultSchema,
  GetTaskResultSchema,
  type JSONRPCMessage,
  ListTasksResultSchema,
  LoggingMessageNotificationSchema,
  McpError,
  ResourceUpdatedNotificationSchema,
  TaskStatusNotificationSchema,
} from "./sdk.ts";
import { makeServer } from "./server.ts";

const text = (text: string) => ({ content: [{ type: "text" as const, text }] });

/** What messages are, in short. */
function kinds(heard: readonly JSONRPCMessage[]): string[] {
  return heard.map((one) => "method" in one ? one.method : "error" in one ? "error" : "result");
}

function fails(code: number, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof McpError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}

Deno.test("a server says who it is, what it can do and how to work with it", async () => {
  await serving({}, async ({ client }) => {
    assert.deepEqual(client.getServerCapabilities(), {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    });
    assert.equal(client.getServerVersion()?.name, "backstep");
    assert.match(client.getInstructions() ?? "", /ax_connect/);
    await client.ping();
  });
});

Deno.test("progress rises and is sent in order before the answer, and only where it was asked for", async () => {
  const works = tool("works", (call) => {
    for (const done of [1, 1, 2, undefined]) call.progress(`at ${done}`, done, 4);
    return Promise.resolve(text("done"));
  });
  await serving({ tools: [works] }, async ({ client, heard }) => {
    const seen: number[] = [];
    await client.callTool({ name: "works" }, undefined, {
      onprogress: ({ progress }) => seen.push(progress),
    });
    assert.equal(seen.length, 4);
    assert.ok(seen.every((value, at) => at === 0 || value > (seen[at - 1] ?? Infinity)), `${seen}`);
    const from = heard.length;
    await client.callTool({ name: "works" });
    assert.ok(!kinds(heard.slice(from)).includes("notifications/progress"));
    const order = kinds(heard.slice(0, from)).filter((kind) => kind !== "notifications/message");
    assert.deepEqual(order.slice(-5), [...Array(4).fill("notifications/progress"), "result"]);
  });
});

Deno.test("a client that cancels a call fires its signal and hears no more of it", async () => {
  let fired: unknown;
  const begun = Promise.withResolvers<void>(), finished = Promise.withResolvers<void>();
  const waits = tool("waits", async (call) => {
    begun.resolve();
    await once(call.signal, "abort");
    call.progress("too late");
    fired = call.signal.aborted;
    finished.resolve();
    throw new BackstepError("cancelled", "Cannot wait: it was cancelled");
  });
  await serving({ tools: [waits] }, async ({ client, heard }) => {
    const stop = new AbortController();
    const call = client.callTool({ name: "waits" }, undefined, { signal: stop.signal, onprogress: () => {} });
    await begun.promise;
    stop.abort("enough");
    await assert.rejects(call);
    await finished.promise;
    await client.ping();
    assert.equal(fired, true);
    assert.ok(!kinds(heard).includes("notifications/progress"));
  });
});

Deno.test("log messages come from the level on that the client sets, info where it sets none", async () => {
  const says = tool("says", (call) => {
    for (const level of ["debug", "info", "notice", "error"] as const) {
      call.log(level, "axterminator.test", { level });
    }
    return Promise.resolve(text("said"));
  });
  const levels: string[] = [];
  await serving({
    tools: [says],
    client: (client) =>
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
        if (params.logger === "axterminator.test") levels.push(params.level);
      }),
  }, async ({ client }) => {
    await client.callTool({ name: "says" });
    await client.setLoggingLevel("notice");
    await client.callTool({ name: "says" });
    await client.setLoggingLevel("debug");
    await client.callTool({ name: "says" });
  });
  assert.deepEqual(levels, [
    "info",
    "notice",
    "error",
    "notice",
    "error",
    "debug",
    "info",
    "notice",
    "error",
  ]);
});

Deno.test("what is wrong with a request is a JSON-RPC error with its code and data", async () => {
  const limited = tool("limited", () => {
    throw new ProtocolError(-32000, "One call too many", { retry_after_ms: 20 });
  });
  await serving({ tools: [limited] }, async ({ client }) => {
    await assert.rejects(client.callTool({ name: "limited" }), (error) => {
      assert.ok(fails(-32000, /One call too many/)(error) && error instanceof McpError);
      assert.deepEqual(error.data, { retry_after_ms: 20 });
      return true;
    });
    await assert.rejects(client.callTool({ name: "limitd" }), fails(-32602, /Did you mean limited\?/));
    await assert.rejects(client.readResource({ uri: "axterminator://nothing" }), fails(-32002, /nothing/));
    await assert.rejects(client.listTools({ cursor: "bogus" }), fails(-32602, /cursor/));
    await assert.rejects(
      client.request({ method: "tools/call", params: { name: 7 } }, CallToolResultSchema),
      fails(-32602, /params\.name/),
    );
    for (const method of ["no/such", "constructor", "toString", "__proto__"]) {
      await assert.rejects(client.request({ method }, EmptyResultSchema), fails(-32601, /not found/));
    }
    const deep: unknown = JSON.parse(`{"a":`.repeat(20_000) + "1" + "}".repeat(20_000));
    await assert.rejects(
      client.request(
        { method: "tools/call", params: { name: "limited", arguments: deep } },
        EmptyResultSchema,
      ),
      fails(-32602, /levels/),
    );
  });
});

Deno.test("a prompt needs its required arguments and takes no others; its arguments are completed, a hundred at most", async () => {
  const greet = {
    definition: {
      name: "greet",
      title: "Greet",
      description: "Greets",
      arguments: [{ name: "app_name", required: true }, { name: "area" }],
    },
    get: (args: { readonly [name: string]: string }) =>
      Promise.resolve({
        description: "A greeting",
        messages: [{
          role: "user" as const,
          content: { type: "text" as const, text: `Hello ${args["app_name"]}` },
        }],
      }),
    complete: (_argument: string, value: string, filled: { readonly [name: string]: string }) =>
      Promise.resolve(Array.from({ length: 130 }, (_, n) => `${value}${filled["app_name"] ?? ""}${n}`)),
  };
  await serving({ prompts: [greet] }, async ({ client }) => {
    assert.deepEqual((await client.listPrompts()).prompts.map(({ name }) => name), ["greet"]);
    const { messages } = await client.getPrompt({ name: "greet", arguments: { app_name: "gedit" } });
    assert.deepEqual(messages, [{ role: "user", content: { type: "text", text: "Hello gedit" } }]);
    await assert.rejects(client.getPrompt({ name: "greet" }), fails(-32602, /needs app_name/));
    await assert.rejects(
      client.getPrompt({ name: "greet", arguments: { app_name: "x", colour: "red" } }),
      fails(-32602, /takes no argument colour/),
    );
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "greet" },
      argument: { name: "area", value: "a" },
      context: { arguments: { app_name: "gedit" } },
    });
    assert.equal(completion.values.length, 100);
    assert.deepEqual([completion.total, completion.hasMore, completion.values[0]], [130, true, "agedit0"]);
  });
});

Deno.test("a resource is listed, read, completed and watched until it is not any more", async () => {
  let changed: (() => void) | undefined;
  let closed = 0;
  const uri = "axterminator://app/gedit/state", template = "axterminator://app/{name}/state";
  const provider = {
    resources: [{ uri: "axterminator://apps", name: "apps" }],
    templates: [{ uriTemplate: template, name: "state" }],
    listed: () => Promise.resolve([{ uri, name: "gedit" }]),
    read: (asked: string) =>
      Promise.resolve(asked === uri ? [{ uri, mimeType: "application/json", text: "{}" }] : undefined),
    watch: (asked: string, _call: unknown, reported: () => void) => {
      if (asked !== uri) return Promise.resolve(undefined);
      changed = reported;
      return Promise.resolve({ close: () => Promise.resolve(void closed++) });
    },
    complete: (_template: string, variable: string, value: string) =>
      Promise.resolve([`${variable}:${value}dit`]),
  };
  const heard = Promise.withResolvers<string>();
  await serving({
    resources: [provider],
    client: (client) =>
      client.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }) => heard.resolve(params.uri),
      ),
  }, async ({ client, session }) => {
    assert.deepEqual((await client.listResources()).resources.map((one) => one.uri), [
      "axterminator://apps",
      uri,
    ]);
    assert.equal((await client.listResourceTemplates()).resourceTemplates[0]?.uriTemplate, template);
    assert.deepEqual((await client.readResource({ uri })).contents, [{
      uri,
      mimeType: "application/json",
      text: "{}",
    }]);
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: template },
      argument: { name: "name", value: "ge" },
    });
    assert.deepEqual(completion.values, ["name:gedit"]);
    await client.subscribeResource({ uri });
    await client.subscribeResource({ uri });
    assert.equal(session.subscriptions, 1);
    changed?.();
    assert.equal(await heard.promise, uri);
    await assert.rejects(client.subscribeResource({ uri: "axterminator://other" }), fails(-32002, /other/));
    await client.unsubscribeResource({ uri });
    await client.unsubscribeResource({ uri });
    assert.deepEqual([session.subscriptions, closed], [0, 1]);
    await client.subscribeResource({ uri });
  });
  assert.equal(closed, 2, "what is still watched ends with the connection");
});

Deno.test("lists are told to have changed when a policy or a connection does", async () => {
  await serving({}, async ({ client, session, heard }) => {
    const [application] = await session.host.desktop.desktop.applications();
    await session.host.desktop.launcher.launch("sim.calculator");
    const [running] = await session.host.desktop.desktop.applications();
    assert.ok(application === undefined && running !== undefined);
    session.connections.connect(running, { appName: "Calculator" });
    await client.ping();
    assert.deepEqual(kinds(heard).filter((kind) => kind.endsWith("list_changed")), [
      "notifications/resources/list_changed",
      "notifications/prompts/list_changed",
    ]);
  });
});

Deno.test("a question to the person is asked as a form, and only of a client that can", async () => {
  const asks = tool("asks", async (call) => {
    if (!call.client.can.form) return text("cannot ask");
    const answer = await call.client.elicit({
      mode: "form",
      message: "Sure?",
      requestedSchema: {
        type: "object",
        properties: { confirm: { type: "boolean" } },
        required: ["confirm"],
      },
    }, call.signal);
    return text(JSON.stringify(answer));
  });
  const said = (answer: unknown) => {
    const { content } = CallToolResultSchema.parse(answer);
    return content.flatMap((piece) => piece.type === "text" ? [piece.text] : []).at(-1);
  };
  await serving({ tools: [asks] }, async ({ client }) => {
    assert.equal(said(await client.callTool({ name: "asks" })), "cannot ask");
  });
  await serving({
    tools: [asks],
    capabilities: { elicitation: {} },
    client: (client) =>
      client.setRequestHandler(
        ElicitRequestSchema,
        () => Promise.resolve({ action: "accept", content: { confirm: true } }),
      ),
  }, async ({ client }) => {
    assert.equal(
      said(await client.callTool({ name: "asks" })),
      '{"action":"accept","content":{"confirm":true}}',
    );
  });
});

Deno.test("a call as a task is answered at once, tells of its changes and gives its result when it has one", async () => {
  const go = Promise.withResolvers<void>();
  const slow = tool("slow", async (call) => {
    call.progress("Halfway", 1, 2);
    await go.promise;
    return text(`done as ${call.task?.id}`);
  }, { task: true });
  const statuses: string[] = [];
  const tokens: (string | number)[] = [];
  await serving({
    tools: [slow, tool("quick", () => Promise.resolve(text("quick")))],
    client: (client) =>
      client.setNotificationHandler(
        TaskStatusNotificationSchema,
        ({ params }) => void statuses.push(`${params.status}: ${params.statusMessage}`),
      ),
  }, async ({ client, heard }) => {
    const begun = await client.request({
      method: "tools/call",
      params: {
        name: "slow",
        arguments: { query: "it" },
        task: { ttl: 30_000 },
        _meta: { progressToken: "p-1" },
      },
    }, CreateTaskResultSchema);
    const { taskId, status, ttl, pollInterval } = begun.task;
    assert.deepEqual([status, ttl, pollInterval], ["working", 30_000, 500]);
    assert.match(
      String(begun._meta?.["io.modelcontextprotocol/model-immediate-response"]),
      /The tool slow 'it'/,
    );
    const waiting = client.request({ method: "tasks/result", params: { taskId } }, CallToolResultSchema);
    const { tasks } = await client.request({ method: "tasks/list" }, ListTasksResultSchema);
    assert.deepEqual(tasks.map((task) => task.taskId), [taskId]);
    go.resolve();
    const result = await waiting;
    assert.deepEqual(result.content.at(-1), { type: "text", text: `done as ${taskId}` });
    assert.deepEqual(result._meta?.["io.modelcontextprotocol/related-task"], { taskId });
    const finished = await client.request({ method: "tasks/get", params: { taskId } }, GetTaskResultSchema);
    assert.equal(finished.status, "completed");
    assert.deepEqual(statuses, ["working: Halfway", "completed: Done"]);
    for (const one of heard) {
      if ("method" in one && one.method === "notifications/progress") {
        tokens.push(String(one.params?.["progressToken"]));
        assert.deepEqual(one.params?._meta?.["io.modelcontextprotocol/related-task"], { taskId });
      }
    }
    assert.deepEqual(tokens, ["p-1"]);
    const first = heard.findIndex((one) => "result" in one && "task" in one.result);
    assert.ok(
      first >= 0 && first < heard.findIndex((one) => "method" in one && /progress|tasks/.test(one.method)),
    );
    await assert.rejects(
      client.request({ method: "tasks/cancel", params: { taskId } }, CancelTaskResultSchema),
      fails(-32602, /completed already/),
    );
    await assert.rejects(
      client.request({ method: "tools/call", params: { name: "quick", task: {} } }, CreateTaskResultSchema),
      fails(-32601, /cannot run as a task/),
    );
  });
});

Deno.test("a cancelled task is answered when it has rolled back what it did; other sessions do not find it", async () => {
  const undone = Promise.withResolvers<void>();
  let rolledBack = false;
  const atWork = Promise.withResolvers<void>();
  const slow = tool("slow", async (call) => {
    atWork.resolve();
    await once(call.signal, "abort");
    await undone.promise;
    rolledBack = true;
    throw new BackstepError("cancelled", "Cannot go on: it was cancelled");
  }, { task: true });
  await serving({ tools: [slow] }, async ({ client, heard }) => {
    const begun = await client.request(
      { method: "tools/call", params: { name: "slow", task: {} } },
      CreateTaskResultSchema,
    );
    const { taskId } = begun.task;
    await atWork.promise;
    const cancelling = client.request({ method: "tasks/cancel", params: { taskId } }, CancelTaskResultSchema);
    const meanwhile = await client.request({ method: "tasks/get", params: { taskId } }, GetTaskResultSchema);
    assert.deepEqual([meanwhile.status, rolledBack], ["working", false]);
    undone.resolve();
    assert.deepEqual([(await cancelling).status, rolledBack], ["cancelled", true]);
    const result = await client.request({ method: "tasks/result", params: { taskId } }, CallToolResultSchema);
    assert.equal(result.isError, true);
    const last = heard.findLast((one) => "method" in one && one.method === "notifications/tasks/status");
    assert.equal(last && "params" in last && last.params?.["status"], "cancelled");
    await serving({ tools: [slow] }, async ({ client: other }) => {
      await assert.rejects(
        other.request({ method: "tasks/get", params: { taskId } }, GetTaskResultSchema),
        fails(-32602, /not found/),
      );
    });
  });
});

Deno.test("a task that asks the person waits for input meanwhile", async () => {
  const asks = tool("asks", async (call) => {
    const { action } = await call.client.elicit({
      mode: "form",
      message: "Sure?",
      requestedSchema: { type: "object", properties: {} },
    }, call.signal);
    return text(action);
  }, { task: true });
  const statuses: string[] = [];
  await serving({
    tools: [asks],
    capabilities: { elicitation: { form: {} } },
    client: (client) => {
      client.setRequestHandler(ElicitRequestSchema, () => Promise.resolve({ action: "decline" }));
      client.setNotificationHandler(
        TaskStatusNotificationSchema,
        ({ params }) => void statuses.push(params.status),
      );
    },
  }, async ({ client }) => {
    const begun = await client.request(
      { method: "tools/call", params: { name: "asks", task: {} } },
      CreateTaskResultSchema,
    );
    await client.request(
      { method: "tasks/result", params: { taskId: begun.task.taskId } },
      CallToolResultSchema,
    );
    assert.deepEqual(statuses, ["input_required", "working", "completed"]);
  });
});

Deno.test("a server that closes ends its calls first, and says when it has closed", async () => {
  const finished: string[] = [];
  const begun = Promise.withResolvers<void>();
  const waits = tool("waits", async (call) => {
    begun.resolve();
    await once(call.signal, "abort");
    await Promise.resolve();
    finished.push("call");
    return text("stopped");
  });
  await serving({ tools: [waits] }, async ({ client, server }) => {
    const call = client.callTool({ name: "waits" });
    await begun.promise;
    server.closed.then(() => finished.push("closed"));
    const closing = server.close();
    await assert.rejects(call);
    await closing;
    assert.deepEqual(finished, ["call", "closed"]);
  });
});

Deno.test("a desktop that cannot be had is told to whoever asks, with what to try; the server stays", async () => {
  const gone = () =>
    Promise.reject(new BackstepError("no_desktop", "Cannot attach: DISPLAY not set", { hint: "Log in." }));
  const server = makeServer(gone(), gone());
  const client = new Client({ name: "test", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(ours);
  await client.connect(theirs);
  for (let k = 0; k < 2; k++) {
    await assert.rejects(client.listTools(), fails(-32603, /Cannot attach: DISPLAY not set\. Log in\./));
  }
  await client.ping();
  await client.close();
  await server.closed;
});
