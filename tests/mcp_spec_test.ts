import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "../src/base/error.ts";
import { answering, PLAIN_CLIENT } from "../src/mcp/session/_host.ts";
import type { McpCall } from "../src/mcp/server/call.ts";
import { callTool } from "../src/mcp/server/dispatch.ts";
import { makeHost } from "../src/mcp/make-host.ts";
import { errorOf } from "../src/mcp/tools/_answers.ts";
import { openSession } from "../src/session/open-session.ts";

const FIXTURE = fileURLToPath(new URL("fixtures/drawn.py", import.meta.url));
const PYTHON = "/usr/bin/python3";
const there = existsSync(PYTHON) && existsSync("/usr/lib/python3/dist-packages/gi") &&
  ["x86_64", "aarch64"].some((machine) =>
    existsSync(`/usr/lib/${machine}-linux-gnu/girepository-1.0/Gtk-3.0.typelib`)
  );

Deno.test({
  name:
    "axterminator spec, sections 4.3, 4.4 and 18.2: a drawn word, the background and pictures on a real desktop" +
    (there ? "" : ": not run, python3-gi or gir1.2-gtk-3.0 is not installed"),
  ignore: !there,
}, async (t) => {
  const state = mkdtempSync(join(tmpdir(), "bs-spec-"));
  const desktop = await openSession({ kind: "isolated", state });
  const host = makeHost({ desktop, state });
  try {
    const start = async (title: string) =>
      (await desktop.launcher.launch(PYTHON, { args: [FIXTURE, state, title], timeout: 60_000 }))
        .processId;
    const client = host.open("real");
    let hit: Json | undefined;
    const hits: (Json | undefined)[] = [];
    const log: McpCall["log"] = (_, logger, data) => {
      if (logger === "axterminator.tools.find") hit = data["cache_hit"];
      if (logger === "axterminator.tools.screenshot") hits.push(data["cache_hit"]);
    };
    const tool = async (name: string, args: { readonly [name: string]: Json }) => {
      const call = { ...answering(client, PLAIN_CLIENT), log };
      const result = await callTool(host, name, args, call);
      return {
        ...result,
        reported: result.structuredContent ?? {},
        error: result.isError ? errorOf(result) : {},
      };
    };
    /** What the applications did, by their own account. */
    const account = () =>
      existsSync(join(state, "account"))
        ? readFileSync(join(state, "account"), "utf8").trim().split("\n")
        : [];
    /** Waits until the application says that it did this. */
    const did = async (action: string) => {
      const shown = {
        app: "A",
        query: `label[name="did ${action}"]`,
        assertions: { exists: true },
        timeout_ms: 10_000,
      };
      assert.equal((await tool("ax_assert", shown)).reported["passed"], true, action);
    };
    const inFront = async () => (await desktop.desktop.windows()).find(({ active }) => active)?.pid;
    const behind = await start("Behind");
    const connected = await tool("ax_connect", { app: String(behind), alias: "A" });
    assert.equal(connected.reported["connected"], true, JSON.stringify(connected));

    await t.step(
      "ax_find finds a word that only the picture has, and the place is where a click hits it",
      async () => {
        const found = await tool("ax_find", { app: "A", query: "IGNITE" });
        const { method, strategy, center } = found.reported;
        assert.deepEqual([method, strategy], ["visual", "ocr"], JSON.stringify(found.reported));
        assert.ok(found.content.some(({ type }) => type === "image"));
        const [x = 0, y = 0] = Array.isArray(center) ? center : [];
        await tool("ax_click_at", { x, y });
        await did("fired");
        assert.deepEqual(account(), ["Behind fired"]);
        const tree = await tool("ax_find", { app: "A", query: "Plain" });
        assert.deepEqual([tree.reported["method"], tree.reported["role"]], ["accessibility", "AXButton"]);
        // Section 8.2: the second time the element is found in what is kept of the application.
        await tool("ax_find", { app: "A", query: "Plain" });
        assert.equal(hit, true);
        const only = await tool("ax_find", { app: "A", query: "IGNITE", strategy: "contains" });
        assert.deepEqual([only.reported["found"], only.reported["method"]], [false, undefined]);
      },
    );

    await t.step(
      "simultaneous screenshots are one: an animated window is the same in all of them",
      async () => {
        const shots = await Promise.all(Array.from({ length: 4 }, () => tool("ax_screenshot", { app: "A" })));
        const data = shots.map(({ content }) => content.find(({ type }) => type === "image"));
        assert.equal(new Set(data.map((one) => JSON.stringify(one))).size, 1);
        assert.deepEqual(hits.sort(), [false, true, true, true]);
        const { reported } = await tool("ax_wait_idle", { app: "A", quiet_ms: 150 });
        assert.equal(reported["idle"], true);
        const later = await tool("ax_screenshot", { app: "A" });
        assert.notDeepEqual(later.content.find(({ type }) => type === "image"), data[0], "it does change");
      },
    );

    await t.step(
      "ax_click works in the background, or says that it needs mode: focus, and takes nothing",
      async () => {
        const front = await start("Front");
        assert.equal(await inFront(), front);
        const before = account();
        const done = await tool("ax_click", { app: "A", query: "Plain" });
        assert.match(String(done.reported["method"]), /^Action\.DoAction/, JSON.stringify(done));
        assert.deepEqual(account(), [...before, "Behind plain"]);
        for (const args of [{ query: "Plain", click_type: "double" }, { query: "Reason" }]) {
          const { error } = await tool("ax_click", { app: "A", ...args });
          assert.deepEqual(
            [error["kind"], error["code"]],
            ["Unsupported", "needs_focus"],
            JSON.stringify(args),
          );
          assert.match(String(error["suggestion"]), /mode: "focus"/);
        }
        assert.deepEqual(account(), [...before, "Behind plain"]);
        assert.equal(await inFront(), front, "nothing came to the front");
        const focused = await tool("ax_click", { app: "A", query: "Reason", mode: "focus" });
        assert.equal(focused.isError, undefined, JSON.stringify(focused));
        assert.equal(await inFront(), behind);
      },
    );

    await t.step(
      "axterminator spec, section 4.8: ax_undo answers for what a click was seen to open",
      async () => {
        const menus = async () =>
          (await tool("ax_find", { app: "A", query: "menu:visible" })).reported["found"];
        const opened = await tool("ax_click", {
          app: "A",
          query: "Reason",
          click_type: "right",
          mode: "focus",
        });
        assert.equal(opened.reported["effect"], "observed", JSON.stringify(opened));
        assert.equal(await menus(), true);
        const closed = await tool("ax_undo", {});
        assert.deepEqual([closed.isError, closed.reported], [undefined, {
          undone: 1,
          skipped: 0,
          actions: [{ tool: "ax_click", status: "undone" }],
        }]);
        assert.equal(await menus(), false);
        await tool("ax_click", { app: "A", query: "Reason", click_type: "right", mode: "focus" });
        // It is closed already: the click is as good as undone, and the key cannot be.
        await tool("ax_key_press", { app: "A", key: "Escape" });
        const skipped = await tool("ax_undo", { count: 2 });
        assert.deepEqual([skipped.isError, skipped.reported], [undefined, {
          undone: 1,
          skipped: 1,
          actions: [{ tool: "ax_key_press", status: "skipped_irreversible" }, {
            tool: "ax_click",
            status: "undone",
          }],
        }]);
      },
    );
  } finally {
    await host.close();
    await desktop.close();
    rmSync(state, { recursive: true });
  }
});
