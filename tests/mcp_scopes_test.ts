import assert from "node:assert/strict";
import { sessionsOf } from "../src/cli/commands/mcp/serve-http.ts";
import type { Json } from "../src/base/error.ts";
import { isMap } from "../src/base/json.ts";
import { guarded, type GuardedFixture } from "../src/mcp/security/_guarded.ts";
import { initialize, post } from "../src/mcp/sdk/http/_http.ts";
import { type HttpOptions, serveHttp } from "../src/mcp/sdk/http/http.ts";
import { noAuthorizationServer, withAuthorizationServer } from "./_authorization_server.ts";

const ignore = noAuthorizationServer !== undefined;
const RESOURCE = "https://desk.example/mcp";
const YES = { action: "accept", content: { confirm: true } };
const DELETE = { app: "Store", query: 'button[name="Delete All Data"]' };

type Message = { readonly [key: string]: Json };

/** A client by hand, whose token changes: over one session, with each message of its own. */
class Driver {
  readonly url: string;
  #session = "";
  #id = 100;
  token = "";

  constructor(url: string) {
    this.url = url;
  }

  get headers(): Record<string, string> {
    return {
      authorization: `Bearer ${this.token}`,
      ...(this.#session === "" ? {} : { "mcp-session-id": this.#session }),
    };
  }

  /** With a token that may only look, or with one that may act: the session is its subject's. */
  async begin(token: string, capabilities: { readonly [name: string]: Json }): Promise<this> {
    this.token = token;
    const response = await post(this.url, initialize("2025-11-25", { ...capabilities }), this.headers);
    await response.text();
    this.#session = response.headers.get("mcp-session-id") ?? "";
    assert.notEqual(this.#session, "");
    await this.send({ method: "notifications/initialized" });
    return this;
  }

  /** Sends a message with a token; answers the status, and what is said. */
  async send(
    message: Message,
    token = this.token,
  ): Promise<{ status: number; text: string; challenge: string }> {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const response = await post(this.url, body, { ...this.headers, authorization: `Bearer ${token}` });
    const challenge = response.headers.get("www-authenticate") ?? "";
    return { status: response.status, text: await response.text(), challenge };
  }

  /** The stream of what belongs to no request that is open: what a task asks that nobody waits for. */
  async listen(): Promise<{ next(): Promise<Message> }> {
    const response = await fetch(this.url, { headers: { ...this.headers, accept: "text/event-stream" } });
    assert.equal(response.status, 200);
    return streamOf(response);
  }

  async delete(token: string): Promise<number> {
    const response = await fetch(this.url, {
      method: "DELETE",
      headers: { ...this.headers, authorization: `Bearer ${token}` },
    });
    await response.text();
    return response.status;
  }

  /** A request whose messages come one by one. */
  async ask(method: string, params: Json): Promise<{ id: number; next(): Promise<Message> }> {
    const id = this.#id++;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const response = await post(this.url, body, this.headers);
    assert.equal(response.status, 200);
    return { id, ...streamOf(response) };
  }

  call(name: string, args: Json, more: { readonly [key: string]: Json } = {}) {
    return this.ask("tools/call", { name, arguments: args, ...more });
  }

  /** A call that is answered. */
  async done(name: string, args: Json): Promise<Message> {
    return resultOf(await this.call(name, args));
  }
}

function streamOf(response: Response): { next(): Promise<Message> } {
  const events = messagesIn(response);
  return {
    async next() {
      const { value, done } = await events.next();
      assert.ok(!done, "the stream has ended");
      return value;
    },
  };
}

async function* messagesIn(response: Response): AsyncGenerator<Message> {
  let text = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const data = /^data: (.+)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data);
    }
  }
}

/** The next question, past what is only told. */
async function questionOf(asked: { next(): Promise<Message> }): Promise<{ id: Json; method: Json }> {
  for (;;) {
    const message = await asked.next();
    const { id, method } = message;
    if (id !== undefined && method !== undefined) return { id, method };
    assert.equal(id, undefined, `answered without a question: ${JSON.stringify(message)}`);
  }
}

async function resultOf(asked: { next(): Promise<Message> }): Promise<Message> {
  for (;;) {
    const { id, method, result } = await asked.next();
    if (id !== undefined && method === undefined) return isMap(result) ? result : {};
  }
}

