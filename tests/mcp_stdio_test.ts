import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import type { Json } from "../src/base/error.ts";
import { Client, StdioClientTransport } from "../src/mcp/sdk/_client.ts";
import {
  CallToolResultSchema,
  CancelTaskResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  GetTaskResultSchema,
  LoggingMessageNotificationSchema,
  McpError,
} from "../src/mcp/sdk/sdk.ts";
import { INITIALIZE, ROOT, serverCommand, withRawServer, withState } from "./mcp/_stdio.ts";

const run = promisify(execFile);
const REFERENCES = join(ROOT, "tools/references/node_modules");
const SIMULATED = ["--session", "simulated", "--app", "sim.calculator"];

/** The text that a tool answered last. */
function said(result: unknown): string {
  const { content } = CallToolResultSchema.parse(result);
  return content.flatMap((piece) => piece.type === "text" ? [piece.text] : []).at(-1) ?? "";
}

Deno.test("the SDK's client on a server of its own: lists, calls, progress, levels, tasks, completion, subscriptions", async () => {
  await withState(async (state) => {
    const { command, args, env } = serverCommand(state, ...SIMULATED, "--conformance");
    const transport = new StdioClientTransport({ command, args, env, cwd: "/", stderr: "pipe" });
    const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
    const logged: string[] = [];
    client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      // A call that takes long is a warning: how long this machine takes is not judged here.
      ({ params }) => void logged.push(`${params.level.replace("warning", "info")} ${params.logger}`),
    );
    try {
      await client.connect(transport);
      assert.equal(client.getServerVersion()?.name, "backstep");

      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      assert.ok(names.includes("ax_workflow") && names.includes("ax_connect"), names.join(" "));
      assert.equal(new Set(names).size, names.length);
      assert.ok((await client.listResources()).resources.length > 0);
      assert.ok((await client.listResourceTemplates()).resourceTemplates.length > 0);
      const { prompts } = await client.listPrompts();
      assert.ok(prompts.length > 0);

      const connected = await client.callTool({ name: "ax_connect", arguments: { app: "Calculator" } });
      assert.match(said(connected), /"connected":true/);
      assert.deepEqual(logged, ["info axterminator.tools.connect"]);
      await client.setLoggingLevel("error");
      await client.callTool({ name: "ax_session_info", arguments: {} });
      assert.equal(logged.length, 1, "neither info nor a warning is what the client wants now");

      const progress: number[] = [];
      await client.callTool({ name: "test_tool_with_progress", arguments: {} }, undefined, {
        onprogress: (one) => progress.push(one.progress),
      });
      // The SDK's client drops progress that comes in one piece with the answer: the order on the wire is judged below.
      assert.deepEqual(progress, [0, 50, 100].slice(0, progress.length));
      assert.ok(progress.length > 0);

      await assert.rejects(
        client.callTool({ name: "ax_connet", arguments: {} }),
        (error) => error instanceof McpError && error.code === -32602 && /ax_connect/.test(error.message),
      );

      const { completion } = await client.complete({
        ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
        argument: { name: "arg1", value: "" },
      });
      assert.equal(completion.hasMore ?? false, false);
      await client.subscribeResource({ uri: "test://watched-resource" });
      await client.unsubscribeResource({ uri: "test://watched-resource" });

      const steps = [{ tool: "ax_connect", args: { app: "Calculator" } }];
      const begun = await client.request({
        method: "tools/call",
        params: { name: "ax_workflow", arguments: { name: "short", steps }, task: { ttl: 20_000 } },
      }, CreateTaskResultSchema);
      const { taskId } = begun.task;
      const result = await client.request(
        { method: "tasks/result", params: { taskId } },
        CallToolResultSchema,
      );
      assert.deepEqual(result._meta?.["io.modelcontextprotocol/related-task"], { taskId });
      const task = await client.request({ method: "tasks/get", params: { taskId } }, GetTaskResultSchema);
      assert.ok(["completed", "failed"].includes(task.status));
      await assert.rejects(
        client.request({ method: "tasks/cancel", params: { taskId } }, CancelTaskResultSchema),
        (error) => error instanceof McpError && error.code === -32602,
      );
    } finally {
      await client.close();
    }
  });
});

Deno.test("where there is no desktop the tools say why, and ax_is_accessible asks whether help is wanted", async () => {
  await withState(async (state) => {
    const { command, args, env } = serverCommand(state, "--session", "attach");
    // Nothing listens at these, wherever the test runs.
    const bare = { ...env, DISPLAY: ":9999", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent" };
    const transport = new StdioClientTransport({ command, args, env: bare, cwd: "/", stderr: "pipe" });
    const client = new Client({ name: "test", version: "1" }, {
      capabilities: { elicitation: { form: {} } },
    });
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { action: "show_instructions" } };
    });
    try {
      await client.connect(transport);
      assert.ok((await client.listTools()).tools.length >= 30);
      const reported = said(await client.callTool({ name: "ax_is_accessible", arguments: {} }));
      assert.match(reported, /"enabled":false/);
      assert.match(reported, /Cannot attach to your desktop/);
      assert.deepEqual(asked, ["Accessibility permissions are not enabled. Would you like instructions?"]);
      const refused = await client.callTool({ name: "ax_connect", arguments: { app: "gedit" } });
      assert.equal(refused.isError, true);
      assert.match(said(refused), /AccessibilityDenied/);
    } finally {
      await client.close();
    }
  });
});

