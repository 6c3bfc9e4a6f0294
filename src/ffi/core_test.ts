import assert from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { Core } from "./core.ts";
import { FakeBinding, u64 } from "./_fake-binding.ts";
import { Op } from "./op.ts";
import type { Notice } from "./records.ts";
import { Request } from "./request.ts";
import { Status } from "./status.ts";

function setUp() {
  const binding = new FakeBinding();
  const core = new Core(binding);
  const session = core.session();
  const last = () => {
    const entry = binding.submitted.at(-1);
    if (!entry) throw new Error("nothing was submitted");
    return entry.ticket;
  };
  return { binding, core, session, last };
}

const empty = new Uint8Array(0);

async function rejection(promise: Promise<unknown>): Promise<BackstepError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof BackstepError) return error;
    throw error;
  }
  throw new Error("it should have been rejected");
}

Deno.test("a submitted call resolves with the reply of its ticket, whatever the order of completion", async () => {
  const { binding, session, last } = setUp();
  const first = session.submit(Op.read, empty);
  const firstTicket = last();
  const second = session.submit(Op.apps, empty);
  binding.answer(session.handle, last(), Status.ok, new Uint8Array([2]));
  assert.deepEqual(await second, new Uint8Array([2]));
  binding.answer(session.handle, firstTicket, Status.ok, new Uint8Array([1]));
  assert.deepEqual(await first, new Uint8Array([1]));
  await session.close();
});

Deno.test("a reply is put into memory that its caller does not need, where that is large enough", async () => {
  const { binding, session } = setUp();
  binding.onSubmit = () => [Status.ok, new Uint8Array([1, 2, 3])];
  for (const [size, used] of [[4, true], [3, true], [2, false]] as const) {
    const into = new ArrayBuffer(size);
    const reply = await session.submit(Op.capture, empty, { into });
    assert.deepEqual([reply.buffer === into, [...reply]], [used, [1, 2, 3]]);
  }
  await session.close();
});

Deno.test("a failed call rejects with the status's code and the core's own words", async () => {
  const { binding, session, last } = setUp();
  const call = session.submit(Op.action, empty);
  binding.answer(session.handle, last(), Status.refused, new Request().str("it said false").bytes());
  const error = await rejection(call);
  assert.equal(error.code, "refused");
  assert.equal(error.message, "Cannot perform the action: it said false");
  await session.close();
});

Deno.test("who measures is reported of each call and of its end, whatever it came to, until they stop", async () => {
  const { binding, core, session, last } = setUp();
  const reported: string[] = [];
  core.observe(({ op, request }) => {
    reported.push(`began ${op} with ${request.length}`);
    return (reply) => reported.push(`over ${op}: ${reply?.join()}`);
  });
  const read = session.submit(Op.read, new Uint8Array(3));
  const readTicket = last();
  const refused = session.submit(Op.action, empty);
  binding.answer(session.handle, last(), Status.refused, new Request().str("no").bytes());
  await rejection(refused);
  binding.answer(session.handle, readTicket, Status.ok, new Uint8Array([1]));
  await read;
  const cut = session.submit(Op.windows, empty);
  core.observe(undefined);
  const unseen = session.submit(Op.apps, empty);
  await session.close();
  await Promise.all([rejection(cut), rejection(unseen)]);
  assert.deepEqual(reported, [
    "began 4 with 3",
    "began 16 with 0",
    "over 16: undefined",
    "over 4: 1",
    "began 41 with 0",
    "over 41: undefined",
  ]);
});

Deno.test("a negative answer of submit itself rejects at once", async () => {
  const { binding, session } = setUp();
  binding.submitStatus = BigInt(Status.limit);
  assert.equal((await rejection(session.submit(Op.read, empty))).code, "limit");
  await session.close();
});

Deno.test("the deadline is handed to the core in whole milliseconds within its bounds", async () => {
  const { binding, session, last } = setUp();
  for (const timeout of [0.2, 1e9, Infinity]) {
    const call = session.submit(Op.read, empty, { timeout });
    binding.answer(session.handle, last(), Status.ok);
    await call;
  }
  assert.deepEqual(binding.submitted.map((s) => s.timeout), [1, 600_000, 600_000]);
  assert.equal((await rejection(session.submit(Op.read, empty, { timeout: NaN }))).code, "invalid");
  await session.close();
});

Deno.test("a signal that fires asks the core to cancel, and the core's answer decides the outcome", async () => {
  const { binding, session, last } = setUp();
  const controller = new AbortController();
  const call = session.submit(Op.setText, empty, { signal: controller.signal });
  controller.abort(new Error("changed my mind"));
  assert.deepEqual(binding.cancelledTickets, [last()]);
  binding.answer(session.handle, last(), Status.cancelledUnknown);
  const error = await rejection(call);
  assert.equal(error.code, "cancelled");
  assert.equal(error.details?.["outcome"], "unknown");
  assert.match(String(error.cause), /changed my mind/);
  await session.close();
});

Deno.test("a call that was done before the cancellation reached it resolves", async () => {
  const { binding, session, last } = setUp();
  const controller = new AbortController();
  const call = session.submit(Op.setText, empty, { signal: controller.signal });
  controller.abort();
  binding.answer(session.handle, last(), Status.ok, new Uint8Array([9]));
  assert.deepEqual(await call, new Uint8Array([9]));
  await session.close();
});

