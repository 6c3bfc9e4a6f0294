import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { endianness, tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../base/error.ts";
import { Bell, StandIn } from "./_server.ts";
import { connectI3, i3Decoder, i3Message } from "./i3-ipc.ts";
import type { WindowManager } from "./model.ts";
import { MOST_BYTES } from "./socket.ts";

const GET_TREE = 4, GET_VERSION = 7, SUBSCRIBE = 2, WINDOW_EVENT = 0x80000003;

type Answer = (socket: Socket, type: number) => void;

/** Reads requests on its own, so that a fault of the client's reader shows. */
function onRequest(socket: Socket, request: (type: number) => void): void {
  let data = Buffer.alloc(0);
  socket.on("data", (chunk: Uint8Array) => {
    data = Buffer.concat([data, chunk]);
    while (data.length >= 14) {
      const word = (at: number) => endianness() === "LE" ? data.readUInt32LE(at) : data.readUInt32BE(at);
      const type = word(10), end = 14 + word(6);
      if (data.length < end) return;
      data = data.subarray(end);
      request(type);
    }
  });
}

/** i3 as far as these tests need it: a version, subscriptions, and a tree that `answer` sends. */
async function withI3(
  answer: Answer,
  body: (wm: WindowManager, server: StandIn, listening: Set<Socket>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wm-stand-in-"));
  const listening = new Set<Socket>();
  const server = new StandIn(join(folder, "i3.sock"), (socket) => {
    socket.on("close", () => listening.delete(socket));
    onRequest(socket, (type) => {
      if (type === GET_VERSION) socket.write(i3Message(type, '{"human_readable":"4.22"}'));
      else if (type === SUBSCRIBE) socket.write(i3Message(type, '{"success":true}')), listening.add(socket);
      else answer(socket, type);
    });
  });
  await server.start();
  let wm: WindowManager | undefined;
  try {
    wm = await connectI3(server.path);
    await body(wm, server, listening);
  } finally {
    wm?.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** A tree with one window of this id, as bytes of a reply. */
function tree(id: number): Uint8Array {
  const workspace: Json = {
    id: 9,
    type: "workspace",
    name: "1",
    nodes: [{ id, type: "con", window: 5, name: "w" }],
  };
  return i3Message(GET_TREE, JSON.stringify({ type: "root", nodes: [workspace] }));
}

async function idsOf(wm: WindowManager, timeout = 2_000): Promise<number[]> {
  return (await wm.windows({ timeout })).map(({ id }) => id);
}

Deno.test("requests at once share one connection, anew after a restart too", async () => {
  await withI3((socket) => socket.write(tree(1)), async (wm, server) => {
    assert.equal(server.accepted, 1);
    for (let times = 0; times < 3; times++) {
      await server.stop();
      await assert.rejects(wm.windows(), { code: "no_desktop" });
      await server.start();
      const all = await Promise.all(Array.from({ length: 8 }, () => idsOf(wm)));
      assert.deepEqual(all, Array.from({ length: 8 }, () => [1]));
      assert.equal(server.accepted, 1);
    }
  });
});

Deno.test("who gives up the attempt to connect does not end it for the others", async () => {
  await withI3((socket) => socket.write(tree(1)), async (wm, server) => {
    await server.stop();
    await assert.rejects(wm.windows(), { code: "no_desktop" });
    await server.start();
    const first = new AbortController();
    const given = assert.rejects(wm.windows({ signal: first.signal }), { code: "cancelled" });
    const other = idsOf(wm);
    first.abort();
    await given;
    assert.deepEqual(await other, [1]);
    assert.equal(server.accepted, 1);
  });
});

Deno.test("after close nothing is connected", async () => {
  await withI3((socket) => socket.write(tree(1)), async (wm, server) => {
    wm.close();
    await assert.rejects(wm.windows(), { code: "no_desktop", message: /it was closed/ });
    wm.on(() => {});
    assert.equal(server.accepted, 1);
  });
});

Deno.test("a restart is told, and what changed meanwhile is read", async () => {
  let id = 1;
  await withI3((socket) => socket.write(tree(id)), async (wm, server, listening) => {
    const bell = new Bell();
    const off = wm.on(bell.ring);
    await bell.next(0);
    assert.deepEqual(await idsOf(wm), [1]);
    for (id of [2, 3]) {
      const lost = bell.count;
      await server.stop();
      await bell.next(lost);
      await assert.rejects(wm.windows(), { code: "no_desktop" });
      const before = bell.count;
      await server.start();
      await bell.next(before);
      await bell.until(() => listening.size === 1);
      assert.deepEqual(await idsOf(wm), [id]);
      // Events arrive over the new connection.
      const seen = bell.count;
      for (const socket of listening) socket.write(i3Message(WINDOW_EVENT, "{}"));
      await bell.next(seen);
    }
    off();
  });
});

Deno.test("a reply after the timeout of its request is not taken for the next one's", async () => {
  const held: (() => void)[] = [], came = new Bell();
  let id = 0;
  await withI3((socket) => {
    const mine = ++id;
    held.push(() => socket.write(tree(mine)));
    came.ring();
  }, async (wm, server) => {
    await assert.rejects(wm.windows({ timeout: 30 }), { code: "timeout", details: { outcome: "unknown" } });
    const next = idsOf(wm);
    await came.next(1);
    for (const send of held) send();
    assert.deepEqual(await next, [2]);
    assert.equal(server.accepted, 1);
  });
});

const NONSENSE: Record<string, { bytes: () => Uint8Array; says: RegExp }> = {
  "another protocol": {
    bytes: () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n{"not": "i3"}'),
    says: /does not speak i3's protocol/,
  },
  "no JSON": { bytes: () => i3Message(GET_TREE, '{"secret": tru'), says: /of 14 characters is not JSON$/ },
  "a message too long": {
    bytes: () => {
      const head = Buffer.from(i3Message(GET_TREE));
      if (endianness() === "LE") head.writeUInt32LE(MOST_BYTES + 1, 6);
      else head.writeUInt32BE(MOST_BYTES + 1, 6);
      return head;
    },
    says: /longer than 33554432 bytes/,
  },
};

for (const [what, { bytes, says }] of Object.entries(NONSENSE)) {
  Deno.test(`${what} as a reply ends the connection, and the next request makes a new one`, async () => {
    let sound = false;
    await withI3((socket) => socket.write(sound ? tree(1) : bytes()), async (wm, server) => {
      // Both that wait are told, not only the one whose turn it was.
      const both = await Promise.allSettled([wm.windows(), wm.windows()]);
      for (const one of both) {
        assert(one.status === "rejected");
        assert.equal(one.reason.code, "no_desktop");
        assert.match(one.reason.message, says);
      }
      sound = true;
      assert.deepEqual(await idsOf(wm), [1]);
      assert.equal(server.accepted, 2);
    });
  });

  Deno.test(`${what} as an event: events are heard anew`, async () => {
    await withI3((socket) => socket.write(tree(1)), async (wm, _, listening) => {
      const bell = new Bell();
      wm.on(bell.ring);
      await bell.next(0);
      const [first] = listening;
      assert(first !== undefined);
      const seen = bell.count;
      first.write(bytes());
      // One call for the loss, one for the new connection.
      await bell.next(seen + 1);
      assert.equal(listening.size, 1);
      assert(!listening.has(first));
      assert.deepEqual(await idsOf(wm), [1]);
    });
  });
}

Deno.test("a message may arrive byte by byte, and several in one piece", () => {
  const whole = Buffer.concat([i3Message(1, '"one"'), i3Message(2, '"grüße"'), i3Message(3, "[]")]);
  const expected = [{ type: 1, body: "one" }, { type: 2, body: "grüße" }, { type: 3, body: [] }];
  for (const size of [1, 2, 13, 14, 15, whole.length]) {
    const found: Json[] = [];
    const decode = i3Decoder();
    for (let at = 0; at < whole.length; at += size) {
      decode(whole.subarray(at, at + size), (message) => found.push(message));
    }
    assert.deepEqual(found, expected, `pieces of ${size}`);
  }
});

Deno.test("a server that ends each connection for events at once is asked ever less often", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wm-stand-in-"));
  let subscribed = 0;
  const server = new StandIn(join(folder, "i3.sock"), (socket) => {
    let here = 0;
    onRequest(socket, (type) => {
      socket.write(i3Message(type, '{"success":true}'));
      if (type === SUBSCRIBE && ++here === 5) subscribed++, socket.end();
    });
  });
  await server.start();
  const wm = await connectI3(server.path);
  try {
    const times: number[] = [];
    let seen = 0;
    const bell = new Bell();
    wm.on(() => {
      if (subscribed > seen) seen = subscribed, times.push(performance.now());
      bell.ring();
    });
    await bell.until(() => times.length >= 4);
    const waits = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    // 50, 100, 200 ms, and what the machine takes for each.
    [50, 100, 200].forEach((least, at) => assert((waits[at] ?? 0) >= least - 2, `${waits}`));
  } finally {
    wm.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