Deno.test("a workflow that is cancelled as a task is cancelled once its fields are as they were", async () => {
  await withState(async (state) => {
    await withRawServer(state, ["--session", "simulated", "--app", "sim.settings"], async (server) => {
      await server.ask("initialize", INITIALIZE);
      const structured = async (method: string, params: Json) => {
        const { result } = await server.ask(method, params);
        return Object(result).structuredContent;
      };
      const app = "Settings";
      assert.equal(
        (await structured("tools/call", { name: "ax_connect", arguments: { app } })).connected,
        true,
      );
      const value = async (query: string) =>
        (await structured("tools/call", { name: "ax_get_value", arguments: { app, query } })).value;
      const [name, mail] = ['textfield[name="Name"]', 'textfield[name="E-mail"]'];
      const before = [await value(name), await value(mail)];
      const set = (query: string, value: string) => ({ tool: "ax_set_value", args: { app, query, value } });
      const steps = [set(name, "Grace"), { ...set(mail, "g@x"), wait_after_ms: 10_000 }, set(name, "never")];
      const begun = await server.ask("tools/call", {
        name: "ax_workflow",
        arguments: { name: "long", steps },
        task: {},
        _meta: { progressToken: 1 },
      });
      const { taskId } = Object(begun["result"]).task;
      for (let message = ""; !message.startsWith("Step 2/3");) {
        const { method, params } = await server.next();
        if (method === "notifications/progress") message = String(Object(params).message);
      }
      const cancelled = await server.ask("tasks/cancel", { taskId });
      assert.equal(Object(cancelled["result"]).status, "cancelled");
      assert.deepEqual([await value(name), await value(mail)], before);
      const result = await server.ask("tasks/result", { taskId });
      assert.equal(Object(result["result"]).isError, true);
    });
  });
});

Deno.test("a line that is no message is answered with its error, and the server goes on", async () => {
  await withState(async (state) => {
    await withRawServer(state, ["--session", "simulated"], async (server) => {
      server.send("{no json");
      server.send("[]");
      server.send({ jsonrpc: "2.0", id: 7 });
      server.send("");
      const errors = [await server.next(), await server.next(), await server.next()];
      assert.deepEqual(
        errors.map((
          { id, error },
        ) => [id, typeof error === "object" && error && "code" in error && error.code]),
        [[null, -32700], [null, -32600], [7, -32600]],
      );
      const { result } = await server.ask("initialize", INITIALIZE);
      assert.ok(result);
      assert.match(server.log(), /Parse error/);
    });
  });
});

Deno.test("what a call says comes before its answer and in its order; what a task does, after it was begun", async () => {
  await withState(async (state) => {
    await withRawServer(state, [...SIMULATED, "--conformance"], async (server) => {
      await server.ask("initialize", INITIALIZE);
      const _meta = { progressToken: "p-1" };
      server.send({
        jsonrpc: "2.0",
        id: "call",
        method: "tools/call",
        params: { name: "test_tool_with_progress", arguments: {}, _meta },
      });
      const order = [];
      for (;;) {
        const message = await server.next();
        if (message["id"] === "call") break;
        const { method, params } = message;
        if (method !== "notifications/progress" || typeof params !== "object" || params === null) continue;
        assert.ok("progressToken" in params && params.progressToken === "p-1");
        order.push("progress" in params && params.progress);
      }
      assert.deepEqual(order, [0, 50, 100]);

      const steps = [{ tool: "ax_connect", args: { app: "Calculator" } }];
      server.send({
        jsonrpc: "2.0",
        id: "task",
        method: "tools/call",
        params: { name: "ax_workflow", arguments: { name: "short", steps }, task: {}, _meta },
      });
      assert.equal((await server.next())["id"], "task");
    });
  });
});

Deno.test("a server ends within two seconds of its client, or of an interrupt", async () => {
  await withState(async (state) => {
    for (const end of ["end of file", "SIGTERM", "SIGINT"] as const) {
      await withRawServer(state, ["--session", "simulated"], async (server) => {
        await server.ask("initialize", INITIALIZE);
        await server.ask("tools/list");
        const began = performance.now();
        if (end === "end of file") server.child.stdin?.end();
        // Not `child.kill`: Deno then reports the signal as what ended it, whatever did.
        else process.kill(server.child.pid ?? 0, end);
        assert.equal(await server.finished(), 0, `${end}: ${server.log()}`);
        assert.ok(performance.now() - began < 2_000, `${end} took ${performance.now() - began} ms`);
      });
    }
  });
});

