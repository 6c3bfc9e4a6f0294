import assert from "node:assert/strict";
import { RequestMeter, slowest, type Unfinished } from "./meter.ts";

const head = (...lines: readonly string[]) =>
  ["POST /mcp HTTP/1.1", "Host: x", ...lines, "", ""].join("\r\n");

/** What is not whole after each byte but the last is told; after the last byte nothing is. */
function byteByByte(text: string): void {
  const meter = new RequestMeter();
  const bytes = new TextEncoder().encode(text);
  for (const [at, byte] of bytes.entries()) {
    meter.take(Uint8Array.of(byte));
    assert.equal(meter.unfinished === undefined, at === bytes.length - 1, `byte ${at} of ${text}`);
  }
  // However it is cut.
  const whole = new RequestMeter();
  whole.take(new TextEncoder().encode(text + text));
  assert.equal(whole.unfinished, undefined, text);
}

Deno.test("a meter: a request is whole with the last byte of its body, however it is framed and cut", () => {
  byteByByte(head());
  byteByByte(head("Content-Length: 0"));
  byteByByte(head("content-length: 5") + "12345");
  byteByByte(head("Transfer-Encoding: chunked") + "0\r\n\r\n");
  byteByByte(
    head("transfer-encoding:  gzip, Chunked") + "5;x=y\r\n12345\r\nA\r\n0123456789\r\n0\r\nT: 1\r\n\r\n",
  );
});

Deno.test("a meter: a further request that has begun is not whole, and its bytes are counted by themselves", () => {
  const meter = new RequestMeter();
  meter.take(new TextEncoder().encode(head("Content-Length: 3") + "123PO"));
  assert.equal(meter.unfinished?.bytes, 2);
  meter.take(new TextEncoder().encode(head("Content-Length: 3").slice(2) + "1"));
  assert.equal(meter.unfinished?.bytes, head("Content-Length: 3").length + 1);
});

Deno.test("a meter: what has no end, or no framing, stays unfinished and is kept nowhere", () => {
  for (const endless of [head("Transfer-Encoding: chunked") + "zzz\r\n", "x".repeat(70_000)]) {
    const meter = new RequestMeter();
    meter.take(new TextEncoder().encode(endless));
    assert.ok(meter.unfinished);
    const { bytes } = meter.unfinished;
    meter.take(new TextEncoder().encode(head()));
    assert.equal(meter.unfinished?.bytes, bytes);
  }
});

Deno.test("the slowest is who sent the least in its time; who has just begun is not fast for it", () => {
  const now = Date.now();
  const all: Record<string, Unfinished | undefined> = {
    fast: { since: now - 10_000, bytes: 1_000_000 },
    new: { since: now - 1, bytes: 300 },
    newer: { since: now, bytes: 300 },
    slow: { since: now - 10_000, bytes: 400 },
    whole: undefined,
  };
  const order: string[] = [];
  for (let names = Object.keys(all);;) {
    const found = slowest(names, (name) => all[name], 1_000);
    if (found === undefined) break;
    order.push(found);
    names = names.filter((name) => name !== found);
  }
  assert.deepEqual(order, ["slow", "new", "newer", "fast"]);
});
