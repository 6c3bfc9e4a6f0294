import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import {
  begin,
  call,
  initialize,
  JSON_HEADERS,
  post,
  raw,
  streamable,
  withHttp,
} from "../src/mcp/sdk/http/_http.ts";
import type { HttpOptions, ServedHttp } from "../src/mcp/sdk/http/http.ts";
import type { Refused } from "../src/mcp/sdk/http/router-options.ts";

const SECRET = "hunter2-in-a-body";

/** Serves, and in the end asks as a client in order would: the server must still be there for it. */
async function under(
  options: Partial<HttpOptions>,
  action: (http: ServedHttp, refused: readonly Refused[]) => Promise<void>,
): Promise<void> {
  const refused: Refused[] = [];
  const reported = (what: Refused) => void refused.push(what);
  await withHttp(
    { refused: reported, ...options, limits: { graceMs: 200, ...options.limits } },
    async (http) => {
      await action(http, refused);
      const { client } = await streamable(http.url);
      assert.equal((await client.listTools()).tools.length, 4, "others are still served");
      await client.close();
      assert.ok(!JSON.stringify(refused).includes(SECRET), "what a request held is told to nobody");
    },
  );
}

/** The error of a response: its body is JSON-RPC's, and repeats nothing of the request's. */
async function errorOf(response: Response): Promise<{ status: number; code: number; message: string }> {
  const text = await response.text();
  assert.ok(!text.includes(SECRET), "a body is never repeated");
  return { status: response.status, ...checked(text) };
}

function checked(text: string): { code: number; message: string } {
  const { jsonrpc, id, error } = JSON.parse(text);
  assert.deepEqual([jsonrpc, id], ["2.0", null]);
  assert.equal(typeof error.code, "number");
  assert.equal(typeof error.message, "string");
  return error;
}