Deno.test("a client that goes before it has said anything leaves nothing behind", async () => {
  await withState(async (state) => {
    await withRawServer(state, ["--session", "simulated"], async (server) => {
      server.child.stdin?.end();
      assert.equal(await server.finished(), 0, server.log());
    });
  });
});

/** Processes that were started with this state folder. */
function processesOf(state: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").includes(`BACKSTEP_STATE=${state}`);
    } catch {
      // It has ended, or is another user's.
      return false;
    }
  });
}

Deno.test({
  name: "a private desktop ends with its client, and no process of it is left",
  ignore: !existsSync("/usr/bin/Xvfb"),
  async fn() {
    await withState(async (state) => {
      await withRawServer(state, ["--session", "isolated"], async (server) => {
        await server.ask("initialize", INITIALIZE);
        const { result } = await server.ask("tools/call", { name: "ax_is_accessible", arguments: {} });
        assert.match(JSON.stringify(result), /"enabled":true/);
        assert.equal(readdirSync(join(state, "desktops")).length, 1);
        server.child.stdin?.end();
        assert.equal(await server.finished(), 0, server.log());
      });
      assert.deepEqual(readdirSync(join(state, "desktops")), []);
      assert.deepEqual(processesOf(state), []);
      // The desktop is just being started when this one goes.
      await withRawServer(state, ["--session", "isolated"], async (server) => {
        server.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE });
        server.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
        await server.next();
        server.child.stdin?.end();
        assert.equal(await server.finished(), 0, server.log());
      });
      assert.deepEqual(readdirSync(join(state, "desktops")), []);
      assert.deepEqual(processesOf(state), []);
    });
  },
});

Deno.test({
  name: "the SDK's client on Node drives it just so",
  ignore: !existsSync(join(REFERENCES, "@modelcontextprotocol/sdk")),
  async fn() {
    await withState(async (state) => {
      const { command, args, env } = serverCommand(state, ...SIMULATED, "--conformance");
      const { stdout } = await run("node", [
        join(ROOT, "tests/mcp/node-client.mjs"),
        JSON.stringify({ command, args, env }),
        join(REFERENCES, "@modelcontextprotocol/sdk"),
      ], { timeout: 60_000 });
      const reported = JSON.parse(stdout);
      assert.deepEqual([reported.server, reported.connected], ["backstep", true]);
      assert.deepEqual(reported.progress.slice(0, 2), [0, 50]);
      assert.ok(reported.tools.includes("ax_workflow"));
      assert.equal(reported.unknown, -32602);
    });
  },
});

Deno.test({
  name:
    "the Inspector finds no fault in the lists and in calls, by its strict rules, and tells a failure apart",
  ignore: !existsSync(join(REFERENCES, ".bin/mcp-inspector")),
  async fn() {
    await withState(async (state) => {
      const { command, args, env } = serverCommand(state, ...SIMULATED);
      const inspect = async (method: string, ...more: string[]) => {
        const words = ["--cli", command, ...args, "--method", method, ...more, "-q"];
        const { stdout } = await run("node", [join(REFERENCES, ".bin/mcp-inspector"), ...words], {
          env,
          timeout: 60_000,
        });
        return JSON.parse(stdout);
      };
      const call = (name: string, ...given: string[]) =>
        inspect("tools/call", "--tool-name", name, ...given.flatMap((one) => ["--tool-arg", one]));
      const [tools, resources, templates] = await Promise.all([
        inspect("tools/list", "--strict"),
        inspect("resources/list"),
        inspect("resources/templates/list"),
      ]);
      assert.ok(tools.tools.length > 0 && resources.resources.length > 0);
      assert.ok(templates.resourceTemplates.length > 0);
      const [prompts, prompt] = await Promise.all([
        inspect("prompts/list"),
        inspect("prompts/get", "--prompt-name", "test-app", "--prompt-args", "app_name=Calculator"),
      ]);
      assert.ok(prompts.prompts.length > 0 && prompt.messages.length > 0);
      const [connected, listed, accessible] = await Promise.all([
        call("ax_connect", "app=Calculator"),
        call("ax_list_apps"),
        call("ax_is_accessible"),
      ]);
      assert.equal(connected.structuredContent.connected, true);
      assert.match(JSON.stringify(listed.structuredContent.apps), /Calculator/);
      assert.equal(accessible.structuredContent.enabled, true);
      await assert.rejects(
        call("ax_connect", "app=nobody"),
        (error) => error instanceof Error && "code" in error && error.code === 5,
      );
    });
  },
});
