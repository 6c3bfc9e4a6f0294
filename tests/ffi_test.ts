// The adapters for native code: the same suite on Deno, here, and on Node and Bun, from tests/node_test.ts. No desktop is needed.
import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { adapterOfRuntime } from "../src/ffi/adapter.ts";
import type { Binding, Bytes } from "../src/ffi/binding.ts";
import { defaultLibraryPath, loadLibrary } from "../src/ffi/library.ts";
import { Op } from "../src/ffi/op.ts";
import { readRecords } from "../src/ffi/records.ts";
import { Request } from "../src/ffi/request.ts";
import { Reply } from "../src/ffi/reply.ts";
import { TILE } from "../src/checks/visual/marks.ts";
import { Status } from "../src/ffi/status.ts";
import { ABI } from "../src/ffi/symbols.ts";

/** Milliseconds that the core takes a wait to block at most. */
const LONGEST_WAIT = 500;

/** A request that fails without a desktop, by itself: nothing listens there. */
const nowhere = () => new Request().str("unix:path=/nowhere/bus").str("").str("").u32(0).bytes();

/** Opens a session of the core, and closes it, whatever happens. */
async function inSession(action: (binding: Binding, session: bigint) => Promise<void>): Promise<void> {
  const binding = await loadLibrary();
  const session = binding.open();
  assert.ok(session > 0n);
  try {
    await action(binding, session);
  } finally {
    assert.equal(await binding.close(session), 0);
  }
}

/** Waits until a ticket is complete; answers its status and its reply. */
async function completed(
  binding: Binding,
  session: bigint,
  ticket: bigint,
): Promise<{ status: number; reply: Bytes }> {
  const buffer = new Uint8Array(65_536);
  for (const late = Date.now() + 20_000; Date.now() < late;) {
    const written = await binding.wait(buffer, LONGEST_WAIT);
    assert.ok(written >= 0, `wait answered ${written}`);
    for (const record of readRecords(buffer.subarray(0, written))) {
      if (record.kind !== "completion" || record.ticket !== ticket) continue;
      assert.equal(record.session, session);
      const reply = new Uint8Array(record.size);
      assert.equal(binding.take(session, ticket, reply), record.size);
      return { status: record.status, reply };
    }
  }
  throw new Error("the ticket was not completed");
}

Deno.test("the version is a number, handles and tickets are 64 bits wide", () =>
  inSession((binding, session) => {
    assert.equal(binding.abi(), ABI);
    assert.equal(typeof session, "bigint");
    const wide = 0xffff_fff0_0000_0001n;
    assert.equal(binding.submit(wide, Op.apps, new Uint8Array(0), 1_000), BigInt(Status.handle));
    assert.equal(binding.take(wide, 1n, new Uint8Array(8)), Status.handle);
    assert.equal(binding.cancel(session, wide), Status.ticket);
    assert.equal(binding.peek(wide, new TextEncoder().encode(":1.1")), BigInt(Status.handle));
    return Promise.resolve();
  }));

Deno.test("a request goes in, its completion and its reply come out, byte for byte", () =>
  inSession(async (binding, session) => {
    const ticket = binding.submit(session, Op.connect, nowhere(), 5_000);
    assert.ok(ticket > 0n, `${ticket}`);
    const { status, reply } = await completed(binding, session, ticket);
    assert.equal(status, Status.bus);
    assert.match(new Reply(reply).str(), /\/nowhere\/bus/);
  }));

Deno.test("a buffer that is too short is not written to, and the size is answered", () =>
  inSession(async (binding, session) => {
    const ticket = binding.submit(session, Op.connect, nowhere(), 5_000);
    // One byte holds no record: the first that comes is announced as too large.
    const tiny = new Uint8Array([7]);
    let written = 0;
    for (const late = Date.now() + 20_000; written === 0 && Date.now() < late;) {
      written = await binding.wait(tiny, LONGEST_WAIT);
    }
    assert.deepEqual([written, tiny[0]], [Status.short, 7]);
    const short = new Uint8Array([9, 9]);
    const size = binding.take(session, ticket, short);
    assert.ok(size > 2, `${size}`);
    assert.deepEqual([...short], [9, 9]);
    assert.equal((await completed(binding, session, ticket)).status, Status.bus);
  }));

Deno.test("what fails in one session is said, and an empty request is one", () =>
  inSession(async (binding, session) => {
    const ticket = binding.submit(session, Op.apps, new Uint8Array(0), 1_000);
    assert.ok(ticket > 0n, `${ticket}`);
    assert.equal((await completed(binding, session, ticket)).status, Status.bus);
  }));

