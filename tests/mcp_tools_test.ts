import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "../src/base/error.ts";
import { answering, PLAIN_CLIENT } from "../src/mcp/session/_host.ts";
import { callTool, type ToolResult } from "../src/mcp/server/dispatch.ts";
import { makeHost } from "../src/mcp/make-host.ts";
import { errorOf } from "../src/mcp/tools/_answers.ts";
import { openSession } from "../src/session/open-session.ts";
import { KITS } from "./_held.ts";

type Map = { readonly [key: string]: Json };
type Call = (
  name: string,
  args: Map,
) => Promise<ToolResult & { readonly reported: Map; readonly kind: Json }>;

/** One client on a private desktop of its own, connected to one program as "A". */
async function driving(
  program: string,
  args: readonly string[],
  use: (tool: Call) => Promise<void>,
): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "bs-mcp-"));
  const desktop = await openSession({ kind: "isolated", state });
  const host = makeHost({ desktop, state });
  try {
    const { processId } = await desktop.launcher.launch(program, { args, timeout: 60_000 });
    const client = host.open("real");
    const tool: Call = async (name, given) => {
      const result = await callTool(host, name, given, answering(client, PLAIN_CLIENT));
      const kind = result.isError === true ? errorOf(result)["kind"] ?? "" : "";
      return { ...result, reported: result.structuredContent ?? {}, kind };
    };
    const connected = await tool("ax_connect", { app: String(processId), alias: "A" });
    assert.equal(connected.reported["connected"], true, JSON.stringify(connected));
    await use(tool);
  } finally {
    await host.close();
    await desktop.close();
    rmSync(state, { recursive: true });
  }
}

const DEMO = "/usr/bin/gtk4-demo", FACTORY = "/usr/bin/gtk3-widget-factory";

Deno.test({
  name: "an element_ref lives across calls, and is refused once its row of a GTK 4 list shows another " +
    `item${existsSync(DEMO) ? "" : ": not run, gtk-4-examples is not installed"}`,
  ignore: !existsSync(DEMO),
}, async () => {
  await driving("gtk4-demo", ["--run=listview_ucd"], async (tool) => {
    const rowAt = (nth: number) => tool("ax_find", { app: "A", query: "row", nth });
    // The list fills while its window is there already.
    await tool("ax_wait_idle", { app: "A", timeout_ms: 10_000 });
    const window = await tool("ax_find", { app: "A", query: "window" });
    const windowRef = String(window.reported["element_ref"]);
    const first = await rowAt(5);
    assert.equal(first.reported["found"], true, JSON.stringify(first));
    const ref = String(first.reported["element_ref"]);
    assert.equal((await rowAt(5)).reported["element_ref"], ref);
    assert.equal((await tool("ax_get_attributes", { app: "A", query: ref })).kind, "");

    // GTK sometimes takes the value of a scroll bar without scrolling: it is scrolled until the row shows another item.
    let refused: Json = "";
    for (let round = 1; round <= 10 && refused === ""; round++) {
      const scrolled = await tool("ax_scroll", { app: "A", query: ref, direction: "down", amount: 9_000 });
      assert.ok(scrolled.kind === "" || scrolled.kind === "ElementStale", JSON.stringify(scrolled.content));
      await tool("ax_wait_idle", { app: "A", timeout_ms: 10_000 });
      refused = (await tool("ax_get_attributes", { app: "A", query: ref })).kind;
    }
    assert.equal(refused, "ElementStale");
    assert.equal((await tool("ax_click", { app: "A", query: ref })).kind, "ElementStale");
    assert.equal((await tool("ax_find", { app: "A", query: windowRef })).reported["element_ref"], windowRef);
  });
});

