import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { listRuns } from "../engine/runs.ts";
import { at } from "../engine/_bench.ts";
import { bench } from "./_bench.ts";

const APP = "sim.settings";
const NAME = 'textfield[name="Name"]';
Deno.test("a client connects by name, acts, and undoes across calls", async () => {
  await bench({}, async ({ session, call, tool, desktop, state }) => {
    const found = await tool("ax_connect", { app: "settings", alias: "form" });
    assert.deepEqual(found.structuredContent?.["connected"], true, JSON.stringify(found));
    assert.equal(existsSync(join(state, "runs")), false, "who only looks writes nothing");
    for (const value of ["Grace", "Hopper"]) {
      await session.act("ax_set_value", { app: "form", query: NAME, value }, call());
    }
    assert.equal(at(desktop.world(), APP, "name", "text"), "Hopper");
    const one = await tool("ax_undo", {});
    assert.equal(one.structuredContent?.["undone"], 1, JSON.stringify(one));
    assert.equal(at(desktop.world(), APP, "name", "text"), "Grace");
    const all = await tool("ax_undo", { count: 1_000_000 });
    assert.deepEqual(all.structuredContent, {
      undone: 1,
      skipped: 0,
      actions: [{ tool: "ax_set_value", status: "undone" }],
    });
    assert.equal(at(desktop.world(), APP, "name", "text"), "Ada");
    await session.close();
    const [run] = listRuns(state);
    assert.deepEqual([run?.workflow, run?.status], ["MCP session test", "passed"]);
  });
});
