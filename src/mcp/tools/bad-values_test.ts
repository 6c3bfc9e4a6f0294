import assert from "node:assert/strict";
import { fixture } from "../session/_host.ts";
import { INVALID_PARAMS, ProtocolError } from "../server/wire.ts";
import { connected, errorOf, type Map } from "./_answers.ts";

const S = { app: "S" };
const NAME = { app: "S", query: 'textfield[name="Name"]' };
/** A PNG of one white pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";

/** What each is answered with: "-32602", or the kind of a tool's error. */
const CASES: readonly (readonly [tool: string, args: Map, answer: string])[] = [
  // Counts, limits, depths.
  ["ax_find", { ...NAME, nth: 0 }, "InvalidValue"],
  ["ax_find", { ...NAME, nth: 1.5 }, "-32602"],
  ["ax_find", { ...NAME, nth: 1e300 }, "-32602"],
  ["ax_get_tree", { ...S, max_depth: -1 }, "-32602"],
  ["ax_get_tree", { ...S, max_depth: 1_000_000 }, "-32602"],
  ["ax_get_tree", { ...S, max_nodes: 0 }, "-32602"],
  ["ax_get_tree", { ...S, max_nodes: 10_000_000 }, "-32602"],
  ["ax_get_tree", { ...S, compact: true, max_nodes: -5 }, "-32602"],
  ["ax_screenshot", { ...S, window_index: -1 }, "-32602"],
  ["ax_screenshot", { ...S, window_index: 99 }, "InvalidValue"],
  ["ax_scroll", { ...S, direction: "down", amount: 0 }, "InvalidValue"],
  ["ax_scroll", { ...S, direction: "down", amount: -10 }, "InvalidValue"],
  ["ax_scroll", { ...S, direction: "down", amount: 1e15 }, "InvalidValue"],
  ["ax_scroll", { ...S, direction: "sideways" }, "-32602"],
  ["ax_undo", { count: 0 }, "InvalidValue"],
  ["ax_undo", { count: -1 }, "InvalidValue"],
  // Times.
  ["ax_wait_idle", { ...S, timeout_ms: -1 }, "-32602"],
  ["ax_wait_idle", { ...S, timeout_ms: 1e12 }, "InvalidValue"],
  ["ax_wait_idle", { ...S, timeout_ms: 0 }, "Timeout"],
  ["ax_wait_idle", { ...S, poll_ms: -1 }, "-32602"],
  ["ax_wait_idle", { ...S, quiet_ms: 0 }, "-32602"],
  ["ax_assert", { ...NAME, assertions: {}, timeout_ms: -1 }, "-32602"],
  ["ax_assert", { ...NAME, assertions: {}, timeout_ms: 1e12 }, "-32602"],
  ["ax_drag", { ...S, from_query: "slider", to_x: 1, to_y: 1, duration_ms: -1 }, "-32602"],
  ["ax_drag", { ...S, from_query: "slider", to_x: 1, to_y: 1, duration_ms: 1e12 }, "InvalidValue"],
  ["ax_run_script", { script: "beep", timeout_ms: 0 }, "-32602"],
  ["ax_run_script", { script: "beep", timeout_ms: 1e12 }, "InvalidValue"],
  ["ax_run_script", { script: "" }, "InvalidValue"],
  // Places.
  ["ax_click_at", { x: -1, y: 4 }, "InvalidValue"],
  ["ax_click_at", { x: 4, y: 1e9 }, "InvalidValue"],
  ["ax_click_at", { x: 4 }, "-32602"],
  ["ax_drag", { ...S, from_query: "slider" }, "InvalidValue"],
  ["ax_screenshot", { ...S, region: { x: 0, y: 0, w: 0, h: 5 } }, "InvalidValue"],
  ["ax_screenshot", { ...S, region: { x: 0, y: 0, w: -1, h: 5 } }, "InvalidValue"],
  ["ax_screenshot", { ...S, region: { x: 0, y: 0, w: 1e9, h: 5 } }, "InvalidValue"],
  ["ax_screenshot", { ...S, region: { x: 0, y: 0 } }, "-32602"],
  ["ax_screenshot", { region: { x: 5_000, y: 5_000, w: 90_000, h: 90_000 } }, "InvalidValue"],
  // Texts.
  ["ax_type", { ...NAME, text: "a\0b" }, "-32602"],
  ["ax_type", { ...NAME, text: "a\ud800b" }, "-32602"],
  ["ax_set_value", { ...NAME, value: "\udc00" }, "-32602"],
  ["ax_find", { app: "S", query: "\0" }, "-32602"],
  ["ax_clipboard", { action: "write", text: "\ud83d" }, "-32602"],
  ["ax_workflow", { steps: [{ tool: "ax_type", args: { ...NAME, text: "\0" } }] }, "-32602"],
  ["ax_key_press", { key: "" }, "InvalidValue"],
  ["ax_key_press", { key: "no such key" }, "InvalidValue"],
  ["ax_key_press", { key: "s", modifiers: ["hyper"] }, "-32602"],
  // Queries.
  ["ax_find", { app: "S", query: "" }, "InvalidValue"],
  ["ax_find", { app: "S", query: "button[" }, "InvalidValue"],
  ["ax_find", { app: "S", query: "(", strategy: "regex" }, "InvalidValue"],
  ["ax_find", { app: "S", query: "x".repeat(5_000) }, "InvalidValue"],
  ["ax_find", { app: "S", query: "Name", strategy: "telepathy" }, "-32602"],
  ["ax_click", { app: "S", query: "el-000000" }, "ElementNotFound"],
  ["ax_assert", { ...NAME, assertions: { role: "AXNonsense" }, timeout_ms: 0 }, "InvalidValue"],
  ["ax_assert", { ...NAME, assertions: { colour: "red" } }, "-32602"],
  ["ax_a11y_audit", { ...S, scope: "element" }, "InvalidValue"],
  ["ax_a11y_audit", { ...S, standards: [] }, "InvalidValue"],
  ["ax_a11y_audit", { ...S, standards: ["wcag_b"] }, "-32602"],
  // Applications.
  ["ax_find", { app: "", query: "Name" }, "AppNotConnected"],
  ["ax_find", { app: "sim.list", query: "Name" }, "AppNotConnected"],
  ["launch_application", { bundleId: "" }, "InvalidValue"],
  ["launch_application", { bundleId: "sim.nowhere" }, "AppNotFound"],
  ["quit_application", { bundleId: "sim.list" }, "AppNotRunning"],
  // Baselines.
  ["ax_visual_diff", { ...S, baseline: "" }, "InvalidValue"],
  ["ax_visual_diff", { ...S, baseline: "bm90IGEgcG5n" }, "InvalidValue"],
  ["ax_visual_diff", { ...S, baseline: "data:image/png;base64,AAAA" }, "InvalidValue"],
  ["ax_visual_diff", { ...S, baseline: PIXEL, timeout_ms: 0 }, "InvalidValue"],
  ["ax_visual_diff", { ...S, baseline: "baseline:nowhere.png" }, "InvalidValue"],
  ["ax_visual_diff", { ...S, baseline: "https://example.org/a.png" }, "InvalidValue"],
  ["ax_visual_diff", { ...S, baseline: "../../etc/passwd" }, "InvalidValue"],
  ["ax_visual_diff", { ...S, baseline: PIXEL, threshold: -1 }, "InvalidValue"],
  ["ax_visual_diff", { ...S, baseline: PIXEL, threshold: 101 }, "InvalidValue"],
  ["ax_visual_diff", { ...S, baseline: PIXEL, ignore_regions: [{ x: 1, y: 1, w: 0, h: 1 }] }, "InvalidValue"],
  // Workflows.
  ["ax_workflow", { steps: [] }, "InvalidValue"],
  ["ax_workflow", { steps: [{ tool: "ax_find", args: NAME, retry: -1 }] }, "InvalidValue"],
  ["ax_workflow", { steps: [{ tool: "ax_find", args: NAME, retry: 1e9 }] }, "InvalidValue"],
  ["ax_workflow", { steps: [{ tool: "ax_find", args: NAME, wait_after_ms: -1 }] }, "InvalidValue"],
  ["ax_workflow", { steps: [{ tool: "ax_workflow", args: { steps: [] } }] }, "InvalidValue"],
  ["ax_workflow", { steps: [{ tool: "rm_rf", args: {} }] }, "InvalidValue"],
  // What is not there.
  ["ax_clipboard", { action: "write" }, "InvalidValue"],
  ["ax_clipboard", { action: "read", text: "x" }, "InvalidValue"],
  ["ax_type", { ...NAME }, "-32602"],
  ["ax_type", { ...NAME, text: "x", speed: 3 }, "-32602"],
];

Deno.test("bad values are answered with -32602 or a named error, and change nothing", async (t) => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const before = JSON.stringify(desk.desktop.world());
    for (const [tool, args, expected] of CASES) {
      await t.step(`${tool} ${JSON.stringify(args).slice(0, 90)}: ${expected}`, async () => {
        let found: string;
        const began = performance.now();
        try {
          const result = await desk.tool(tool, args);
          found = result.isError === true ? String(errorOf(result)["kind"]) : JSON.stringify(result);
        } catch (thrown) {
          assert.ok(thrown instanceof ProtocolError, String(thrown));
          assert.equal(thrown.code, INVALID_PARAMS);
          found = "-32602";
        }
        assert.equal(found, expected);
        assert.ok(performance.now() - began < 8_000);
      });
    }
    assert.equal(JSON.stringify(desk.desktop.world()), before);
  });
});
