import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { Deadline } from "../base/call.ts";
import { environmentOf, identify, isAlive, signalProcess, whenGone } from "./processes.ts";

Deno.test("only the very process is signalled, not one that has its pid by now", async () => {
  const child = spawn("sleep", ["60"], { env: { PATH: "/usr/bin:/bin", BACKSTEP_DESKTOP: "test1" } });
  const finished = new Promise((resolve) => child.once("exit", resolve));
  const identity = identify(child.pid ?? 0);
  assert.ok(identity);
  assert.equal(signalProcess({ ...identity, start: identity.start - 1 }, "SIGKILL"), false);
  assert.equal(isAlive(identity), true);
  assert.equal(await whenGone([identity], Deadline.after(20)), false);
  assert.equal(environmentOf(identity.pid, "BACKSTEP_DESKTOP"), "test1");
  assert.equal(environmentOf(identity.pid, "BACKSTEP"), undefined);
  assert.equal(signalProcess(identity, "SIGTERM"), true);
  assert.equal(await whenGone([identity], Deadline.after(5_000)), true);
  assert.equal(signalProcess(identity, "SIGTERM"), false);
  await finished;
});