Deno.test("a signal that has fired before keeps the call from being sent", async () => {
  const { binding, session } = setUp();
  const error = await rejection(session.submit(Op.setText, empty, { signal: AbortSignal.abort() }));
  assert.equal(error.code, "cancelled");
  assert.equal(error.details?.["outcome"], "not_sent");
  assert.equal(binding.submitted.length, 0);
  await session.close();
});

Deno.test("closing rejects the calls in flight as cancelled, with the outcome the core gives", async () => {
  const { binding, session, last } = setUp();
  const reported = rejection(session.submit(Op.setText, empty));
  const ticket = last();
  const unreported = rejection(session.submit(Op.read, empty));
  binding.onClose = () => binding.answer(session.handle, ticket, Status.cancelledUnsent);
  await session.close();
  assert.deepEqual(
    [await reported, await unreported].map((e) => [e.code, e.details?.["outcome"]]),
    [["cancelled", "not_sent"], ["cancelled", "unknown"]],
  );
});

Deno.test("use after close is refused in words, and closing twice is one close", async () => {
  const { session } = setUp();
  const closing = session.close();
  assert.equal(session.close(), closing);
  const error = await rejection(session.submit(Op.read, empty));
  assert.equal(error.code, "no_desktop");
  assert.equal(error.message, "Cannot read the element: the session is closed");
  await closing;
});

Deno.test("the last close ends the waiter at once, and a new session starts it again", async () => {
  const { binding, core, session } = setUp();
  const before = performance.now();
  await session.close();
  assert.equal(binding.waiting, 0);
  assert.ok(performance.now() - before < 400, "closing waited for a whole turn of the waiter");
  const again = core.session();
  const call = again.submit(Op.read, empty);
  const ticket = binding.submitted.at(-1)?.ticket ?? 0n;
  binding.answer(again.handle, ticket, Status.ok, new Uint8Array([3]));
  assert.deepEqual(await call, new Uint8Array([3]));
  await again.close();
});

Deno.test("unloading closes the sessions and lets the wait in flight end first", async () => {
  const { binding, core, session } = setUp();
  const call = rejection(session.submit(Op.read, empty));
  await core.unload();
  assert.equal(binding.unloaded, true);
  assert.equal((await call).code, "cancelled");
  assert.throws(() => core.session(), /unloaded/);
});

Deno.test("events reach the subscribers of their own session only, until they unsubscribe", async () => {
  const { binding, core, session } = setUp();
  const other = core.session();
  const seen: Notice[] = [];
  const foreign: Notice[] = [];
  const arrived = new Promise<void>((resolve) => {
    const stop = session.onEvents((notices) => {
      seen.push(...notices);
      if (seen.some((n) => n.kind === "broken")) {
        stop();
        resolve();
      }
    });
  });
  other.onEvents((notices) => foreign.push(...notices));
  binding.event(session.handle, "/a", "object:state-changed:focused");
  binding.push(u64(u64(new Request().u32(3), session.handle), 12n));
  binding.push(u64(new Request().u32(4), session.handle).u32(2));
  await arrived;
  binding.event(session.handle, "/b", "focus:");
  const call = session.submit(Op.read, empty);
  binding.answer(session.handle, binding.submitted.at(-1)?.ticket ?? 0n, Status.ok);
  await call;
  assert.deepEqual(seen.map((n) => n.kind), ["event", "lost", "broken"]);
  assert.deepEqual(foreign, []);
  await Promise.all([session.close(), other.close()]);
});

Deno.test("a record larger than the buffer makes the buffer grow", async () => {
  const { binding, session } = setUp();
  const text = "x".repeat(300_000);
  const arrived = new Promise<Notice | undefined>((resolve) => session.onEvents(([first]) => resolve(first)));
  binding.event(session.handle, "/a", "object:text-changed:insert", text);
  const notice = await arrived;
  assert.equal(notice?.kind === "event" ? notice.text.length : 0, text.length);
  await session.close();
});

Deno.test("bytes that are no records fail every call, now and later, and leave closing possible", async () => {
  const { binding, session } = setUp();
  const call = rejection(session.submit(Op.read, empty));
  binding.pushRaw(new Uint8Array([255, 255, 255, 255, 1, 0, 0, 0]));
  assert.equal((await call).code, "internal");
  assert.equal((await rejection(session.submit(Op.read, empty))).code, "internal");
  await session.close();
});

Deno.test("a ticket that the core forgot is given up two seconds after its deadline", async () => {
  const { session } = setUp();
  const call = rejection(session.submit(Op.setText, empty, { timeout: 50 }));
  session.sweep(performance.now() + 1_000);
  const pending = Symbol();
  assert.equal(await Promise.race([call, Promise.resolve(pending)]), pending);
  session.sweep(performance.now() + 3_000);
  const error = await call;
  assert.deepEqual([error.code, error.details?.["outcome"]], ["timeout", "unknown"]);
  await session.close();
});

Deno.test("a core that another thread waits on says so, and its calls fail", async () => {
  const binding = new FakeBinding();
  binding.waiting = 1;
  const core = new Core(binding);
  const session = core.session();
  await assert.rejects(session.submit(Op.apps, new Request().bytes()), {
    code: "internal",
    message: /another thread of this process waits already/,
  });
  await session.close();
});
