import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deadline } from "../base/call.ts";
import { DisplayStandIn, reply } from "./_display.ts";
import { cookieFor, writeAuthority } from "./authority.ts";
import { u16 } from "./bytes.ts";
import { unlessGone, XConnection, XFault } from "./connection.ts";
import { atomName, cornerOn, getProperty, nothing, selectEvents } from "./requests.ts";

const { ROOT } = DisplayStandIn;

async function withDisplay(
  body: (display: DisplayStandIn, path: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "x11-"));
  const path = join(folder, "X");
  const display = new DisplayStandIn(path);
  await display.server.start();
  try {
    await body(display, path);
  } finally {
    await display.server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function connected(path: string, talk: (connection: XConnection) => Promise<void>): Promise<void> {
  const connection = await XConnection.open(path, undefined, Deadline.after(5_000));
  try {
    await talk(connection);
  } finally {
    connection.close();
  }
}

for (const piece of [1, 31, Infinity]) {
  Deno.test(`requests sent at once are each answered, in pieces of ${piece} bytes`, async () => {
    await withDisplay(async (display, path) => {
      display.piece = piece;
      const long = "ä".repeat(5_000);
      display.set(ROOT, "_NET_WM_NAME", long);
      await connected(path, async (connection) => {
        assert.deepEqual(connection.screen, { root: ROOT, width: 640, height: 480 });
        const atom = await connection.atom("_NET_WM_NAME");
        const [name, property, gone, corner] = await Promise.all([
          connection.ask(atomName(atom)),
          connection.ask(getProperty(ROOT, atom, 10_000)),
          unlessGone(connection.ask(cornerOn(ROOT, 77))),
          connection.ask(cornerOn(ROOT, ROOT)),
        ]);
        assert.deepEqual([name, gone, corner], ["_NET_WM_NAME", undefined, { x: 0, y: 0 }]);
        assert.equal(new TextDecoder().decode(property?.data), long);
      });
    });
  });
}

Deno.test("a request without a reply rejects with its error, and the next one is answered", async () => {
  await withDisplay(async (_, path) => {
    await connected(path, async (connection) => {
      const confirmed = connection.tell(selectEvents(77, 1));
      await assert.rejects(confirmed, (error: unknown) => error instanceof XFault && error.code === 3);
      await connection.tell(selectEvents(ROOT, 1));
    });
  });
});

Deno.test("sequence numbers begin again after 65535", async () => {
  await withDisplay(async (_, path) => {
    await connected(path, async (connection) => {
      for (let turn = 0; turn < 14; turn++) {
        await Promise.all(Array.from({ length: 5_000 }, () => connection.ask(nothing)));
      }
      assert.equal(await unlessGone(connection.ask(cornerOn(ROOT, 77))), undefined);
    });
  });
});

const GREETINGS: Record<string, { readonly bytes: Uint8Array; readonly says: RegExp }> = {
  "another protocol": { bytes: Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), says: /does not speak X11/ },
  "a refusal": {
    bytes: Buffer.concat([Uint8Array.of(0, 10), u16(11), u16(0), u16(3), Buffer.from("No cookie!\0\0")]),
    says: /it refused the connection: No cookie!$/,
  },
  "an answer that is cut off": {
    bytes: Buffer.concat([Uint8Array.of(1, 0), u16(11), u16(0), u16(2), new Uint8Array(8)]),
    says: /^Cannot reach display/,
  },
};

for (const [what, { bytes, says }] of Object.entries(GREETINGS)) {
  Deno.test(`${what} as the answer to the greeting is no_desktop`, async () => {
    await withDisplay(async (display, path) => {
      display.greeting = bytes;
      const opened = XConnection.open(path, undefined, Deadline.after(5_000));
      await assert.rejects(opened, { code: "no_desktop", message: says });
    });
  });
}

const REPLIES: Record<string, (sequence: number) => Uint8Array> = {
  "a reply to another request": (sequence) => reply(sequence + 7, []),
  "a reply of four gigabytes": (sequence) =>
    Buffer.concat([Uint8Array.of(1, 0), u16(sequence), Buffer.alloc(28, 0xff)]),
  "a property that says it is longer": (sequence) =>
    reply(sequence, [Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 0)], 32),
};

for (const [what, bytes] of Object.entries(REPLIES)) {
  Deno.test(`${what} ends the connection, and both that wait are told`, async () => {
    await withDisplay(async (display, path) => {
      await connected(path, async (connection) => {
        const finished = Promise.withResolvers<void>();
        connection.finished = finished.resolve;
        display.instead = (opcode, _, sequence) => opcode === 20 ? bytes(sequence) : undefined;
        const both = [connection.ask(getProperty(ROOT, 1, 9)), connection.ask(getProperty(ROOT, 2, 9))];
        for (const one of await Promise.allSettled(both)) {
          assert(one.status === "rejected");
          assert.equal(one.reason.code, "no_desktop");
        }
        await finished.promise;
        assert.equal(connection.closed?.code, "no_desktop");
        await assert.rejects(connection.ask(nothing), { code: "no_desktop" });
      });
    });
  });
}

Deno.test("a display that says nothing costs its deadline", async () => {
  await withDisplay(async (display, path) => {
    display.greeting = new Uint8Array(0);
    const opened = XConnection.open(path, undefined, Deadline.after(50));
    await assert.rejects(opened, { code: "timeout" });
  });
});

Deno.test("the cookie of the authority file is shown; none where there is no file", async () => {
  await withDisplay(async (display, path) => {
    const file = `${path}.auth`;
    writeAuthority(file);
    for (const authority of [file, `${path}.none`, undefined]) {
      (await XConnection.open(path, authority, Deadline.after(5_000))).close();
    }
    const cookie = Buffer.from(cookieFor(file, "") ?? []).toString("hex");
    assert.equal(cookie.length, 32);
    assert.deepEqual(display.shown, [`MIT-MAGIC-COOKIE-1 ${cookie}`, "", ""]);
  });
});