/** A guarded server with OAuth, over a simulated desktop with a store that keeps an account of what was pressed. */
async function serving(
  oauth: HttpOptions["oauth"],
  action: (fixture: GuardedFixture, driver: Driver) => Promise<void>,
): Promise<void> {
  await guarded({}, async (fixture) => {
    const http = await serveHttp({
      ...sessionsOf(fixture.host),
      port: 0,
      limits: { graceMs: 200 },
      ...(oauth ? { oauth } : {}),
    });
    try {
      await action(fixture, new Driver(http.url));
    } finally {
      await http.close();
    }
  });
}

/** What the field of the store holds. */
async function fieldOf({ desktop }: GuardedFixture): Promise<string | undefined> {
  const application = (await desktop.applications()).find(({ name }) => name === "Store");
  assert.ok(application);
  const snapshot = await desktop.snapshot(application);
  const row = Array.from({ length: snapshot.size }, (_, at) => at).find((at) =>
    snapshot.name(at) === "Delete reason"
  );
  const { text } = await desktop.read(snapshot.element(row ?? 0));
  return text;
}

Deno.test("a token that may only look answers for no act: not by a yes, nor by cancelling or ending it", {
  ignore,
}, async () => {
  await withAuthorizationServer(async ({ issuer, token }) => {
    await serving({ issuer, resource: RESOURCE }, async (fixture, driver) => {
      const acts = await token("agent", RESOURCE);
      const looks = await token("agent", RESOURCE, { scope: "backstep:read" });
      await driver.begin(acts, { elicitation: { form: {} }, roots: { listChanged: true } });
      await driver.done("ax_connect", { app: "Store" });
      // What a look asks, a token for looking answers.
      driver.token = looks;
      const look = await driver.call("ax_list_windows", { app: "Store" });
      const roots = await questionOf(look);
      assert.equal(roots.method, "roots/list");
      assert.equal((await driver.send({ id: roots.id, result: { roots: [] } })).status, 202);
      assert.equal((await resultOf(look))["isError"], undefined);
      await driver.send({ method: "notifications/roots/list_changed" });
      driver.token = acts;
      const act = await driver.call("ax_click", DELETE);
      const folders = await questionOf(act);
      assert.equal(folders.method, "roots/list");
      const none = { id: folders.id, result: { roots: [] } };
      assert.equal((await driver.send(none, looks)).status, 403, "what an act is confined to");
      assert.equal((await driver.send(none)).status, 202);
      const question = await questionOf(act);
      assert.equal(question.method, "elicitation/create");
      const refused = async (message: Message) => {
        const { status, challenge, text } = await driver.send(message, looks);
        assert.equal(status, 403, JSON.stringify(message));
        assert.match(challenge, /error="insufficient_scope", .*scope="backstep:read backstep:act"/);
        assert.doesNotMatch(text, /-32042/);
      };
      await refused({ id: question.id, result: YES });
      await refused({ id: question.id, error: { code: -1, message: "no" } });
      await refused({ method: "notifications/cancelled", params: { requestId: act.id } });
      // A look by the number of the act would be answered in its place.
      await refused({ id: act.id, method: "tools/list" });
      assert.equal(await driver.delete(looks), 403);
      assert.deepEqual(fixture.pressed, []);
      assert.equal((await driver.send({ id: question.id, result: YES })).status, 202);
      assert.equal((await resultOf(act))["isError"], undefined);
      assert.deepEqual(fixture.pressed, ["delete"]);

      const heard = await driver.listen();
      const steps = [{ tool: "ax_click", args: DELETE }];
      const created = await resultOf(await driver.call("ax_workflow", { steps }, { task: { ttl: 60_000 } }));
      const task = isMap(created["task"]) ? created["task"]["taskId"] ?? null : null;
      assert.equal(typeof task, "string");
      await refused({ id: 1, method: "tasks/cancel", params: { taskId: task } });
      await refused({ id: 1, method: "tasks/result", params: { taskId: task } });
      assert.equal(
        (await driver.send({ id: 2, method: "tasks/get", params: { taskId: task } }, looks)).status,
        200,
      );
      const asked = await questionOf(heard);
      await refused({ id: asked.id, result: YES });
      assert.equal(await driver.delete(looks), 403);
      const finished = await driver.send({ id: 3, method: "tasks/cancel", params: { taskId: task } });
      assert.match(finished.text, /"status":"cancelled"/);
      assert.deepEqual(fixture.pressed, ["delete"]);
      assert.equal(await driver.delete(looks), 200, "nothing acts any more");
    });
  });
});

