import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { Deadline } from "../base/call.ts";
import { environmentOf, identify, isAlive, parseStat, signalProcess, whenGone } from "./processes.ts";

Deno.test("a stat line is read past any name", () => {
  const rest = Array.from({ length: 19 }, (_, k) => k + 4).join(" ");
  const stat = parseStat(`42 (a) b (c)) S ${rest} 23`);
  assert.equal(stat?.pid, 42);
  assert.equal(stat?.command, "a) b (c)");
  assert.equal(stat?.state, "S");
  assert.equal(stat?.parent, 4);
  assert.equal(stat?.session, 6);
  assert.equal(stat?.start, 22);
  assert.equal(parseStat("nonsense"), undefined);
});

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