Deno.test("a wait blocks nobody: timers, files and garbage collection go on beside it, and wake ends it", () =>
  inSession(async (binding) => {
    const buffer = new Uint8Array(4_096);
    const waiting = binding.wait(buffer, LONGEST_WAIT);
    let over = false;
    void waiting.then(() => over = true);
    // On a busy machine it may end by itself before all turns are over.
    let during = 0;
    for (let turns = 0; turns < 50; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!over) during++;
      // What nobody holds on to: memory is moved and freed while the core may write into the buffer.
      new Uint8Array(1_000_000).fill(turns);
    }
    const files = await Promise.all(
      Array.from({ length: 8 }, () => readFile(fileURLToPath(import.meta.url))),
    );
    assert.equal(files.length, 8);
    assert.ok(during > 0, "nothing else happened while it waited");
    assert.equal(binding.wake(), 0);
    assert.equal(await waiting, 0);
    // Where it was over before, who waits next is woken.
    assert.equal(await binding.wait(buffer, 0), 0);
    assert.ok(buffer.every((byte) => byte === 0));
  }));

Deno.test("one waits at a time: a second wait is refused", () =>
  inSession(async (binding) => {
    const first = binding.wait(new Uint8Array(4_096), LONGEST_WAIT);
    const second = binding.wait(new Uint8Array(4_096), LONGEST_WAIT);
    const earlier = await Promise.race([first.then((n) => [1, n]), second.then((n) => [2, n])]);
    assert.equal(earlier[1], Status.invalid);
    binding.wake();
    const both = await Promise.all([first, second]);
    assert.deepEqual(both.sort((a, b) => a - b), [Status.invalid, 0]);
  }));

Deno.test("a session that was closed is unknown, and the core goes on", async () => {
  const binding = await loadLibrary();
  const session = binding.open();
  assert.equal(await binding.close(session), 0);
  assert.equal(await binding.close(session), Status.handle);
  const next = binding.open();
  assert.notEqual(next, session);
  await binding.close(next);
});

Deno.test("a picture is decoded on a thread, and compared in place", async () => {
  const pixels = (await adapterOfRuntime()).loadPixels(defaultLibraryPath());
  assert.equal(pixels.abi(), 1);
  const file = new Uint8Array(readFileSync(new URL("../docs/images/report.png", import.meta.url)));
  const header = new DataView(file.buffer);
  const [width, height] = [header.getUint32(16), header.getUint32(20)];
  const room = () => new Uint8Array(4 * width * height + height);
  const [out, again] = [room(), room()];
  assert.deepEqual(await Promise.all([pixels.decode(file, out), pixels.decode(file, again)]), [0, 0]);
  const [one, other] = [out, again].map((all) => all.slice(0, 4 * width * height));
  assert.ok(one !== undefined && other !== undefined && one.some((byte) => byte !== 0));
  const tiles = new Uint8Array(Math.ceil(width / TILE) * Math.ceil(height / TILE));
  assert.equal(pixels.tiles(one, other, width, height, tiles), 0, "two readings of one file are equal");
  const at = 5 * width + 7;
  other[4 * at] = (other[4 * at] ?? 0) ^ 0xff;
  assert.equal(pixels.tiles(one, other, width, height, tiles), 1);
  assert.deepEqual([tiles[0], tiles.indexOf(1, 1)], [1, -1]);
  const marks = new Uint8Array(TILE * TILE);
  assert.ok(pixels.compare(one, other, width, height, tiles, marks, 0, 100) > 0);
  assert.notEqual(marks[5 * TILE + 7], 0);
  assert.ok(await pixels.decode(file.subarray(0, 100), out) < 0, "half a file is none");
});

Deno.test("attributes of files are listed, read, written and removed through the C library", async () => {
  const attributes = (await adapterOfRuntime()).loadAttributes();
  const text = (value: string) => new TextEncoder().encode(`${value}\0`);
  const folder = mkdtempSync(join(tmpdir(), "backstep-ffi-"));
  const path = join(folder, "file");
  const fd = openSync(path, "w");
  try {
    assert.equal(attributes.list(text(join(folder, "none")), new Uint8Array(64)), -1);
    const out = new Uint8Array(256);
    if (attributes.write(fd, text("user.backstep"), new Uint8Array([1, 0, 255])) !== 0) {
      console.log(`the file system of ${folder} keeps no attributes`);
      return;
    }
    const listed = attributes.list(text(path), out);
    assert.equal(new TextDecoder().decode(out.subarray(0, listed)), "user.backstep\0");
    assert.equal(attributes.read(text(path), text("user.backstep"), out), 3);
    assert.deepEqual([...out.subarray(0, 3)], [1, 0, 255]);
    assert.equal(attributes.remove(fd, text("user.backstep")), 0);
    assert.equal(attributes.list(text(path), out), 0);
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
});

Deno.test("what is no library is reported with its path", async () => {
  for (const path of ["/nowhere/libbackstep.so", fileURLToPath(import.meta.url)]) {
    await assert.rejects(loadLibrary(path), { code: "missing", message: new RegExp(path) });
  }
});

Deno.test("the environment is read, and what is not set is undefined", async () => {
  const { environment } = await adapterOfRuntime();
  assert.equal(environment("PATH"), process.env["PATH"]);
  assert.equal(environment("BACKSTEP_IS_NOT_SET"), undefined);
});
