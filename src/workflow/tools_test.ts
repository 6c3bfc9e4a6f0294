import { deepStrictEqual, equal, ok } from "node:assert/strict";
import type { Json } from "../base/error.ts";
import { COMPOSING_TOOLS } from "./composing-tools.ts";
import { type Args, LATER_TOOLS, TOOLS } from "./tools.ts";

const CASES: readonly (readonly [tool: string, args: Args, verb: string, input: Json])[] = [
  ["ax_find", { query: "Save" }, "find", { target: "Save", required: true }],
  ["ax_find", { app: "S", query: "Save", strategy: "exact", nth: 2, within: "dialog" }, "find", {
    target: { selector: "Save", app: "S", strategy: "exact", nth: 2, within: "dialog" },
    required: true,
  }],
  ["ax_find_visual", { app: "S", description: "a red dot" }, "find_visual", {
    app: "S",
    description: "a red dot",
  }],
  ["ax_get_tree", { app: "S", max_depth: 3, compact: true }, "read_tree", { app: "S", depth: 3 }],
  ["ax_get_tree", { app: "S", root_query: "window", include_invisible: true }, "read_tree", {
    target: { selector: "window", app: "S" },
    all: true,
  }],
  ["ax_get_attributes", { app: "S", query: "a" }, "attributes", { target: { selector: "a", app: "S" } }],
  ["ax_get_value", { query: "a" }, "value", { target: { selector: "a", nth: 1 } }],
  ["ax_click", { query: "a", click_type: "single", mode: "background" }, "click", { target: "a" }],
  ["ax_click", { query: "a", click_type: "double" }, "click", { target: "a", count: 2 }],
  ["ax_click", { query: "a", click_type: "right" }, "click", { target: "a", button: "right" }],
  ["ax_click_at", { x: 1, y: 2, click_type: "double" }, "click_at", { x: 1, y: 2, count: 2 }],
  ["ax_type", { app: "S", text: "x" }, "type", { app: "S", text: "x", background: true }],
  ["ax_type", { app: "S", query: "a", text: "x", mode: "focus" }, "type", {
    into: { selector: "a", app: "S" },
    text: "x",
    background: false,
  }],
  ["ax_type", { query: "a", text: "x", clear_first: true, mode: "background" }, "type", {
    into: "a",
    text: "x",
    clear: true,
    background: true,
  }],
  ["ax_set_value", { app: "S", query: "a", value: "3" }, "set", {
    target: { selector: "a", app: "S" },
    value: "3",
  }],
  ["ax_scroll", { app: "S", direction: "up", amount: 20 }, "scroll", {
    app: "S",
    direction: "up",
    amount: 20,
  }],
  ["ax_drag", { app: "S", from_query: "a", to_query: "b", duration_ms: 20 }, "drag", {
    from: { selector: "a", app: "S" },
    to: { selector: "b", app: "S" },
    duration: 20,
  }],
  ["ax_drag", { from_x: 1, from_y: 2, to_query: "b" }, "drag", { from: { x: 1, y: 2 }, to: "b" }],
  ["ax_key_press", { key: "s", modifiers: ["cmd", "ctrl"] }, "press", { keys: "ctrl+s" }],
  ["ax_key_press", { app: "S", key: " ", modifiers: ["opt", "shift"] }, "press", {
    keys: "alt+shift+space",
    app: "S",
  }],
  ["ax_screenshot", {}, "screenshot", {}],
  ["ax_screenshot", { app: "S", window_index: 1, region: { x: 1, y: 2, w: 3, h: 4 } }, "screenshot", {
    app: "S",
    window: 1,
    region: { x: 1, y: 2, width: 3, height: 4 },
  }],
  ["ax_screenshot", { app: "S", query: "a", window_index: 0 }, "screenshot", {
    target: { selector: "a", app: "S" },
  }],
  ["ax_list_windows", { app: "S" }, "windows", { app: "S" }],
  ["ax_run_script", { script: "beep", language: "jxa", timeout_ms: 5 }, "run_script", {
    script: "beep",
    language: "jxa",
    timeout_ms: 5,
  }],
  ["ax_wait_idle", { app: "S", timeout_ms: 10, poll_ms: 5 }, "wait_idle", { app: "S", timeout_ms: 10 }],
  ["ax_clipboard", { action: "write", text: "x" }, "clipboard", { action: "write", text: "x" }],
  ["ax_assert", { query: "a", assertions: { exists: true, role: "AXButton" } }, "assert", {
    target: "a",
    exists: true,
    role: "AXButton",
  }],
  ["ax_a11y_audit", { app: "S" }, "audit", { app: "S", must_pass: false }],
  ["ax_a11y_audit", { app: "S", scope: "element", query: "b", standards: ["section508"] }, "audit", {
    scope: "element",
    standards: ["section508"],
    target: { selector: "b", app: "S" },
    must_pass: false,
  }],
  ["ax_visual_diff", { app: "S", baseline: "a.png" }, "visual_diff", { app: "S", baseline: "a.png" }],
  [
    "ax_visual_diff",
    {
      baseline: "a.png",
      threshold: 0.5,
      ignore_regions: [{ x: 1, y: 2, w: 3, h: 4 }],
      ignore_selectors: ["label"],
      perceptual: true,
    },
    "visual_diff",
    {
      baseline: "a.png",
      threshold: 0.5,
      mode: "perceptual",
      ignore: [{ x: 1, y: 2, width: 3, height: 4 }, "label"],
    },
  ],
  ["ax_list_apps", {}, "apps", {}],
  ["launch_application", { bundleId: "x" }, "launch", { app: "x" }],
  ["quit_application", { bundleId: "x" }, "quit", { app: "x" }],
  ["list_applications", {}, "apps", {}],
];

for (const [tool, args, verb, input] of CASES) {
  Deno.test(`${tool} ${JSON.stringify(args)} is ${verb} ${JSON.stringify(input)}`, () => {
    const form = TOOLS[tool];
    ok(form?.args.safeParse(args).success);
    equal(form.verb, verb);
    deepStrictEqual(form.toInput(args), input);
  });
}

Deno.test("called by itself, what is not there or does not hold is an answer", () => {
  const cases: readonly (readonly [string, Args, Json])[] = [
    ["ax_find", { app: "S", query: "Save" }, { target: { selector: "Save", app: "S" } }],
    ["ax_assert", { query: "a", assertions: { exists: true } }, {
      timeout: 1_000,
      target: "a",
      exists: true,
      must_pass: false,
    }],
    ["ax_visual_diff", { app: "S", baseline: "a.png", timeout_ms: 0 }, {
      timeout: 0,
      app: "S",
      baseline: "a.png",
      must_pass: false,
      inline: true,
    }],
  ];
  for (const [tool, args, input] of cases) deepStrictEqual(TOOLS[tool]?.toLook?.(args), input);
});

Deno.test("every tool has a case, and none is both here and later", () => {
  deepStrictEqual([...new Set(CASES.map(([tool]) => tool))].sort(), Object.keys(TOOLS).sort());
  deepStrictEqual(LATER_TOOLS.filter((tool) => tool in TOOLS), []);
});

Deno.test("with what comes later, all 26 tools of the specification are known by name", () => {
  equal(
    [...Object.keys(TOOLS), ...Object.keys(COMPOSING_TOOLS), ...LATER_TOOLS].filter((tool) =>
      tool.startsWith("ax_")
    ).length,
    26,
  );
});
