import assert from "node:assert/strict";
import process from "node:process";
import { createInterface } from "node:readline";
import { isMap } from "../src/base/json.ts";
import type { Json } from "../src/base/error.ts";
import { type Place, withPlace } from "./cli/program.ts";
import { oneJson } from "./cli/shapes.ts";
import { INITIALIZE } from "./mcp/_stdio.ts";

const TEXT = "textfield:visible:enabled:nth(2)";
const NUMBER = "spinbutton:enabled";
const APP = "gtk3-widget-factory";

function field(json: unknown, key: string): string {
  assert.ok(typeof json === "object" && json !== null);
  return String(Object.entries(json).find(([name]) => name === key)?.[1]);
}

async function json(place: Place, words: readonly string[]): Promise<unknown> {
  const finished = await place.run([...words, "--format", "json"]);
  assert.equal(finished.code, 0, `${words.join(" ")}: ${finished.out}${finished.err}`);
  return oneJson(finished.out);
}

/** A server, spoken to line by line, until a message with this text comes; then it is killed with SIGKILL. */
async function killedWhenSaid(
  place: Place,
  options: readonly string[],
  requests: readonly { readonly method: string; readonly params: Json }[],
  said: RegExp,
): Promise<void> {
  const server = place.start(["mcp", "serve", "--stdio", ...options], { typing: true });
  const { stdin, stdout } = server.child;
  assert.ok(stdin && stdout);
  const send = (message: { readonly [key: string]: Json }) =>
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: 0, method: "initialize", params: INITIALIZE });
  let next = 0;
  for await (const line of createInterface({ input: stdout })) {
    if (said.test(line)) {
      // Deno's `child.kill` closes its input first, at which a server ends its run by itself.
      process.kill(server.pid, "SIGKILL");
      break;
    }
    const message: Json = JSON.parse(line);
    if (!isMap(message) || message["id"] !== next) continue;
    const { result } = message;
    assert.ok(isMap(result) && result["isError"] !== true, line);
    if (next === 0) send({ method: "notifications/initialized" });
    const request = requests[next];
    assert.ok(request, `nobody said ${said}`);
    send({ id: ++next, ...request });
  }
  assert.equal((await server.finished).code, null);
}

const call = (name: string, args: Json, more: { readonly [key: string]: Json } = {}) => ({
  method: "tools/call",
  params: { name, arguments: args, ...more },
});

Deno.test("a server that is killed in the middle of ax_workflow: recover undoes its steps, and what had been answered stays", () =>
  withPlace(async (place) => {
    const id = field(await json(place, ["session", "start"]), "id");
    try {
      await json(place, ["launch", APP, "--session", id]);
      const shown = async (selector: string) =>
        field(await json(place, ["value", selector, "--app", APP, "--session", id]), "value");
      const number = await shown(NUMBER);
      const set = (query: string, value: string) => ({ app: APP, query, value });
      const steps = [
        { tool: "ax_set_value", args: set(NUMBER, "75") },
        { tool: "ax_set_value", args: set(TEXT, "of the workflow"), wait_after_ms: 60_000 },
        { tool: "ax_set_value", args: set(TEXT, "never") },
      ];
      // The second step is told when it begins: whether it is over, or cut off, when the server dies makes no difference.
      await killedWhenSaid(place, ["--session", id], [
        call("ax_connect", { app: APP }),
        call("ax_set_value", set(TEXT, "answered")),
        call("ax_workflow", { name: "cut off", steps }, { _meta: { progressToken: "p" } }),
      ], /Step 2\/3/);
      const found = JSON.stringify(await json(place, ["recover"]));
      assert.match(found, /"workflow":"MCP session [^"]*"/);
      assert.match(found, /"verdict":"restored"/);
      assert.deepEqual([await shown(TEXT), await shown(NUMBER)], ["answered", number]);
    } finally {
      await place.run(["session", "stop", id, "--force"]);
    }
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("the private desktop of a server that is killed is left to recover: neither check nor another one ends it", () =>
  withPlace(async (place) => {
    const set = (value: string) => ({ app: APP, query: NUMBER, value });
    const steps = [
      { tool: "ax_set_value", args: set("75"), wait_after_ms: 60_000 },
      { tool: "ax_set_value", args: set("never") },
    ];
    await killedWhenSaid(place, ["--session", "isolated", "--app", APP], [
      call("ax_connect", { app: APP }),
      call("ax_workflow", { name: "cut off", steps }, { _meta: { progressToken: "p" } }),
    ], /Step 1\/2/);
    const status = async () => JSON.stringify(await json(place, ["session", "list"]));
    assert.match(await status(), /"status":"in doubt"/);
    const checked = JSON.stringify(await json(place, ["check", "--quick"]));
    assert.match(checked, /"reaped":\[\]/);
    await json(place, ["tree", "--session", "isolated", "--app", "gnome-calculator"]);
    assert.match(await status(), /"status":"in doubt"/);
    assert.match(JSON.stringify(await json(place, ["recover"])), /"verdict":"restored"/);
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("the private desktop of a server that had answered all is ended with the start of the next one, which says so", () =>
  withPlace(async (place) => {
    const set = { app: APP, query: NUMBER, value: "75" };
    await killedWhenSaid(place, ["--session", "isolated", "--app", APP], [
      call("ax_connect", { app: APP }),
      call("ax_set_value", set),
    ], /"id":2\b/);
    assert.match(JSON.stringify(await json(place, ["session", "list"])), /"status":"abandoned"/);
    const next = await place.run(["tree", "--session", "isolated", "--app", "gnome-calculator"]);
    assert.match(next.err, /^Ended private desktop \w+: process \d+, which had started it, is gone\n/);
    assert.match(next.out, /Calculator/);
    assert.match(
      JSON.stringify(await json(place, ["recover"])),
      /"verdict":"restored","exit":0,"reason":"nothing was left to undo\. /,
    );
    assert.deepEqual(place.traces(), []);
  }));