Deno.test({
  name: "the tools see and drive a GTK 3 application, and ax_undo undoes what they did" +
    (existsSync(FACTORY) ? "" : ": not run, gtk-3-examples is not installed"),
  ignore: !existsSync(FACTORY),
}, async () => {
  await driving("gtk3-widget-factory", [], async (tool) => {
    const { windows } = (await tool("ax_list_windows", { app: "A" })).reported;
    assert.ok(Array.isArray(windows) && windows.length === 1, JSON.stringify(windows));
    const { apps } = (await tool("ax_list_apps", {})).reported;
    assert.ok(JSON.stringify(apps).includes('"connected":true'), JSON.stringify(apps));

    // What is kept of the application and what it says itself are the same.
    const kept = await tool("ax_find", { app: "A", query: "Minimize" });
    const read = await tool("ax_find", { app: "A", query: "Minimize", nth: 1 });
    assert.deepEqual(kept.reported, { ...read.reported, strategy: kept.reported["strategy"] });

    const slider = { app: "A", query: "slider", nth: 1 };
    const before = (await tool("ax_get_value", slider)).reported["value"];
    const set = await tool("ax_set_value", { ...slider, value: "20" });
    assert.deepEqual(
      [set.reported["verdict"], set.reported["effect"]],
      ["verified", "restorable"],
      JSON.stringify(set),
    );
    assert.equal((await tool("ax_get_value", slider)).reported["value"], "20");
    const held = await tool("ax_assert", { ...slider, assertions: { value: "20", enabled: true } });
    assert.equal(held.reported["passed"], true, JSON.stringify(held.reported));
    const not = await tool("ax_assert", { ...slider, assertions: { value: "21" }, timeout_ms: 0 });
    assert.deepEqual([not.isError, not.reported["passed"]], [undefined, false]);
    assert.equal((await tool("ax_undo", {})).reported["undone"], 1);
    assert.equal((await tool("ax_get_value", slider)).reported["value"], before);

    const tree = await tool("ax_get_tree", { app: "A", max_depth: 30 });
    const outline = await tool("ax_get_tree", { app: "A", max_depth: 30, compact: true });
    const [whole, brief] = [tree, outline].map(({ content }) => JSON.stringify(content).length);
    assert.ok((brief ?? 0) > 500 && (brief ?? 0) < (whole ?? 0) / 4, `${brief} of ${whole}`);

    const part = await tool("ax_screenshot", { app: "A", query: "Minimize" });
    assert.ok(part.content.some(({ type }) => type === "image"), JSON.stringify(part.kind));
    const picture = (await tool("ax_screenshot", { app: "A" })).content.find(({ type }) => type === "image");
    assert.ok(picture?.type === "image" && picture.data.length < 5_000_000);
    const same = await tool("ax_visual_diff", { app: "A", baseline: picture.data, threshold: 20 });
    assert.equal(same.reported["passed"], true, JSON.stringify(same.reported));

    const audit = await tool("ax_a11y_audit", { app: "A" });
    assert.ok(audit.isError === undefined && typeof audit.reported["score"] === "number");
    assert.equal((await tool("ax_click_at", { x: 32_000, y: 32_000 })).kind, "InvalidValue");
    assert.equal((await tool("ax_key_press", { app: "A", key: "Escape" })).isError, undefined);
    assert.equal((await tool("ax_run_script", { script: "beep" })).kind, "ScriptUnavailable");
    const bundle = { bundleId: "gtk3-widget-factory" };
    assert.equal((await tool("quit_application", bundle)).isError, undefined);
    assert.equal((await tool("quit_application", bundle)).kind, "AppNotRunning");
    assert.equal((await tool("ax_find", { app: "A", query: "Minimize" })).isError, true);
  });
});

Deno.test({
  name: "ax_undo of two undoes a field together with the check box that it came with",
  ignore: KITS["GTK 3"].ignore,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bs-made-"));
  const log = join(folder, "account");
  const form = fileURLToPath(new URL("fixtures/made/gtk.py", import.meta.url));
  const held = () => readFileSync(log, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  try {
    await driving("/usr/bin/python3", [form, "3", log], async (tool) => {
      await tool("ax_set_value", { app: "A", query: "By post", value: "true" });
      const written = await tool("ax_set_value", { app: "A", query: "Street", value: "Hill" });
      assert.equal(written.kind, "", JSON.stringify(written.content));
      assert.deepEqual(held().at(-1), { "By post": true, Name: "", Street: "Hill" });
      const undone = await tool("ax_undo", { count: 2 });
      assert.deepEqual([undone.kind, undone.reported["undone"]], ["", 2], JSON.stringify(undone.content));
      assert.deepEqual(held().at(-1), held()[0]);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
