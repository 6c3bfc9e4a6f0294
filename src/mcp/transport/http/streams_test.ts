import assert from "node:assert/strict";
import { boundedStream } from "./streams.ts";

Deno.test("a stream passes on what it gets, and its end", async () => {
  const source = ReadableStream.from(["one ", "two"]).pipeThrough(new TextEncoderStream());
  assert.equal(await new Response(boundedStream(source, 100)).text(), "one two");
});

Deno.test("a client that does not read is cut off, and what feeds it is told", async () => {
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined;
  const cancelled = Promise.withResolvers<void>();
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => void (feed = controller),
    cancel: () => cancelled.resolve(),
  });
  const stream = boundedStream(source, 1_000);
  for (let at = 0; at < 20; at++) feed?.enqueue(new Uint8Array(100));
  await cancelled.promise;
  await assert.rejects(async () => {
    for await (const _ of stream);
  }, /does not read/);
});

Deno.test("one piece may be as large as it is", async () => {
  const source = ReadableStream.from([new Uint8Array(5_000)]);
  assert.equal((await new Response(boundedStream(source, 100)).arrayBuffer()).byteLength, 5_000);
});

Deno.test("a stream ends when its token does, and when its client leaves", async () => {
  const endless = (cancelled: () => void) => new ReadableStream<Uint8Array>({ cancel: cancelled });
  const expired = Promise.withResolvers<void>();
  const stream = boundedStream(endless(expired.resolve), 100, Date.now() + 20);
  assert.deepEqual(await stream.getReader().read(), { done: true, value: undefined });
  await expired.promise;
  const left = Promise.withResolvers<void>();
  await boundedStream(endless(left.resolve), 100, Date.now() + 60_000).cancel();
  await left.promise;
});
