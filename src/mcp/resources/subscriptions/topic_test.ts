import assert from "node:assert/strict";
import { BackstepError } from "../../../base/error.ts";
import type { DesktopEvent } from "../../../desktop/desktop.ts";
import type { Heard } from "./desktop-events.ts";
import { type Part, Topic, type TopicOptions } from "./topic.ts";
import { TestTimers } from "./_timers.ts";

const EVENT: DesktopEvent = { bus: ":1.1", path: "/a", kind: "object:x", detail1: 0, detail2: 0, text: "" };

interface Stand {
  readonly timers: TestTimers;
  readonly topic: Topic;
  readonly looks: number[];
  reported: number;
  finished: number;
  say(heard?: Heard): void;
}

/** A topic of one part, whose looks are written down and do what the test says. */
async function stand(
  look: (nth: number) => Promise<string>,
  more: Partial<TopicOptions> = {},
  part: Partial<Part> = {},
): Promise<Stand> {
  const timers = new TestTimers();
  const looks: number[] = [];
  let heard: (heard: Heard) => void = () => {};
  const one: Part = {
    debounce: 100,
    concerns: () => true,
    digest() {
      looks.push(timers.now());
      return look(looks.length);
    },
    ...part,
  };
  const topic = new Topic({
    parts: [one],
    timers,
    listen(listener) {
      heard = listener;
      return () => {};
    },
    ...more,
  });
  const made: Stand = {
    timers,
    topic,
    looks,
    reported: 0,
    finished: 0,
    say: (what = [EVENT]) => heard(what),
  };
  await topic.follow({ changed: () => void made.reported++, finished: () => void made.finished++ });
  return made;
}

Deno.test("the first event of many sets the time, and what comes during a look is looked at after it", async () => {
  let open = () => {};
  const at = await stand((nth) =>
    nth === 2 ? new Promise((done) => open = () => done("2")) : Promise.resolve(`${nth}`)
  );
  at.say();
  await at.timers.pass(60);
  at.say();
  await at.timers.pass(50);
  assert.deepEqual(at.looks, [0, 100], "the second event did not put it off");
  at.say();
  open();
  await at.timers.pass(0);
  assert.equal(at.reported, 1);
  await at.timers.pass(150);
  assert.equal(at.looks.length, 3);
  assert.equal(at.reported, 2);
});

Deno.test("a look that fails is made again a second later, and tells what changed meanwhile", async () => {
  const at = await stand((nth) =>
    nth === 2
      ? Promise.reject(new BackstepError("timeout", "Cannot look: too slow"))
      : Promise.resolve(nth < 2 ? "a" : "b")
  );
  at.say();
  await at.timers.pass(900);
  assert.equal(at.looks.length, 2);
  assert.equal(at.reported, 0);
  await at.timers.pass(300);
  assert.equal(at.looks.length, 3);
  assert.equal(at.reported, 1);
});

Deno.test("what is gone is told once and followed no more", async () => {
  const at = await stand((nth) =>
    nth === 1 ? Promise.resolve("a") : Promise.reject(new BackstepError("app_gone", "Cannot look: it left"))
  );
  at.say();
  await at.timers.pass(5_000);
  assert.deepEqual([at.reported, at.finished, at.topic.followers], [1, 1, 0]);
  assert.ok(at.topic.finished);
});

Deno.test("a dear look that finds nothing is made less and less often while the application is noisy", async () => {
  const timers = new TestTimers();
  const slow = () => new Promise<string>((done) => timers.after(50, () => done("same")));
  let heard: (heard: Heard) => void = () => {};
  let looks = 0;
  const topic = new Topic({
    parts: [{ debounce: 0, concerns: () => true, digest: () => (looks++, slow()) }],
    timers,
    poll: "never",
    listen: (listener) => (heard = listener, () => {}),
  });
  const follows = topic.follow({ changed: () => {} });
  await timers.pass(60);
  const stop = await follows;
  for (let k = 0; k < 200; k++) {
    heard([EVENT]);
    await timers.pass(50);
  }
  assert.ok(looks >= 6 && looks <= 16, `${looks} looks of 50 ms in 10 s`);
  stop();
});

Deno.test("parts that change at the same moment are told together where that is wanted", async () => {
  for (const gather of [true, false]) {
    const timers = new TestTimers();
    let heard: (heard: Heard) => void = () => {};
    let reported = 0;
    const part = (takes: number): Part => {
      let nth = 0;
      return {
        debounce: 100,
        concerns: () => true,
        digest: () =>
          nth++ === 0
            ? Promise.resolve("0")
            : new Promise((done) => timers.after(takes, () => done(`${nth}`))),
      };
    };
    const topic = new Topic({
      parts: [part(1), part(20)],
      timers,
      gather,
      listen: (listener) => (heard = listener, () => {}),
    });
    const stop = await topic.follow({ changed: () => void reported++ });
    heard([EVENT]);
    await timers.pass(200);
    assert.equal(reported, gather ? 1 : 2);
    stop();
  }
});

Deno.test("who follows something that cannot be looked at is told why, and nothing is left of it", async () => {
  const timers = new TestTimers();
  let deaf = 0, empty = 0;
  const topic = new Topic({
    parts: [{
      debounce: 0,
      concerns: () => true,
      digest: () => Promise.reject(new BackstepError("app_gone", "Cannot look: it left")),
    }],
    timers,
    listen: () => () => void deaf++,
    onEmpty: () => void empty++,
  });
  await assert.rejects(topic.follow({ changed: () => {} }), { code: "app_gone" });
  assert.deepEqual([deaf, empty, topic.followers], [1, 1, 0]);
});
