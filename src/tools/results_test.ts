import { deepStrictEqual } from "node:assert/strict";
import type { Json } from "../base/error.ts";
import { toolNamed } from "./all.ts";

/** What a tool makes of the output of its operation. */
function result(tool: string, output: Json): Json {
  const view = toolNamed(tool)?.step;
  if (view?.kind !== "operation") throw new Error(`${tool} is no view of an operation`);
  return view.toResult(output);
}

Deno.test("what is found is told as the specification writes it, every value as a text", () => {
  const element = {
    role: "slider",
    ax_role: "AXSlider",
    name: "Volume",
    value: 40,
    position: [1, 2],
    size: [3, 4],
    enabled: true,
    focused: false,
    visible: true,
    states: [],
    path: "macos://ui/AXSlider",
    ref: "el-3f9c1a",
  };
  const output = {
    found: true,
    app: "S",
    count: 2,
    strategy: "title_exact",
    elements: [element],
    truncated: false,
  };
  deepStrictEqual(result("ax_find", output), {
    found: true,
    method: "accessibility",
    strategy: "title_exact",
    role: "AXSlider",
    title: "Volume",
    value: "40",
    position: [1, 2],
    size: [3, 4],
    enabled: true,
    focused: false,
    element_ref: "el-3f9c1a",
    app: "S",
    count: 2,
    visible: true,
    path: "macos://ui/AXSlider",
  });
  deepStrictEqual(result("ax_find", { ...output, found: false, count: 0, elements: [] }), {
    found: false,
    app: "S",
    count: 0,
    strategy: "title_exact",
  });
});

Deno.test("an act tells what it did to what, and whether that was seen", () => {
  const output = { target: 'button "Save"', app: "S", method: "Action.DoAction(click)", verified: false };
  deepStrictEqual(result("ax_click", output), {
    action: "click",
    app: "S",
    element: 'button "Save"',
    method: "Action.DoAction(click)",
    verdict: "accepted",
  });
  const verdictOf = (method: string, verified: boolean) => {
    const { verdict } = Object(result("ax_set_value", { method, verified }));
    return verdict;
  };
  deepStrictEqual([verdictOf("x", true), verdictOf("none", true)], ["verified", "already"]);
});

Deno.test("applications have the names of each specification", () => {
  const output = {
    apps: [{ id: "org.x", name: "X", pid: 7, hidden: true, accessible: true, toolkit: "gtk" }],
  };
  deepStrictEqual(result("ax_list_apps", output), {
    apps: [{ name: "X", pid: 7, bundle_id: "org.x", accessible: true }],
  });
  deepStrictEqual(result("list_applications", output), {
    applications: [{ bundleId: "org.x", name: "X", processId: 7, isHidden: true }],
  });
  deepStrictEqual(
    result("launch_application", { app: "org.x", name: "X", pid: 7, was_already_running: false }),
    {
      processId: 7,
      applicationName: "X",
      wasAlreadyRunning: false,
    },
  );
});

Deno.test("what an element holds is a text, and what holds nothing has none", () => {
  const output = { target: "t", role: "AXCheckBox", name: "Wifi", app: "S", kind: "toggle", value: true };
  deepStrictEqual(result("ax_get_value", output), {
    found: true,
    value: "true",
    role: "AXCheckBox",
    title: "Wifi",
    app: "S",
  });
  deepStrictEqual("value" in Object(result("ax_get_value", { ...output, value: null })), false);
});
