import assert from "node:assert/strict";
import { once } from "node:events";
import { defined } from "../../base/defined.ts";
import type { ToolResult } from "./dispatch.ts";
import { MOST_TTL, type RunningTask, Tasks, type TaskView, TTL } from "./tasks.ts";
import { ProtocolError } from "./wire.ts";

const DONE: ToolResult = { content: [{ type: "text", text: "done" }] };
const never = new AbortController().signal;

/** A session's tasks, and the changes that it was told of. */
function tasks(options?: { most?: number; grace?: number }) {
  const changes: TaskView[] = [];
  return { all: new Tasks((task) => changes.push(task), options), changes };
}

function refused(code: number, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof ProtocolError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}

Deno.test("a task lives for a minute where nothing else is asked, and never for more than an hour", () => {
  const { all } = tasks();
  const ttl = (wanted?: number) =>
    all.create(
      { message: "Starting", ...defined({ ttl: wanted }) },
      () => Promise.resolve(DONE),
    )
      .ttl;
  assert.deepEqual([undefined, 5, 1e12, -3, NaN].map(ttl), [TTL, 5, MOST_TTL, 0, TTL]);
});

Deno.test("the result of a task is waited for, and stays to be fetched again", async () => {
  const { all, changes } = tasks();
  const { taskId, status } = all.create({ message: "Starting" }, (task) => {
    task.say("At it");
    return Promise.resolve(DONE);
  });
  assert.equal(status, "working");
  assert.equal(await all.result(taskId, never), DONE);
  assert.equal(await all.result(taskId, never), DONE);
  assert.deepEqual(changes.map((one) => `${one.status}: ${one.statusMessage}`), [
    "working: At it",
    "completed: Done",
  ]);
});

Deno.test("a result with isError and a thrown error both fail the task; the error is thrown to whoever asks", async () => {
  const { all } = tasks();
  const wrong: ToolResult = { isError: true, content: [{ type: "text", text: "Error: not\nfound" }] };
  const one = all.create({ message: "Starting" }, () => Promise.resolve(wrong));
  const other = all.create(
    { message: "Starting" },
    () => Promise.reject(new ProtocolError(-32000, "Too many")),
  );
  assert.equal(await all.result(one.taskId, never), wrong);
  await assert.rejects(all.result(other.taskId, never), refused(-32000, /Too many/));
  assert.deepEqual(all.list().items.map((task) => `${task.status}: ${task.statusMessage}`), [
    "failed: Error: not found",
    "failed: Too many",
  ]);
});

Deno.test("a task that is cancelled before it begins does nothing", async () => {
  const { all } = tasks();
  let begun = false;
  const { taskId } = all.create({ message: "Starting" }, () => {
    begun = true;
    return Promise.resolve(DONE);
  });
  const { status } = await all.cancel(taskId);
  assert.deepEqual([status, begun], ["cancelled", false]);
  assert.equal((await all.result(taskId, never)).isError, true);
});

Deno.test("a cancelled task stays cancelled, and says so where its call had been done by then", async () => {
  const { all } = tasks();
  const atWork = Promise.withResolvers<RunningTask>();
  const { taskId } = all.create({ message: "Starting" }, async (task) => {
    atWork.resolve(task);
    await once(task.signal, "abort");
    return DONE;
  });
  await atWork.promise;
  const [one, other] = await Promise.all([all.cancel(taskId), all.cancel(taskId)]);
  assert.deepEqual(one, other);
  assert.deepEqual([one.status, one.statusMessage], ["cancelled", "Cancelled, but it had been done by then"]);
  await assert.rejects(all.cancel(taskId), refused(-32602, /cancelled already/));
});

Deno.test("what ended is forgotten when its time is over, counted from its beginning", async () => {
  const { all } = tasks({ grace: 0 });
  const { taskId } = all.create({ message: "Starting", ttl: 0 }, () => Promise.resolve(DONE));
  assert.equal(await all.result(taskId, never), DONE);
  const deadline = performance.now() + 5_000;
  while (all.list().items.length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.throws(() => all.get(taskId), refused(-32602, /not found/));
});

Deno.test("a session has so many tasks at most: what ended first gives way, what runs does not", async () => {
  const { all } = tasks({ most: 2 });
  const stop = new AbortController();
  const waits = async () => {
    await once(stop.signal, "abort");
    return DONE;
  };
  const first = all.create({ message: "Starting" }, () => Promise.resolve(DONE));
  await all.result(first.taskId, never);
  const running = all.create({ message: "Starting" }, waits);
  const third = all.create({ message: "Starting" }, waits);
  assert.deepEqual(all.list().items.map((task) => task.taskId), [running.taskId, third.taskId]);
  assert.throws(() => all.create({ message: "Starting" }, waits), refused(-32000, /2 of this session's run/));
  const { nextCursor, items } = all.list(undefined, 1);
  assert.deepEqual([items[0]?.taskId, all.list(nextCursor, 1).items[0]?.taskId], [
    running.taskId,
    third.taskId,
  ]);
  stop.abort();
  await all.close();
});

Deno.test("whoever waits for a result can stop waiting, and the task goes on", async () => {
  const { all } = tasks();
  const go = Promise.withResolvers<void>();
  const { taskId } = all.create({ message: "Starting" }, async () => {
    await go.promise;
    return DONE;
  });
  const stop = new AbortController();
  const waiting = all.result(taskId, stop.signal);
  stop.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
  go.resolve();
  assert.equal(await all.result(taskId, never), DONE);
});

Deno.test("a session that ends cancels its tasks and waits for them", async () => {
  const { all, changes } = tasks();
  const atWork = Promise.withResolvers<void>();
  let finished = false;
  all.create({ message: "Starting" }, async (task) => {
    atWork.resolve();
    await once(task.signal, "abort");
    await Promise.resolve();
    finished = true;
    return DONE;
  });
  await atWork.promise;
  await all.close();
  assert.equal(finished, true);
  assert.deepEqual(changes, [], "nobody is told any more");
});
