import assert from "node:assert/strict";
import { BackstepError } from "../../../base/error.ts";
import { begin, call, initialize, JSON_HEADERS, legacy, post, streamable, withHttp } from "./_http.ts";
import { serveHttp } from "./http.ts";

const soon = { graceMs: 200 };

/** Waits until something holds; a test that waits in vain fails. */
async function until(holds: () => boolean, what: string, deadlineMs = 5_000): Promise<void> {
  const late = Date.now() + deadlineMs;
  while (!holds()) {
    assert.ok(Date.now() < late, `in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Events of a stream as they come. */
async function* eventsOf(response: Response): AsyncGenerator<{ id: string; data: string; event: string }> {
  assert.ok(response.body);
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) =>
        block.split("\n").find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1).trim() ?? "";
      if (!block.startsWith(":")) yield { id: field("id"), data: field("data"), event: field("event") };
    }
  }
}

async function next<T>(events: AsyncGenerator<T>): Promise<T> {
  const { value, done } = await events.next();
  assert.ok(!done, "the stream has ended");
  return value;
}

Deno.test("each client has a session and a server of its own; its end ends the server", async () => {
  await withHttp({ limits: soon }, async (http, seen) => {
    const one = await streamable(http.url);
    const other = await streamable(http.url);
    assert.notEqual(one.transport.sessionId, other.transport.sessionId);
    assert.match(one.transport.sessionId ?? "", /^[\w-]{43}$/);
    assert.deepEqual(
      (await one.client.callTool({ name: "look", arguments: { a: 1 } })).content,
      [{ type: "text", text: '{"a":1}' }],
    );
    assert.equal(http.sessions, 2);
    await one.transport.terminateSession();
    assert.equal(http.sessions, 1);
    assert.deepEqual([seen.opened, seen.closed], [2, 1]);
    const gone = await post(http.url, call("look"), { "mcp-session-id": one.transport.sessionId ?? "" });
    assert.equal(gone.status, 404);
    assert.equal((await gone.json()).error.code, -32001);
    await one.client.close();
    await other.client.close();
  });
});

Deno.test("a session that nobody uses expires; one with an open stream does not", async () => {
  await withHttp({ limits: { ...soon, idleMs: 300 } }, async (http, seen) => {
    const dropped = await begin(http.url);
    const { client } = await streamable(http.url);
    assert.equal(http.sessions, 2);
    await until(() => http.sessions === 1, "the dropped session expires");
    await new Promise((resolve) => setTimeout(resolve, 400));
    await client.callTool({ name: "look" });
    assert.equal(seen.closed, 1);
    assert.equal((await post(http.url, call("look"), { "mcp-session-id": dropped })).status, 404);
    await client.close();
  });
});

Deno.test("beyond the cap a session is refused with a time to come back, and nothing is made for it", async () => {
  await withHttp({ limits: { ...soon, sessions: 2 } }, async (http, seen) => {
    await begin(http.url);
    const second = await begin(http.url);
    const refused = await post(http.url, initialize());
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get("retry-after"), "30");
    assert.equal((await refused.json()).error.code, -32000);
    assert.equal(seen.opened, 2);
    const end = await fetch(http.url, { method: "DELETE", headers: { "mcp-session-id": second } });
    assert.equal(end.status, 200);
    await begin(http.url);
  });
});

Deno.test("sessions that begin at once do not get past the cap", async () => {
  await withHttp({ limits: { ...soon, sessions: 3 } }, async (http) => {
    const all = await Promise.all(Array.from({ length: 10 }, () => post(http.url, initialize())));
    for (const response of all) await response.text();
    assert.equal(all.filter((response) => response.status === 200).length, 3);
    assert.equal(http.sessions, 3);
  });
});

Deno.test("what a client missed is replayed from the event that it saw last", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => release = resolve);
  await withHttp({ limits: soon, release: released }, async (http) => {
    const id = await begin(http.url);
    const headers = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
    const away = new AbortController();
    const response = await fetch(http.url, {
      method: "POST",
      headers: { ...JSON_HEADERS, ...headers },
      body: call("wait", "w1"),
      signal: away.signal,
    });
    const events = eventsOf(response);
    const first = await next(events);
    assert.equal(first.data, "", "the stream opens with an id and nothing else");
    assert.match((await next(events)).data, /waiting/);
    away.abort();
    await assert.rejects(async () => void await events.next());
    release();
    const resumed = await fetch(http.url, {
      headers: { accept: "text/event-stream", "last-event-id": first.id, ...headers },
    });
    assert.equal(resumed.status, 200);
    const again = eventsOf(resumed);
    assert.match((await next(again)).data, /waiting/);
    assert.match((await next(again)).data, /"id":"w1"/);
    await again.return(undefined);
    const unknown = await fetch(http.url, {
      headers: { accept: "text/event-stream", "last-event-id": "99.nothing", ...headers },
    });
    assert.equal(unknown.status, 400);
    await unknown.body?.cancel();
  });
});

Deno.test("a tool may close its stream, and the client comes back for the answer", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => release = resolve);
  await withHttp({ limits: soon, release: released }, async (http) => {
    const { client } = await streamable(http.url);
    const answer = client.callTool({ name: "later", arguments: { b: 2 } });
    release();
    assert.deepEqual((await answer).content, [{ type: "text", text: '{"b":2}' }]);
    await client.close();
  });
});

Deno.test("one stream for the server's own messages a session; a second is refused", async () => {
  await withHttp({ limits: soon }, async (http) => {
    const headers = { accept: "text/event-stream", "mcp-session-id": await begin(http.url) };
    const first = await fetch(http.url, { headers });
    assert.equal(first.status, 200);
    const second = await fetch(http.url, { headers });
    assert.equal(second.status, 409);
    await second.body?.cancel();
    await first.body?.cancel();
  });
});

Deno.test("with JSON answers a call is one response, and its session's end answers it too", async () => {
  await withHttp({ limits: soon, json: true }, async (http, seen) => {
    const headers = { "mcp-session-id": await begin(http.url) };
    const response = await post(http.url, call("look"), headers);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal((await response.json()).id, 2);
    const hanging = post(http.url, call("wait", 3), headers);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const end = await fetch(http.url, { method: "DELETE", headers });
    assert.equal(end.status, 200);
    const finished = await hanging;
    assert.equal(finished.status, 404);
    await finished.body?.cancel();
    assert.equal(seen.cancelled, 1);
  });
});

Deno.test("stopping lets a call in flight finish", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => release = resolve);
  await withHttp({ limits: { graceMs: 10_000 }, release: released }, async (http, seen) => {
    const headers = { "mcp-session-id": await begin(http.url), "mcp-protocol-version": "2025-11-25" };
    const events = eventsOf(await post(http.url, call("wait"), headers));
    await next(events);
    assert.match((await next(events)).data, /waiting/);
    const closed = http.close();
    release();
    assert.match((await next(events)).data, /"result"/);
    await closed;
    assert.deepEqual([seen.cancelled, seen.closed], [0, 1]);
  });
});

Deno.test("stopping cancels what takes longer than it may", async () => {
  await withHttp({ limits: soon }, async (http, seen) => {
    const headers = { "mcp-session-id": await begin(http.url) };
    const events = eventsOf(await post(http.url, call("wait"), headers));
    await next(events);
    const began = Date.now();
    await http.close();
    assert.ok(Date.now() - began < 3_000);
    assert.deepEqual([seen.cancelled, seen.closed], [1, 1]);
    await events.return(undefined);
  });
});

Deno.test("a client of 2024-11-05 is served at /sse, and ends with its stream", async () => {
  await withHttp({ limits: soon, sse: true }, async (http, seen) => {
    const client = await legacy(http.url.replace("/mcp", "/sse"));
    assert.deepEqual(
      (await client.callTool({ name: "look", arguments: { c: 3 } })).content,
      [{ type: "text", text: '{"c":3}' }],
    );
    const modern = await streamable(http.url);
    assert.equal((await modern.client.listTools()).tools.length, 4);
    assert.equal(http.sessions, 2);
    await client.close();
    await until(() => http.sessions === 1, "the old client's session ends");
    assert.equal(seen.closed, 1);
    await modern.client.close();
  });
});

Deno.test("with --sse the address /mcp serves clients of both kinds", async () => {
  await withHttp({ limits: soon, sse: true }, async (http) => {
    const client = await legacy(http.url);
    assert.equal((await client.listTools()).tools.length, 4);
    await client.close();
  });
});

Deno.test("without --sse there is no /sse", async () => {
  await withHttp({ limits: soon }, async (http) => {
    const response = await fetch(http.url.replace("/mcp", "/sse"));
    assert.equal(response.status, 404);
    assert.equal((await response.json()).jsonrpc, "2.0");
  });
});

Deno.test("a server that others could reach does not start without authorization", async () => {
  for (const bind of ["0.0.0.0", "::", "192.0.2.1"]) {
    await assert.rejects(
      () => serveHttp({ makeServer: () => Promise.reject(new Error("never")), bind, port: 0 }),
      (error: unknown) =>
        error instanceof BackstepError && error.code === "usage" && /authorization/.test(error.message),
    );
  }
});

Deno.test("a port that is taken is said", async () => {
  await withHttp({ limits: soon }, async (http) => {
    await assert.rejects(
      () => serveHttp({ makeServer: () => Promise.reject(new Error("never")), port: http.port }),
      (error: unknown) => error instanceof BackstepError && error.code === "io",
    );
  });
});

Deno.test("a stream that says nothing shows that it lives", async () => {
  await withHttp({ limits: { ...soon, keepAliveMs: 30 } }, async (http) => {
    const response = await fetch(http.url, {
      headers: { accept: "text/event-stream", "mcp-session-id": await begin(http.url) },
    });
    assert.ok(response.body);
    const reader = response.body.getReader();
    assert.equal(new TextDecoder().decode((await reader.read()).value), ": keepalive\n\n");
    await reader.cancel();
  });
});