Deno.test("a token that may only look neither begins nor ends a recording, nor agrees to one", {
  ignore,
}, async () => {
  await withAuthorizationServer(async ({ issuer, token }) => {
    await serving({ issuer, resource: RESOURCE }, async (_fixture, driver) => {
      const acts = await token("agent", RESOURCE);
      const looks = await token("agent", RESOURCE, { scope: "backstep:read" });
      await driver.begin(acts, { elicitation: { form: {} } });
      const read = (what: string, id: number) => ({
        id,
        method: "resources/read",
        params: { uri: `axterminator://recording/${what}` },
      });
      assert.equal((await driver.send(read("start", 901), looks)).status, 403);
      const start = await driver.ask("resources/read", { uri: "axterminator://recording/start" });
      const question = await questionOf(start);
      assert.equal(question.method, "elicitation/create");
      const yes = { id: question.id, result: YES };
      assert.equal(
        (await driver.send(yes, looks)).status,
        403,
        "of what it may not begin it agrees to nothing",
      );
      assert.equal((await driver.send(yes)).status, 202);
      assert.match(JSON.stringify(await resultOf(start)), /\\"recording\\":true/);
      assert.equal((await driver.send(read("stop", 902), looks)).status, 403);
      assert.equal((await driver.send(read("STOP?x", 903), looks)).status, 403);
      assert.match((await driver.send(read("status", 904), looks)).text, /\\"recording\\":true/);
    });
  });
});

Deno.test("a call whose token ends meanwhile does nothing more, and what its workflow did is rolled back", {
  ignore,
}, async () => {
  await withAuthorizationServer(async ({ issuer, token, rotate }) => {
    const times = { cooldownMs: 20, freshMs: 50, skewSeconds: 0 };
    await serving({ issuer, resource: RESOURCE, ...times }, async (fixture, driver) => {
      const field = { app: "Store", query: 'textfield[name="Delete reason"]' };
      const steps = [
        { tool: "ax_set_value", args: { ...field, value: "half done" } },
        // What is known beforehand is asked before anything is done: this is known when it comes.
        { tool: "ax_find", args: { app: "Store", query: "Delete All Data" } },
        {
          tool: "ax_click",
          args: { app: "Store", query: 'button[name="{{step_2.title}}"]' },
          on_fail: "skip",
        },
        { tool: "ax_click", args: { app: "Store", query: 'button[name="Open"]' } },
      ];
      const refusedIn = async (client: "brief" | "agent", end: (token: string) => Promise<void>) => {
        const mine = new Driver(driver.url);
        const own = await token(client, RESOURCE);
        await mine.begin(own, { elicitation: { form: {} } });
        await mine.done("ax_connect", { app: "Store" });
        const flow = await mine.call("ax_workflow", { steps });
        const question = await questionOf(flow);
        assert.equal(await fieldOf(fixture), "half done");
        await end(own);
        // The person says yes with a token that holds: the call's own has ended.
        const next = await token(client, RESOURCE);
        const deadline = Date.now() + 10_000;
        while ((await mine.send({ id: question.id, result: YES }, next)).status !== 202) {
          assert.ok(Date.now() < deadline, "the new token is not taken");
        }
        const result = await resultOf(flow);
        assert.equal(result["isError"], true);
        assert.match(JSON.stringify(result), /token holds no longer/);
        assert.deepEqual(fixture.pressed, []);
        assert.equal(await fieldOf(fixture), "", JSON.stringify(result));
        mine.token = next;
        await mine.delete(next);
      };
      const over = async (own: string) => {
        const deadline = Date.now() + 20_000;
        let status = 0;
        while (status !== 401) {
          assert.ok(Date.now() < deadline, "the token does not end");
          const response = await fetch(driver.url, {
            headers: { authorization: `Bearer ${own}`, accept: "application/json" },
          });
          await response.text();
          ({ status } = response);
        }
      };
      await refusedIn("brief", over);
      await refusedIn("agent", async (own) => {
        await rotate();
        await over(own);
      });
      // As long as it holds, it is done.
      const last = new Driver(driver.url);
      await last.begin(await token("agent", RESOURCE), { elicitation: { form: {} } });
      await last.done("ax_connect", { app: "Store" });
      const flow = await last.call("ax_workflow", { steps });
      const question = await questionOf(flow);
      await last.send({ id: question.id, result: YES });
      assert.equal((await resultOf(flow))["isError"], undefined);
      assert.deepEqual(fixture.pressed, ["delete", "open"]);
      assert.equal(await fieldOf(fixture), "half done");
    });
  });
});
