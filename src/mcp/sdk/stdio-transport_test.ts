import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { JSONRPCMessage } from "./sdk.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** A transport over two streams in memory. */
async function wired() {
  const input = new PassThrough();
  const written: { readonly [key: string]: unknown }[] = [];
  const heard: JSONRPCMessage[] = [];
  const faults: string[] = [];
  const transport = new StdioTransport(input, (text, done) => {
    assert.ok(text.endsWith("\n") && text.indexOf("\n") === text.length - 1);
    written.push(JSON.parse(text));
    done();
    return true;
  });
  transport.onmessage = (message) => heard.push(message);
  transport.onerror = (error) => faults.push(error.message);
  await transport.start();
  return { input, transport, written, heard, faults };
}

const ping = { jsonrpc: "2.0" as const, id: 1, method: "ping" };

Deno.test("messages are read a line each, and what is none is answered", async () => {
  const { input, written, heard, faults } = await wired();
  input.write(
    `${JSON.stringify(ping)}\r\n{oops\n{"jsonrpc":"1.0","id":"a","method":"x"}\n${JSON.stringify(ping)}\n`,
  );
  input.end();
  await once(input, "close");
  assert.deepEqual(heard, [ping, ping]);
  assert.deepEqual(written.map(({ id, error }) => [id, Object(error).code]), [[null, -32700], ["a", -32600]]);
  assert.equal(faults.length, 2);
});

Deno.test("a message of more than 16 MiB is refused, and the next one is read", async () => {
  const { input, written, heard } = await wired();
  const chunk = "x".repeat(1024 * 1024);
  for (let k = 0; k < 17; k++) input.write(chunk);
  input.write(`\n${JSON.stringify(ping)}\n`);
  input.end();
  await once(input, "close");
  assert.deepEqual(heard, [ping]);
  assert.deepEqual(written.map(({ error }) => Object(error).code), [-32600]);
});

Deno.test("an answer that a client could not take is answered with an error; a notification is not sent", async () => {
  const { transport, written } = await wired();
  const text = "ü".repeat(6 * 1024 * 1024);
  await transport.send({ jsonrpc: "2.0", id: 4, result: { text } });
  assert.deepEqual(written.map(({ id, error }) => [id, Object(error).code]), [[4, -32603]]);
  await assert.rejects(transport.send({ jsonrpc: "2.0", method: "notifications/message", params: { text } }));
  await transport.send({ jsonrpc: "2.0", id: 5, result: {} });
  assert.equal(written.length, 2);
});

Deno.test("a transport ends once, with its input or when it is closed, and sends nothing after that", async () => {
  const { input, transport, heard } = await wired();
  let ends = 0;
  transport.onclose = () => ends++;
  input.end();
  await once(input, "close");
  await transport.close();
  assert.deepEqual([ends, heard.length], [1, 0]);
  await assert.rejects(transport.send({ jsonrpc: "2.0", id: 1, result: {} }), /the client is gone/);
});

Deno.test("who waits for a client to read stops waiting when the client is gone, or has too much to read", async () => {
  const input = new PassThrough();
  const transport = new StdioTransport(input, () => false);
  let ends = 0;
  transport.onclose = () => ends++;
  await transport.start();
  const text = "x".repeat(8 * 1024 * 1024);
  const answers: Promise<unknown>[] = [];
  for (let id = 0; id < 17 && ends === 0; id++) {
    answers.push(
      assert.rejects(transport.send({ jsonrpc: "2.0", id, result: { text } }), /the client is gone/),
    );
  }
  await Promise.all(answers);
  assert.deepEqual([ends, answers.length], [1, 16]);
});
