import assert from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { absentSession } from "./absent.ts";

Deno.test("everything that is asked of a desktop that is not there rejects with why it is not", async () => {
  const reason = new BackstepError("no_desktop", "Cannot attach: DISPLAY not set");
  const { desktop, launcher, close } = absentSession(reason);
  for (
    const call of [
      desktop.applications(),
      desktop.windows(),
      desktop.typeText("x"),
      launcher.list(),
      launcher.launch("x"),
    ]
  ) {
    await assert.rejects(call, (error) => error === reason);
  }
  assert.ok(Object.values(desktop.capabilities).every((able) => !able));
  await close();
});

Deno.test("a watch of it hears nothing until its time is over, it is closed or the caller gives up", async () => {
  const { desktop } = absentSession(new BackstepError("no_desktop", "none"));
  const watch = desktop.watch();
  assert.equal(await watch.next({ timeout: 1 }), "timeout");
  const waiting = watch.next({ timeout: 60_000 });
  watch.close();
  assert.equal(await waiting, "timeout");
  assert.deepEqual(watch.take(), []);
  const stop = new AbortController();
  const given = desktop.watch().next({ timeout: 60_000, signal: stop.signal });
  stop.abort();
  await assert.rejects(given, (error) => error instanceof BackstepError && error.code === "cancelled");
});
