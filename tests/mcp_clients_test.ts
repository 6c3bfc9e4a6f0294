import assert from "node:assert/strict";
import { fixture } from "../src/mcp/session/_host.ts";
import { sessionsOf } from "../src/cli/commands/mcp/serve-http.ts";
import { call, post, streamable } from "../src/mcp/sdk/http/_http.ts";
import { serveHttp } from "../src/mcp/sdk/http/http.ts";
import { CallToolResultSchema, CreateTaskResultSchema, GetTaskResultSchema } from "../src/mcp/sdk/sdk.ts";

const app = "sim.settings";

/** Two clients of one server over HTTP, each connected to the application. */
async function twoClients(
  action: (
    one: Awaited<ReturnType<typeof streamable>>,
    other: Awaited<ReturnType<typeof streamable>>,
    url: string,
  ) => Promise<void>,
): Promise<void> {
  await fixture({}, async ({ host }) => {
    const http = await serveHttp({ ...sessionsOf(host), port: 0, limits: { graceMs: 200 } });
    try {
      const one = await streamable(http.url);
      const other = await streamable(http.url);
      for (const { client } of [one, other]) {
        await client.callTool({ name: "ax_connect", arguments: { app } });
      }
      await action(one, other, http.url);
      // The session of the bench itself stays.
      await one.transport.terminateSession();
      await other.transport.terminateSession();
      assert.equal(host.sessions.size, 1);
      await one.client.close();
      await other.client.close();
    } finally {
      await http.close();
    }
  });
}

/** What a tool answered. */
async function answerOf(
  client: { callTool(what: { name: string; arguments: Record<string, string> }): Promise<unknown> },
  name: string,
  args: Record<string, string>,
) {
  return CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
}

Deno.test("a reference to an element is its session's: another client's means nothing", async () => {
  await twoClients(async (one, other) => {
    const found = await answerOf(one.client, "ax_find", { app, query: "role:AXButton" });
    const element = found.structuredContent?.["element_id"] ?? JSON.stringify(found).match(/el-[\w-]+/)?.[0];
    assert.equal(typeof element, "string", JSON.stringify(found));
    const ref = String(element);
    const own = await answerOf(one.client, "ax_get_attributes", { app, query: ref });
    assert.ok(!own.isError, JSON.stringify(own));
    const foreign = await answerOf(other.client, "ax_get_attributes", { app, query: ref });
    assert.equal(foreign.isError, true);
    assert.match(JSON.stringify(foreign.content), /ElementStale|ElementNotFound|no such reference/);
  });
});

Deno.test("a task is its session's: another client finds none, lists none, cancels none", async () => {
  await twoClients(async (one, other) => {
    const begun = await one.client.request(
      { method: "tools/call", params: { name: "ax_wait_idle", arguments: { app }, task: { ttl: 60_000 } } },
      CreateTaskResultSchema,
    );
    const { taskId } = begun.task;
    const own = await one.client.request({ method: "tasks/get", params: { taskId } }, GetTaskResultSchema);
    assert.equal(own.taskId, taskId);
    for (const method of ["tasks/get", "tasks/cancel", "tasks/result"]) {
      await assert.rejects(
        () => other.client.request({ method, params: { taskId } }, GetTaskResultSchema),
        /-32602/,
        method,
      );
    }
  });
});

Deno.test("a connection and its alias are its session's", async () => {
  await fixture({}, async ({ host }) => {
    const http = await serveHttp({ ...sessionsOf(host), port: 0, limits: { graceMs: 200 } });
    try {
      const one = await streamable(http.url);
      const other = await streamable(http.url);
      await one.client.callTool({ name: "ax_connect", arguments: { app, alias: "mine" } });
      const foreign = await answerOf(other.client, "ax_find", { app: "mine", query: "role:AXButton" });
      assert.match(JSON.stringify(foreign.content), /AppNotConnected/);
      await one.client.close();
      await other.client.close();
    } finally {
      await http.close();
    }
  });
});

Deno.test("who may only look acts in no tool of the server, and looks in every other", async () => {
  await fixture({}, ({ host }) => {
    const { acts } = sessionsOf(host);
    const acting = host.tools.map((tool) => tool.definition).filter(({ name }) => acts?.(name));
    for (const { name, annotations } of acting) assert.equal(annotations.readOnlyHint, false, name);
    for (const name of ["ax_click", "ax_type", "ax_workflow", "ax_undo", "ax_run_script"]) {
      const existing = host.tools.some(({ definition }) => definition.name === name);
      assert.ok(!existing || acts?.(name), name);
    }
    assert.ok(acts?.("no_such_tool"), "what nobody knows might act");
    return Promise.resolve();
  });
});

Deno.test("two hundred calls of one client leave the others their turn", async () => {
  await twoClients(async (one, other, url) => {
    const id = one.transport.sessionId ?? "";
    const flood = Array.from(
      { length: 200 },
      (_, at) =>
        post(url, call("ax_session_info", `flood-${at}`).replace(/"arguments":\{[^}]*\}/, '"arguments":{}'), {
          "mcp-session-id": id,
        }).then((response) => response.text()),
    );
    const began = Date.now();
    const answer = await answerOf(other.client, "ax_session_info", {});
    assert.ok(!answer.isError);
    assert.ok(Date.now() - began < 20_000);
    await Promise.all(flood);
  });
});