/** A request as it goes over the wire. */
function wire(port: number, lines: readonly string[], body = ""): string {
  return [`POST /mcp HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...lines, "", body].join("\r\n");
}

Deno.test("a body that is too large is refused, whether or not it says so beforehand", async () => {
  await under({ limits: { bodyBytes: 1_000 } }, async (http) => {
    const large = SECRET.repeat(100);
    const reported = await errorOf(await post(http.url, large));
    assert.deepEqual([reported.status, reported.code], [413, -32000]);
    const chunks = ReadableStream.from([large, large]).pipeThrough(new TextEncoderStream());
    assert.equal((await errorOf(await post(http.url, chunks))).status, 413);
    // Who announces much and sends nothing is not waited for.
    const lines = ["Content-Type: application/json", "Content-Length: 999999999"];
    const announced = await raw(http.port, wire(http.port, [...lines, `Accept: ${JSON_HEADERS.accept}`]));
    assert.equal(announced.status, 413);
    checked(announced.body);
  });
});

Deno.test("four MiB is the most that a body may be", async () => {
  await under({}, async (http) => {
    const headers = { "mcp-session-id": await begin(http.url) };
    const body = (bytes: number) => {
      const text = call("look").replace('{"id":2}', '{"x":""}');
      return text.replace('""', `"${"x".repeat(bytes - text.length)}"`);
    };
    const most = 4 * 1024 * 1024;
    const fits = await post(http.url, body(most), headers);
    assert.equal(fits.status, 200);
    await fits.body?.cancel();
    assert.equal((await errorOf(await post(http.url, body(most + 1), headers))).status, 413);
  });
});

Deno.test("what is not JSON, or not JSON-RPC, is distinguished", async () => {
  await under({}, async (http) => {
    const headers = { "mcp-session-id": await begin(http.url) };
    const parse: readonly BodyInit[] = ["", "{", `{"a": ${SECRET}}`, new Uint8Array([0x22, 0xff, 0x22])];
    for (const body of parse) {
      const { status, code } = await errorOf(await post(http.url, body, headers));
      assert.deepEqual([status, code], [400, -32700], String(body));
    }
    const invalid = [
      "null",
      "1",
      '"text"',
      "{}",
      "[]",
      '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
      `{"jsonrpc":"2.0","id":1,"method":7,"params":"${SECRET}"}`,
      `[${Array.from({ length: 101 }, () => call("look")).join()}]`,
      // Prototypes are no place for a message.
      '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}',
    ];
    for (const body of invalid) {
      const { status, code } = await errorOf(await post(http.url, body, headers));
      assert.deepEqual([status, code], [400, -32600], body);
    }
    const deep = await errorOf(await post(http.url, "[".repeat(200_000), headers));
    assert.deepEqual([deep.status, deep.code], [400, -32700]);
  });
});

Deno.test("batches are for the revision that knows them", async () => {
  await under({}, async (http) => {
    const batch = `[${call("look", 3)},${call("look", 4)}]`;
    const now = await errorOf(await post(http.url, batch, { "mcp-session-id": await begin(http.url) }));
    assert.deepEqual([now.status, now.code], [400, -32600]);
    const then = await post(http.url, batch, { "mcp-session-id": await begin(http.url, {}, "2025-03-26") });
    assert.equal(then.status, 200);
    await then.text();
    const twice = await errorOf(await post(http.url, `[${initialize()},${initialize()}]`));
    assert.equal(twice.status, 400);
  });
});

Deno.test("headers that are wrong are answered with what is wrong", async () => {
  await under({}, async (http) => {
    const id = await begin(http.url);
    const get = (headers: Record<string, string>) => fetch(http.url, { headers });
    const cases: readonly [status: number, what: string, response: Promise<Response>][] = [
      [
        400,
        "protocol version",
        post(http.url, call("look"), { "mcp-session-id": id, "mcp-protocol-version": "1999-01-01" }),
      ],
      [
        400,
        "protocol version of a stream",
        get({ "accept": "text/event-stream", "mcp-session-id": id, "mcp-protocol-version": "x" }),
      ],
      [
        415,
        "content type",
        post(http.url, call("look"), { "mcp-session-id": id, "content-type": "text/plain" }),
      ],
      [
        415,
        "almost the content type",
        post(http.url, call("look"), { "mcp-session-id": id, "content-type": "application/json5" }),
      ],
      [406, "accept", post(http.url, call("look"), { "mcp-session-id": id, "accept": "application/json" })],
      [406, "accept of a stream", get({ "mcp-session-id": id, "accept": "application/json" })],
      [405, "method", fetch(http.url, { method: "PUT", body: call("look") })],
      [405, "method without a body", fetch(http.url, { method: "PATCH" })],
      [404, "path", fetch(new URL("/admin", http.url))],
      [404, "path that climbs", fetch(new URL("/mcp/..%2f..%2fetc/passwd", http.url))],
      [404, "metadata without OAuth", fetch(new URL("/.well-known/oauth-protected-resource", http.url))],
      [404, "messages without --sse", post(http.url.replace("/mcp", "/messages?sessionId=x"), call("look"))],
    ];
    for (const [status, what, response] of cases) {
      assert.equal((await errorOf(await response)).status, status, what);
    }
  });
});

Deno.test("sessions are found by their whole id alone, and not after their end", async () => {
  await under({ sse: true }, async (http) => {
    const id = await begin(http.url);
    const wrong = ["x", id.slice(0, -1), `${id}x`, id.toUpperCase(), "../etc", "__proto__", "0".repeat(43)];
    for (const each of wrong) {
      const { status, code } = await errorOf(await post(http.url, call("look"), { "mcp-session-id": each }));
      assert.deepEqual([status, code], [404, -32001], each);
    }
    assert.equal((await errorOf(await post(http.url, call("look")))).status, 400, "none");
    const again = await errorOf(await post(http.url, initialize(), { "mcp-session-id": id }));
    assert.equal(again.status, 400, "a session begins once");
    assert.equal((await errorOf(await fetch(http.url, { method: "DELETE" }))).status, 400);
    const end = await fetch(http.url, { method: "DELETE", headers: { "mcp-session-id": id } });
    await end.body?.cancel();
    assert.equal(
      (await errorOf(await post(http.url, call("look"), { "mcp-session-id": id }))).status,
      404,
      "replayed",
    );
    // A session of one transport is none of the other's.
    const other = await begin(http.url);
    const crossed = await post(http.url.replace("/mcp", `/messages?sessionId=${other}`), call("look"));
    assert.equal((await errorOf(crossed)).status, 404);
  });
});

Deno.test("a name that was rebound to this machine gets nothing", async () => {
  await under(
    { sse: true, allowedHosts: ["desk.example"], allowedOrigins: ["https://app.example"] },
    async (http) => {
      const { port } = http;
      const ask = (host: string, ...lines: readonly string[]) =>
        raw(
          port,
          ["GET /sse HTTP/1.1", `Host: ${host}`, "Accept: application/json", ...lines, "", ""].join("\r\n"),
        );
      // 406: past the guards, and refused for its Accept.
      for (
        const host of [
          `localhost:${port}`,
          `127.0.0.1:${port}`,
          `[::1]:${port}`,
          "desk.example",
          "DESK.example:8443",
        ]
      ) {
        assert.equal((await ask(host)).status, 406, host);
      }
      for (
        const host of [
          "evil.example",
          `evil.example:${port}`,
          `127.0.0.1.evil.example:${port}`,
          `localhost.:${port}`,
          "localhost:1",
          `127.0.0.1:${port}@evil.example`,
          "a b/c",
        ]
      ) {
        const { status, body } = await ask(host);
        assert.equal(status, 403, host);
        checked(body);
      }
      for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`, "https://app.example"]) {
        assert.equal((await ask(`localhost:${port}`, `Origin: ${origin}`)).status, 406, origin);
      }
      for (
        const origin of [
          "http://evil.example",
          "null",
          `https://localhost:${port}`,
          "http://localhost:1",
          "https://app.example.evil",
        ]
      ) {
        const { status, head } = await ask(`localhost:${port}`, `Origin: ${origin}`);
        assert.equal(status, 403, origin);
        assert.doesNotMatch(head, /access-control/i, "a page of a stranger may not even read why");
      }
      for (const lines of [[], [`Host: localhost:${port}`, "Host: evil.example"]]) {
        const answer = await raw(port, ["POST /mcp HTTP/1.1", ...lines, "", ""].join("\r\n"));
        assert.equal(answer.status, 400);
        checked(answer.body);
      }
      const address = await raw(port, "GET http://evil.example/mcp HTTP/1.1\r\nHost: evil.example\r\n\r\n");
      assert.equal(address.status, 403);
    },
  );
});

