import { deepEqual, equal, ok } from "node:assert/strict";
import { SessionLimiter, SharedLimiter, Window } from "./limits.ts";

const LIMITS = { rps: 3, rpm: 5, concurrency: 2 };

/** Numbers from 0 to 1 that are the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

Deno.test("no stretch of time ever holds more calls than its limit, and what a refusal says is when it lets pass", () => {
  const random = seeded(7);
  let refusals = 0;
  for (let round = 0; round < 200; round++) {
    let now = random() * 1_000;
    const limits = {
      rps: 1 + Math.floor(random() * 8),
      rpm: 1 + Math.floor(random() * 40),
      concurrency: 1_000,
    };
    const limiter = new SessionLimiter(() => now);
    const passed: number[] = [];
    for (let call = 0; call < 100; call++) {
      now += random() < 0.7 ? random() * 90 : random() * 8_000;
      const refusal = limiter.begin(limits);
      if (refusal) {
        refusals++;
        ok(Number.isInteger(refusal.retryAfterMs) && refusal.retryAfterMs > 0);
        const before = now;
        now = before + refusal.retryAfterMs - 1.000001;
        if (now > before) ok(limiter.begin(limits), "a moment sooner it was still refused");
        now = before + refusal.retryAfterMs;
        equal(limiter.begin(limits), undefined, "when it said, it passed");
      }
      passed.push(now);
      limiter.end();
    }
    for (const [span, most] of [[1_000, limits.rps], [60_000, limits.rpm]] as const) {
      for (const at of passed) {
        const within = passed.filter((other) => other > at - span && other <= at).length;
        ok(within <= most, `${within} calls in ${span} ms, ${most} allowed`);
      }
    }
  }
  ok(refusals > 1_000, "the histories reached the limits");
});

Deno.test("calls at once are counted until they end, and what was refused counts nowhere", () => {
  const limiter = new SessionLimiter(() => 0);
  equal(limiter.begin(LIMITS), undefined);
  equal(limiter.begin(LIMITS), undefined);
  for (let n = 0; n < 10; n++) {
    deepEqual(limiter.begin(LIMITS), { limit: "concurrency", most: 2, retryAfterMs: 100 });
  }
  limiter.end();
  equal(limiter.begin(LIMITS), undefined);
  limiter.end();
  deepEqual(limiter.begin(LIMITS), { limit: "second", most: 3, retryAfterMs: 1_000 });
});

Deno.test("what is blocked counts as one more call", () => {
  const limiter = new SessionLimiter(() => 0);
  for (let n = 0; n < 3; n++) limiter.penalise();
  equal(limiter.begin(LIMITS)?.limit, "second");
});

Deno.test("a limit that is lowered while calls are in the window holds at once", () => {
  let now = 0;
  const window = new Window(1_000, () => now);
  for (let n = 0; n < 5; n++) {
    now = n * 100;
    window.count();
  }
  equal(window.wait(6), 0);
  equal(window.wait(5), 600);
  equal(window.wait(2), 900);
});

Deno.test("many calls leave nothing behind", () => {
  let now = 0;
  const window = new Window(1_000, () => now);
  for (let n = 0; n < 100_000; n++) {
    now += 10;
    equal(window.wait(1_000), 0);
    window.count();
  }
  equal(window.wait(100), 10);
});

Deno.test("scripts and questions to a vision model have limits that all sessions share", () => {
  let now = 0;
  const scripts = new SharedLimiter("script", () => now);
  equal(scripts.take(2), undefined);
  now = 10_000;
  equal(scripts.take(2), undefined);
  deepEqual(scripts.take(2), { limit: "script", most: 2, retryAfterMs: 50_000 });
  now = 60_000;
  equal(scripts.take(2), undefined);
});
