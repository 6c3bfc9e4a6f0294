import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "../src/base/error.ts";
import { isMap } from "../src/base/json.ts";
import { answering, PLAIN_CLIENT } from "../src/mcp/session/_host.ts";
import { callTool } from "../src/mcp/server/dispatch.ts";
import { makeHost } from "../src/mcp/make-host.ts";
import { openSession } from "../src/session/open-session.ts";

const FORM = fileURLToPath(new URL("./fixtures/histories/gtk3.py", import.meta.url));
const PYTHON = "/usr/bin/python3";
const GTK = "/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-3.0.typelib";
const absent = [PYTHON, GTK, "/usr/lib/python3/dist-packages/gi"].find((file) => !existsSync(file));

type Map = { readonly [key: string]: Json };

/** What the form itself wrote down of its changes: of each, what became of which key. */
function account(folder: string): { readonly key: string; readonly after: Json }[] {
  return readFileSync(join(folder, "account.jsonl"), "utf8").split("\n").filter(Boolean).flatMap((line) => {
    const reported: Json = JSON.parse(line);
    if (!isMap(reported)) return [];
    const { key, after } = reported;
    return typeof key === "string" && after !== undefined ? [{ key, after }] : [];
  });
}

Deno.test({
  name:
    "ax_workflow on a GTK 3 form: a third step that fails undoes the two before it, as the form itself tells; " +
    "ax_undo reaches across calls",
  // Its bindings are in python3-gi and gir1.2-gtk-3.0.
  ignore: absent !== undefined,
  async fn() {
    const folder = mkdtempSync(join(tmpdir(), "bs-mcp-"));
    const session = await openSession({ kind: "isolated", state: folder });
    const host = makeHost({ desktop: session, state: folder });
    try {
      const { processId } = await session.launcher.launch(PYTHON, { args: ["-B", FORM, folder] });
      const client = host.open("gtk");
      const tool = async (name: string, args: Map) => {
        const result = await callTool(host, name, args, answering(client, PLAIN_CLIENT));
        return { ...result, reported: result.structuredContent ?? {} };
      };
      const connected = await tool("ax_connect", { app: String(processId), alias: "form" });
      assert.deepEqual([
        connected.reported["connected"],
        connected.reported["pid"],
        connected.reported["windows"],
      ], [
        true,
        processId,
        1,
      ]);
      const value = async (query: string) =>
        (await tool("ax_get_value", { app: "form", query })).reported["value"];
      const set = (query: string, value: string, more: Map = {}) => ({
        tool: "ax_set_value",
        args: { app: "form", query, value },
        ...more,
      });
      const [alpha, copies, beta] = ['[name="Alpha"]', '[name="Copies"]', '[name="Beta"]'];
      const before = [await value(alpha), await value(copies)];

      const result = await tool("ax_workflow", {
        name: "fails in its third step",
        steps: [
          set(alpha, "changed"),
          set(copies, "7"),
          // Fails at once: what it takes is a number.
          set(copies, "many", { on_fail: "rollback" }),
          set(beta, "never"),
        ],
      });
      assert.equal(result.isError, true);
      const { success, steps_completed, rolled_back, verdict } = result.reported;
      assert.deepEqual(
        [success, steps_completed, rolled_back, verdict],
        [false, 2, true, "restored"],
        JSON.stringify(result),
      );
      assert.deepEqual([await value(alpha), await value(copies)], before);
      const changes = account(folder);
      for (const [key, there, back] of [["alpha", "changed", "a0"], ["copies", 7, 3]]) {
        const own = changes.filter((change) => change.key === key).map(({ after }) => after);
        assert.ok(own.includes(there ?? null), `${key} was never changed: ${JSON.stringify(own)}`);
        assert.equal(own.at(-1), back, `${key} is not as before: ${JSON.stringify(own)}`);
      }
      assert.ok(!changes.some(({ key }) => key === "beta"), "the fourth step was reached");

      for (const { args } of [set(alpha, "one"), set(alpha, "two")]) await tool("ax_set_value", args);
      assert.equal(await value(alpha), "two");
      assert.deepEqual((await tool("ax_undo", { count: 2 })).reported["undone"], 2);
      assert.equal(await value(alpha), before[0]);
    } finally {
      await host.close();
      await session.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});
