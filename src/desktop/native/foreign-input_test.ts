import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import type { PersonRecord } from "../../ffi/records.ts";
import { ForeignInputs } from "./foreign-input.ts";

const press: PersonRecord = {
  kind: "person",
  session: 1n,
  at: 1n,
  what: 1,
  detail: 1,
  x: 1,
  y: 2,
  modifiers: 0,
  time: 3,
  moved: false,
  lost: 0,
};

Deno.test("the core is asked for as much as somebody wants to know, and for nothing after that", async () => {
  const asked: number[] = [];
  const inputs = new ForeignInputs((level) => Promise.resolve(void asked.push(level)));
  const watch = await inputs.watch({});
  const recording = await inputs.record({});
  const second = await inputs.record({});
  await recording.close();
  await recording.close();
  await second.close();
  await watch.close();
  assert.deepEqual(asked, [1, 2, 2, 1, 0]);
});

Deno.test("a recording that the display refuses leaves nothing behind", async () => {
  const asked: (readonly [number, string | undefined])[] = [];
  const inputs = new ForeignInputs((level, _call, what) => {
    asked.push([level, what]);
    return level === 2 ? Promise.reject(new BackstepError("unsupported", "Cannot")) : Promise.resolve();
  });
  await assert.rejects(inputs.record({}), { code: "unsupported" });
  await (await inputs.watch({})).close();
  assert.deepEqual(asked, [[2, "record what a person does"], [1, undefined], [0, undefined]]);
});

Deno.test("a recording wakes for what was done, says when some of it was lost, and ends with its desktop", async () => {
  const inputs = new ForeignInputs(() => Promise.resolve());
  const recording = await inputs.record({});
  const waiting = recording.next({ timeout: 5_000 });
  inputs.notice(press);
  assert.equal(await waiting, "event");
  assert.deepEqual(recording.take(), [
    { what: "button", down: true, button: "left", x: 1, y: 2, modifiers: [], time: 3 },
  ]);
  inputs.notice({ ...press, lost: 4 });
  assert.equal(await recording.next({}), "lost");
  assert.deepEqual(recording.take(), []);
  inputs.lose();
  assert.equal(await recording.next({}), "lost");
  const end = recording.next({});
  recording.take();
  inputs.end(new BackstepError("no_desktop", "Cannot wait: it is closed"));
  await assert.rejects(end, { code: "no_desktop" });
});
