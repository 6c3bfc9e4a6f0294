import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { begin, call, JSON_HEADERS, raw, streamable, withHttp } from "../src/mcp/sdk/http/_http.ts";

const SLOW = 300;
const CALLS = 40;
/** Who was turned away and comes again at a time: the flood must leave this process time for the server. */
const AGAIN = 4;
/** Connections of the flood in all: it ends by itself. */
const MOST = 20_000;

/** A request of which the body comes a byte at a time; who is turned away comes again a moment later. */
class Flood {
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  readonly #reported = new Map<number, number>();
  readonly #dribble: ReturnType<typeof setInterval>;
  #made = 0;
  #ticks = 0;
  #wanted = 0;

  constructor(port: number) {
    this.#port = port;
    this.#dribble = setInterval(() => {
      if (++this.#ticks % 10 === 0) {
        for (const socket of this.#sockets) if (socket.readyState === "open") socket.write(" ");
      }
      for (let n = 0; n < AGAIN && this.#sockets.size < this.#wanted && this.#made < MOST; n++) this.#begin();
    }, 50);
  }

  /** What was answered how often. */
  get reported(): ReadonlyMap<number, number> {
    return this.#reported;
  }

  get made(): number {
    return this.#made;
  }

  /** Resolves when it is connected, and its head with the first byte of a body is on its way. */
  add(): Promise<void> {
    this.#wanted++;
    return this.#begin();
  }

  #begin(): Promise<void> {
    this.#made++;
    const socket = connect({ host: "127.0.0.1", port: this.#port });
    this.#sockets.add(socket);
    socket.on("data", (chunk) => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString("latin1"))?.[1] ?? 0);
      this.#reported.set(status, (this.#reported.get(status) ?? 0) + 1);
    });
    // Whoever is cut off in the middle of writing hears of it here.
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    return new Promise((resolve) => {
      socket.once("close", () => resolve());
      socket.on("connect", () => {
        const lines = [
          "POST /mcp HTTP/1.1",
          `Host: 127.0.0.1:${this.#port}`,
          "Content-Type: application/json",
          `Accept: ${JSON_HEADERS.accept}`,
          "Content-Length: 1000000",
        ];
        socket.write([...lines, "", "{"].join("\r\n"), () => resolve());
      });
    });
  }

  end(): void {
    clearInterval(this.#dribble);
    for (const socket of this.#sockets) socket.destroy();
  }
}

Deno.test("300 bodies that never end keep nobody out: who was there and who comes new are served", async () => {
  await withHttp({ limits: { graceMs: 200 } }, async (http, seen) => {
    const { client } = await streamable(http.url);
    const session = await begin(http.url);
    const flood = new Flood(http.port);
    try {
      await Promise.all(Array.from({ length: SLOW }, () => flood.add()));
      const body = call("look");
      const request = [
        "POST /mcp HTTP/1.1",
        `Host: 127.0.0.1:${http.port}`,
        "Content-Type: application/json",
        `Accept: ${JSON_HEADERS.accept}`,
        `Mcp-Session-Id: ${session}`,
        `Content-Length: ${body.length}`,
        "Connection: close",
        "",
        body,
      ].join("\r\n");
      const before = seen.calls;
      const statuses: number[] = [];
      for (let at = 0; at < CALLS; at++) {
        // A connection of its own for each: it must get in.
        statuses.push((await raw(http.port, request, 30_000)).status);
        await client.callTool({ name: "look" });
        assert.ok(http.connections <= 256, `${http.connections} connections`);
      }
      assert.deepEqual(statuses, Array.from({ length: CALLS }, () => 200));
      // By the tool's own account.
      assert.equal(seen.calls - before, 2 * CALLS);
      assert.ok((flood.reported.get(408) ?? 0) > 0, JSON.stringify([...flood.reported]));
      assert.ok(flood.made < MOST, "the flood lasted to the end");
    } finally {
      flood.end();
      await client.close();
    }
  });
});

Deno.test("whoever sends faster than the slowest is not turned away for it", async () => {
  await withHttp({ limits: { graceMs: 200, unfinished: 8 } }, async (http) => {
    const session = await begin(http.url);
    const flood = new Flood(http.port);
    try {
      await Promise.all(Array.from({ length: 8 }, () => flood.add()));
      const text = call("look").replace('{"id":2}', `{"x":"${"x".repeat(200_000)}"}`);
      const pieces = async function* () {
        const bytes = new TextEncoder().encode(text);
        for (let at = 0; at < bytes.length; at += 20_000) {
          yield bytes.slice(at, at + 20_000);
          // It takes longer than the time in which everybody is let alone.
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      };
      const response = await fetch(http.url, {
        method: "POST",
        headers: { ...JSON_HEADERS, "mcp-session-id": session },
        body: ReadableStream.from(pieces()),
      });
      assert.equal(response.status, 200);
      await response.text();
      assert.ok((flood.reported.get(408) ?? 0) > 0, "somebody else had to go");
    } finally {
      flood.end();
    }
  });
});