Deno.test("a page of an allowed origin may read the answers", async () => {
  await under({ allowedOrigins: ["https://app.example"] }, async (http) => {
    const origin = "https://app.example";
    const asked = await fetch(http.url, { method: "OPTIONS", headers: { origin } });
    assert.equal(asked.status, 204);
    assert.match(asked.headers.get("access-control-allow-headers") ?? "", /mcp-session-id/);
    const begun = await post(http.url, initialize(), { origin });
    assert.equal(begun.headers.get("access-control-allow-origin"), origin);
    assert.match(begun.headers.get("access-control-expose-headers") ?? "", /mcp-session-id/);
    await begun.text();
    const refused = await fetch(http.url, { method: "OPTIONS", headers: { origin: "https://evil.example" } });
    assert.equal((await errorOf(refused)).status, 403);
  });
});

Deno.test("floods of headers end where they are too much", async () => {
  await under({}, async (http) => {
    const many = await raw(http.port, wire(http.port, Array.from({ length: 200 }, (_, i) => `X-${i}: 1`)));
    assert.equal(many.status, 431);
    checked(many.body);
    for (const size of [17_000, 5_000_000]) {
      const large = await raw(http.port, wire(http.port, [`X-Large: ${"x".repeat(size)}`]));
      assert.equal(large.status, 431, String(size));
      checked(large.body);
    }
    // A connection that behaved first is looked at again.
    const ok = `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${http.port}\r\n`;
    const later = await raw(http.port, `${ok}\r\n${ok}X: ${"x".repeat(20_000)}\r\nConnection: close\r\n\r\n`);
    assert.match(later.head + later.body, /406|431/);
    for (
      const text of [
        "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "HELO mail\r\n\r\n",
      ]
    ) {
      const answer = await raw(http.port, text);
      assert.equal(answer.status, 400);
      checked(answer.body);
    }
  });
});

Deno.test("who sends slowly is not waited for, be it headers or a body", async () => {
  await under({ limits: { headMs: 300, bodyMs: 300 } }, async (http) => {
    const began = Date.now();
    const head = await raw(http.port, `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${http.port}\r\n`);
    assert.equal(head.status, 408);
    checked(head.body);
    const lines = ["Content-Type: application/json", "Content-Length: 100", `Accept: ${JSON_HEADERS.accept}`];
    const body = await raw(http.port, wire(http.port, lines, '{"jsonrpc"'));
    assert.equal(body.status, 408);
    checked(body.body);
    assert.ok(Date.now() - began < 5_000);
  });
});

Deno.test("a thousand connections that ask nothing keep nobody out", async () => {
  await under({}, async (http) => {
    const { client } = await streamable(http.url);
    const sockets: Socket[] = [];
    let refused = 0;
    try {
      await Promise.all(Array.from({ length: 1_000 }, () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect({ host: "127.0.0.1", port: http.port });
          sockets.push(socket);
          socket.on("connect", () => resolve());
          socket.on("data", (chunk) => {
            if (chunk.toString().startsWith("HTTP/1.1 503 ")) refused++;
          });
          // Cut off in the middle of being refused is refused too.
          socket.on("error", (error) => socket.connecting ? reject(error) : undefined);
        })));
      // Both who was there before and who comes now.
      await client.callTool({ name: "look" });
      const newcomer = await streamable(http.url);
      await newcomer.client.callTool({ name: "look" });
      await newcomer.client.close();
      assert.ok(http.connections <= 256, `${http.connections} connections`);
      const late = Date.now() + 5_000;
      while (refused < 1_000 - 256 && Date.now() < late) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.ok(refused >= 1_000 - 256, `${refused} were told that there are too many`);
    } finally {
      for (const socket of sockets) socket.destroy();
      await client.close();
    }
  });
});

