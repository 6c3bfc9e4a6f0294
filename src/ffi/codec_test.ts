import assert from "node:assert/strict";
import { readRecords } from "./records.ts";
import { Reply } from "./reply.ts";
import { Request } from "./request.ts";
import { u64 } from "./_fake-binding.ts";

Deno.test("what a request packs, a reply unpacks", () => {
  const bytes = new Request().u32(0xffffffff).i32(-5).f64(0.1).str("\ufeffnaïve 😀").blob(
    new Uint8Array([0, 1]),
  )
    .bytes();
  const reply = new Reply(bytes);
  assert.equal(reply.u32(), 0xffffffff);
  assert.equal(reply.i32(), -5);
  assert.equal(reply.f64(), 0.1);
  assert.equal(reply.str(), "\ufeffnaïve 😀");
  assert.deepEqual(reply.bytes(reply.u32()), new Uint8Array([0, 1]));
  reply.end();
});

Deno.test("a request grows at any field", () => {
  for (let filled = 0; filled < 80; filled++) {
    const request = new Request().blob(new Uint8Array(filled)).i32(-7).f64(0.5).u32(9);
    const reply = new Reply(request.bytes());
    reply.bytes(reply.u32());
    assert.deepEqual([reply.i32(), reply.f64(), reply.u32()], [-7, 0.5, 9]);
  }
});

Deno.test("numbers are little-endian and unpadded", () => {
  assert.deepEqual(
    new Request().str("ab").u32(258).bytes(),
    new Uint8Array([2, 0, 0, 0, 0x61, 0x62, 2, 1, 0, 0]),
  );
});

Deno.test("a request refuses what its field cannot hold instead of wrapping it round", () => {
  for (const value of [-1, 2 ** 32, 1.5, NaN]) {
    assert.throws(() => new Request().u32(value), { code: "invalid" });
  }
  for (const value of [2 ** 31, -(2 ** 31) - 1, Infinity]) {
    assert.throws(() => new Request().i32(value), { code: "invalid" });
  }
});

Deno.test("text with NUL or half a surrogate pair is refused, not altered", () => {
  for (const text of ["a\0b", "\ud83d", "x\ude00"]) {
    assert.throws(() => new Request().str(text), { code: "invalid" });
  }
  assert.equal(new Request().str("😀").bytes().length, 8);
});

Deno.test("a reply that ends inside a field throws, wherever it is cut", () => {
  const whole = new Request().u32(1).i32(2).f64(3).str("text").bytes();
  for (let length = 0; length < whole.length; length++) {
    assert.throws(() => {
      const r = new Reply(whole.subarray(0, length));
      r.u32();
      r.i32();
      r.f64();
      r.str();
    }, { code: "internal" });
  }
});

Deno.test("a string or count that claims more than there is throws before memory is taken", () => {
  assert.throws(() => new Reply(new Uint8Array([255, 255, 255, 255])).str(), { code: "internal" });
  assert.throws(() => new Reply(new Uint8Array([255, 255, 255, 127, 0, 0])).count(4), { code: "internal" });
  assert.throws(() => new Reply(new Uint8Array(1)).end(), { code: "internal" });
});

function record(body: Request): Uint8Array {
  const bytes = body.bytes();
  return new Uint8Array([...new Request().u32(bytes.length + 4).bytes(), ...bytes]);
}

Deno.test("records of a kind that a newer core added are skipped by their size", () => {
  const unknown = record(u64(new Request().u32(99), 1n).str("whatever"));
  const lost = record(u64(u64(new Request().u32(3), 1n), 7n));
  assert.deepEqual(readRecords(new Uint8Array([...unknown, ...lost])), [
    { kind: "lost", session: 1n, dropped: 7n },
  ]);
});

Deno.test("a record that is too small, too large or cut off throws", () => {
  const lost = record(u64(u64(new Request().u32(3), 1n), 7n));
  assert.throws(() => readRecords(lost.subarray(0, lost.length - 1)), { code: "internal" });
  assert.throws(() => readRecords(new Uint8Array([8, 0, 0, 0, 1, 0, 0, 0])), { code: "internal" });
  assert.throws(() => readRecords(new Uint8Array([0, 0, 0, 0])), { code: "internal" });
  assert.throws(() => readRecords(record(u64(new Request().u32(1), 1n))), { code: "internal" });
});
