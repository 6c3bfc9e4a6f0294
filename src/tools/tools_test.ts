import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { catalogue } from "../catalogue.ts";
import type { Json } from "../base/error.ts";
import { toolNamed, TOOLS } from "./all.ts";
import { argumentsOf } from "./arguments.ts";
import type { OperationView, ToolArguments } from "./tool.ts";

/** How a tool is a view of an operation. */
function viewOf(name: string): OperationView {
  const view = toolNamed(name)?.step;
  ok(view?.kind === "operation", name);
  return view;
}

const CASES: readonly (readonly [tool: string, args: ToolArguments, operation: string, input: Json])[] = [
  ["wm_focus_window", { window_id: 7 }, "window", { do: "activate", id: 7 }],
  ["wm_move_window", { window_id: 7, x: -5, height: 300 }, "window", {
    do: "place",
    id: 7,
    x: -5,
    height: 300,
  }],
  ["wm_close_window", { window_id: 7 }, "window", { do: "close", id: 7 }],
  ["wm_switch_workspace", { workspace_id: 3 }, "workspace", { id: 3 }],
  ["wm_switch_workspace", { workspace: "mail", create: true }, "workspace", { name: "mail", create: true }],
  ["wm_move_window_to_workspace", { window_id: 7, workspace_id: 3 }, "window", {
    do: "move-to-workspace",
    id: 7,
    workspace_id: 3,
  }],
  ["ax_find", { query: "Save" }, "find", { target: "Save", required: true }],
  ["ax_find", { app: "S", query: "Save", strategy: "exact", nth: 2, within: "dialog" }, "find", {
    target: { selector: "Save", app: "S", strategy: "exact", nth: 2, within: "dialog" },
    required: true,
  }],
  ["ax_find_visual", { app: "S", description: "a red dot" }, "find-visual", {
    app: "S",
    description: "a red dot",
  }],
  ["ax_get_tree", { app: "S", max_depth: 3, compact: true }, "tree", { app: "S", depth: 3 }],
  ["ax_get_tree", { app: "S", root_query: "window", include_invisible: true }, "tree", {
    target: { selector: "window", app: "S" },
    all: true,
  }],
  ["ax_get_attributes", { app: "S", query: "a" }, "attributes", { target: { selector: "a", app: "S" } }],
  ["ax_get_value", { query: "a" }, "value", { target: { selector: "a", nth: 1 } }],
  ["ax_click", { query: "a", click_type: "single", mode: "background" }, "click", {
    target: "a",
    background: true,
  }],
  ["ax_click", { query: "a", click_type: "double" }, "click", { target: "a", count: 2, background: true }],
  ["ax_click", { query: "a", click_type: "right", mode: "focus" }, "click", { target: "a", button: "right" }],
  ["ax_click_at", { x: 1, y: 2, click_type: "double" }, "click-at", { x: 1, y: 2, count: 2 }],
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
  ["ax_list_windows", { app: "S" }, "list-windows", { app: "S" }],
  ["ax_run_script", { script: "beep", language: "jxa", timeout_ms: 5 }, "run-script", {
    script: "beep",
    language: "jxa",
    timeout_ms: 5,
  }],
  ["ax_wait_idle", { app: "S", timeout_ms: 10, poll_ms: 5 }, "wait-idle", { app: "S", timeout_ms: 10 }],
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
  ["ax_visual_diff", { app: "S", baseline: "a.png" }, "visual-diff", { app: "S", baseline: "a.png" }],
  [
    "ax_visual_diff",
    {
      baseline: "a.png",
      threshold: 0.5,
      ignore_regions: [{ x: 1, y: 2, w: 3, h: 4 }],
      ignore_selectors: ["label"],
      perceptual: true,
    },
    "visual-diff",
    {
      baseline: "a.png",
      threshold: 0.5,
      mode: "perceptual",
      ignore: [{ x: 1, y: 2, width: 3, height: 4 }, "label"],
    },
  ],
  ["ax_list_apps", {}, "list-applications", {}],
  ["launch_application", { bundleId: "x" }, "launch", { app: "x" }],
  ["quit_application", { bundleId: "x" }, "quit", { app: "x" }],
  ["list_applications", {}, "list-applications", {}],
];

for (const [tool, args, operation, input] of CASES) {
  Deno.test(`${tool} ${JSON.stringify(args)} is ${operation} ${JSON.stringify(input)}`, () => {
    const view = toolNamed(tool);
    ok(view && argumentsOf(view).safeParse(args).success);
    equal(viewOf(tool).operation, operation);
    deepStrictEqual(viewOf(tool).toInput(args), input);
  });
}

Deno.test("called by itself, what is not there or does not hold is an answer", () => {
  const cases: readonly (readonly [string, ToolArguments, Json])[] = [
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
  for (const [tool, args, input] of cases) deepStrictEqual(viewOf(tool).toLook?.(args), input);
});

Deno.test("every view of an operation has a case, and its operation is in the catalogue", () => {
  const views = TOOLS.filter(({ step }) => step?.kind === "operation").map(({ name }) => name);
  deepStrictEqual([...new Set(CASES.map(([tool]) => tool))].sort(), views.sort());
  for (const name of views) ok(catalogue.some((one) => one.name === viewOf(name).operation), name);
});

Deno.test("what a tool amends, and what must be written out, are arguments that it has", () => {
  for (const { name, step, definition } of TOOLS) {
    const literal = step?.kind === "operation" ? step.literal ?? [] : [];
    const { properties = {} } = definition.inputSchema;
    for (const argument of [...Object.keys(step?.amends ?? {}), ...literal]) {
      ok(argument in Object(properties), `${name}: ${argument}`);
    }
  }
});