Deno.test("a thousand requests at once: those beyond the bound are told to come back, the rest are served", async () => {
  await under({}, async (http) => {
    const { client } = await streamable(http.url);
    const headers = { "mcp-session-id": await begin(http.url) };
    const request = wire(http.port, [
      "Content-Type: application/json",
      `Accept: ${JSON_HEADERS.accept}`,
      `Mcp-Session-Id: ${headers["mcp-session-id"]}`,
      `Content-Length: ${call("look").length}`,
      "Connection: close",
    ], call("look"));
    const answers = Promise.allSettled(Array.from({ length: 1_000 }, () => raw(http.port, request, 20_000)));
    await client.callTool({ name: "look" });
    const statuses = new Map<number, number>();
    for (const answer of await answers) {
      const status = answer.status === "fulfilled" ? answer.value.status : 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const served = statuses.get(200) ?? 0;
    assert.ok(served > 0, "some are served");
    assert.equal(served + (statuses.get(503) ?? 0), 1_000, JSON.stringify([...statuses]));
    await client.close();
  });
});

Deno.test("with a token nobody else gets in, and how near a guess was is not told", async () => {
  const token = "a-token-that-nobody-guesses";
  const good = { authorization: `Bearer ${token}` };
  await withHttp({ token, limits: { graceMs: 200 } }, async (http) => {
    const cases: readonly Record<string, string>[] = [
      {},
      { authorization: "" },
      { authorization: "Bearer" },
      { authorization: "Bearer a-token-that-nobody-guesseS" },
      { authorization: `Bearer ${token}x` },
      { authorization: `Basic ${btoa(`user:${token}`)}` },
      { authorization: token },
      { cookie: `token=${token}` },
    ];
    for (const headers of cases) {
      const response = await post(http.url, initialize(), headers);
      assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer realm="backstep"/);
      assert.equal((await errorOf(response)).status, 401, JSON.stringify(headers));
    }
    const id = await begin(http.url, good);
    const without = await post(http.url, call("look"), { "mcp-session-id": id });
    assert.equal((await errorOf(without)).status, 401, "a session's id is no token");
    const { client } = await streamable(http.url, { headers: good });
    await client.callTool({ name: "act" });
    await client.close();
  });
  for (const weak of ["", "short", "with spaces in it, and long"]) {
    await assert.rejects(() => withHttp({ token: weak }, () => Promise.resolve()), /token/);
  }
});

Deno.test("connections that were served and ask nothing more keep nobody out, and refused ones none at all", async () => {
  await under({ limits: { connections: 5, keepAliveMs: 50 } }, async (http) => {
    const id = await begin(http.url);
    const body = call("look");
    const lines = [
      "Content-Type: application/json",
      `Accept: ${JSON_HEADERS.accept}`,
      `Mcp-Session-Id: ${id}`,
      `Content-Length: ${body.length}`,
    ];
    const sockets: Socket[] = [];
    try {
      for (let at = 0; at < 10; at++) {
        const socket = connect({ host: "127.0.0.1", port: http.port });
        sockets.push(socket);
        const answered = new Promise<string>((resolve, reject) => {
          socket.on("data", (chunk) => resolve(chunk.toString()));
          socket.on("error", reject);
        });
        socket.write(wire(http.port, lines, body));
        assert.match(await answered, /^HTTP\/1\.1 200 /);
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      assert.ok(http.connections <= 5);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    const refused = connect({ host: "127.0.0.1", port: http.port });
    const closed = new Promise<void>((resolve) => refused.on("close", () => resolve()));
    refused.on("data", () => {});
    refused.write("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await closed;
  });
});

Deno.test("half of a further request is not waited for either", async () => {
  await under({ limits: { headMs: 200, bodyMs: 200 } }, async (http) => {
    const socket = connect({ host: "127.0.0.1", port: http.port });
    const id = await begin(http.url);
    const body = call("look");
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    socket.on("error", () => {});
    socket.once("data", () => socket.write("POST /mcp HTT"));
    socket.write(wire(http.port, [
      "Content-Type: application/json",
      `Accept: ${JSON_HEADERS.accept}`,
      `Mcp-Session-Id: ${id}`,
      `Content-Length: ${body.length}`,
    ], body));
    await closed;
  });
});
