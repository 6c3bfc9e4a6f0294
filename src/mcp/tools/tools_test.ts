import assert from "node:assert/strict";
import type { Json } from "../../base/error.ts";
import { at } from "../../engine/run/_trial.ts";
import { TOOLS } from "../../tools/all.ts";
import { type Fixture, fixture } from "../session/_host.ts";
import { answer, connected, errorOf, failure, type Map } from "./_answers.ts";
import { MORE, tools } from "./all.ts";

const NAME = { app: "S", query: 'textfield[name="Name"]' };
const value = (desk: Fixture) => at(desk.desktop.world(), "sim.settings", "name", "text");

Deno.test("every tool is served as it is defined: by its view, or by what the server does for it", () => {
  assert.deepEqual(tools.map(({ definition }) => definition), TOOLS.map(({ definition }) => definition));
  for (const { name, step, definition: { annotations } } of TOOLS) {
    const acts = step !== undefined && !annotations.readOnlyHint;
    assert.ok(
      step?.kind === "operation" || acts || MORE.some(({ definition }) => definition.name === name),
      name,
    );
  }
});

Deno.test("ax_find answers the first of several with their number, and a reference that lives across calls", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const found = await answer(desk, "ax_find", { app: "S", query: "radio" });
    assert.deepEqual(
      [found["found"], found["count"], found["title"], found["role"], found["method"]],
      [true, 3, "Light", "AXRadioButton", "accessibility"],
    );
    const second = await answer(desk, "ax_find", { app: "S", query: "radio", nth: 2 });
    assert.equal(second["title"], "Dark");
    const ref = String(second["element_ref"]);
    assert.match(ref, /^el-/);
    assert.equal(
      (await answer(desk, "ax_find", { app: "S", query: String(second["path"]) }))["element_ref"],
      ref,
    );
    await answer(desk, "ax_click", { app: "S", query: ref });
    assert.equal((await answer(desk, "ax_get_value", { app: "S", query: ref }))["value"], "true");
    const tree = await desk.tool("ax_get_tree", { app: "S", root_query: ref });
    assert.match(JSON.stringify(tree.structuredContent), /"name":"Dark"/);
  });
});

Deno.test("what is not there is no error of ax_find and ax_get_value, and one of an act", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    for (const tool of ["ax_find", "ax_get_value"]) {
      const none = await answer(desk, tool, { app: "S", query: "Nowhere at all" });
      assert.deepEqual([none["found"], none["count"]], [false, 0]);
    }
    const error = await failure(desk, "ax_click", { app: "S", query: "Nowhere at all" });
    assert.equal(error["kind"], "ElementNotFound");
    assert.deepEqual(error["strategies_tried"], [
      "title_exact",
      "title_contains",
      "role_title",
      "identifier",
      "xpath",
      "semantic",
      "regex",
    ]);
    assert.match(String(error["suggestion"]), /ax_get_tree.*ax_find_visual/);
  });
});

Deno.test("an act on several is an error, each candidate with a query that finds it", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const error = await failure(desk, "ax_click", { app: "S", query: "radio" });
    assert.deepEqual([error["kind"], error["count"]], ["ElementAmbiguous", 3]);
    const candidates = Array.isArray(error["candidates"]) ? error["candidates"] : [];
    assert.equal(candidates.length, 3);
    for (const { name, query } of candidates) {
      const found = await answer(desk, "ax_find", { app: "S", query });
      assert.deepEqual([found["title"], found["count"]], [name, 1]);
    }
    assert.equal(
      (await answer(desk, "ax_click", { app: "S", query: "radio", nth: 3 }))["verdict"],
      "verified",
    );
    const inside = await answer(desk, "ax_click", {
      app: "S",
      query: "Light",
      within: 'panel[name="Theme"]',
    });
    assert.equal(inside["element"], 'radio "Light"');
  });
});

Deno.test("acts say what was done by what means, whether it was seen, and what undoing it would need", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    assert.deepEqual(await answer(desk, "ax_set_value", { ...NAME, value: "Grace" }), {
      action: "set_value",
      app: "Settings",
      element: 'textfield "Name"',
      method: "EditableText.SetTextContents",
      verdict: "verified",
      effect: "restorable",
    });
    await answer(desk, "ax_type", { ...NAME, text: "Hopper", clear_first: true });
    assert.equal(value(desk), "Hopper");
    await answer(desk, "ax_type", { ...NAME, text: "!", mode: "focus" });
    assert.equal(value(desk), "Hopper!");
    assert.equal((await answer(desk, "ax_key_press", { app: "S", key: "Tab" }))["effect"], "irreversible");
    const undone = await answer(desk, "ax_undo", { count: 10 });
    assert.equal(value(desk), "Ada");
    assert.equal(undone["skipped"], 1);
  });
});

Deno.test("scrolling tells whether anything moved, and is undone", async () => {
  await fixture({ applications: ["sim.list"] }, async (desk) => {
    await connected(desk, "sim.list");
    const scrolled = await answer(desk, "ax_scroll", { app: "S", direction: "down", query: "list" });
    assert.deepEqual([scrolled["moved"], scrolled["effect"]], [true, "restorable"]);
    assert.equal((await answer(desk, "ax_undo", {}))["undone"], 1);
  });
});

Deno.test("what an assertion and a comparison find is an answer; as steps of a workflow they fail", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const held = { ...NAME, assertions: { exists: true, value: "Ada", role: "AXTextField" } };
    assert.deepEqual(await answer(desk, "ax_assert", held), { passed: true, failures: [], count: 1 });
    const not = { ...NAME, assertions: { value: "Grace", enabled: true }, timeout_ms: 0 };
    assert.deepEqual(await answer(desk, "ax_assert", not), {
      passed: false,
      failures: [{ property: "value", expected: "Grace", actual: "Ada" }],
      count: 1,
    });
    const { timeout_ms: _, ...step } = not;
    const error = await failure(desk, "ax_workflow", {
      steps: [
        { tool: "ax_set_value", args: { ...NAME, value: "Zoë" } },
        { tool: "ax_assert", args: { ...step, timeout_ms: 1 }, on_fail: "rollback" },
      ],
    });
    assert.deepEqual([error["kind"], error["rolled_back"]], ["WorkflowFailed", true]);
    assert.equal(value(desk), "Ada");
    const gone = { app: "S", query: "Nowhere at all" };
    assert.deepEqual(
      (await answer(desk, "ax_assert", { ...gone, assertions: { exists: false }, timeout_ms: 0 }))["passed"],
      true,
    );
    const lost = await failure(desk, "ax_workflow", { steps: [{ tool: "ax_find", args: gone }] });
    assert.equal(lost["kind"], "WorkflowFailed");
  });
});

Deno.test("a picture goes as a picture, and one that differs comes with what differs", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const shot = await desk.tool("ax_screenshot", { app: "S" });
    const picture = shot.content.find(({ type }) => type === "image");
    assert.ok(picture?.type === "image" && picture.mimeType === "image/png");
    assert.doesNotMatch(JSON.stringify(shot.structuredContent), /iVBOR/);
    const part = await desk.tool("ax_screenshot", { app: "S", query: "slider" });
    assert.notEqual(part.structuredContent?.["width"], shot.structuredContent?.["width"]);
    const same = { app: "S", baseline: picture.data, threshold: 0 };
    assert.deepEqual((await answer(desk, "ax_visual_diff", same))["passed"], true);
    await answer(desk, "ax_set_value", { app: "S", query: "slider", value: "3" });
    const differs = await desk.tool("ax_visual_diff", { ...same, timeout_ms: 0 });
    assert.equal(differs.isError, undefined);
    const { passed, diff_pixels: pixels, diff_percentage: percentage } = differs.structuredContent ?? {};
    assert.ok(passed === false && Number(pixels) > 0 && Number(percentage) > 0);
    assert.equal(differs.content.filter(({ type }) => type === "image").length, 1);
    const ignoring = { ...same, ignore_selectors: ["slider", "button", "statusbar"], timeout_ms: 0 };
    const ignored = await answer(desk, "ax_visual_diff", ignoring);
    assert.equal(ignored["passed"], true, JSON.stringify(ignored["differences"]));
    const smaller = part.content.find(({ type }) => type === "image");
    const other = smaller?.type === "image" ? smaller.data : "";
    const error = await failure(desk, "ax_visual_diff", { app: "S", baseline: other, timeout_ms: 0 });
    assert.equal(error["kind"], "InvalidValue");
    assert.ok(error["expected_size"]);
  });
});

Deno.test("a tree says what it cut, is given again for a moment, and anew after anybody's act", async () => {
  await fixture({ caches: { trees: 60_000, screenshots: 60_000 } }, async (desk) => {
    await connected(desk);
    const hits = () => desk.reported.log.at(-1)?.data["cache_hit"];
    const shallow = await answer(desk, "ax_get_tree", { app: "S", max_depth: 1 });
    assert.deepEqual(shallow["cut"], ["depth"]);
    assert.equal(hits(), false);
    await answer(desk, "ax_get_tree", { app: "S", max_depth: 1 });
    assert.equal(hits(), true);
    await answer(desk, "ax_get_tree", { app: "S", max_depth: 2 });
    assert.equal(hits(), false);
    await desk.tool("ax_screenshot", { app: "S" });
    await desk.tool("ax_screenshot", { app: "S" });
    assert.equal(hits(), true);
    const other = desk.host.open("another");
    await desk.tool("ax_connect", { app: "sim.settings", alias: "T" }, { session: other });
    await desk.tool("ax_set_value", { app: "T", query: "slider", value: "3" }, { session: other });
    await answer(desk, "ax_get_tree", { app: "S", max_depth: 1 });
    assert.equal(hits(), false);
    await desk.tool("ax_screenshot", { app: "S" });
    assert.equal(hits(), false);
  });
});

Deno.test("ax_get_value reads the first of several as a step too, by a query or a reference", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const { element_ref: ref = "" } = await answer(desk, "ax_find", { app: "S", query: "radio" });
    const step = (query: Json) => ({ tool: "ax_get_value", args: { app: "S", query } });
    const { results } = await answer(desk, "ax_workflow", { steps: [step("radio"), step(ref)] });
    const alone = await answer(desk, "ax_get_value", { app: "S", query: "radio" });
    assert.ok(Array.isArray(results) && results.length === 2);
    for (const one of results) assert.match(JSON.stringify(one), new RegExp(`"value":"${alone["value"]}"`));
  });
});

Deno.test("who looks at an element that is not there hears so within seconds, whatever the look would take", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const looks: [string, Map][] = [
      ["ax_get_tree", { root_query: "Nowhere at all" }],
      ["ax_screenshot", { query: "Nowhere at all" }],
      ["ax_a11y_audit", { scope: "element", query: "Nowhere at all" }],
      ["ax_visual_diff", { query: "Nowhere at all", baseline: "iVBORw0KGgo=" }],
    ];
    const began = performance.now();
    const errors = await Promise.all(looks.map(([tool, args]) => failure(desk, tool, { app: "S", ...args })));
    assert.deepEqual(errors.map(({ kind }) => kind), looks.map(() => "ElementNotFound"));
    assert.ok(performance.now() - began < 9_000, `it took ${performance.now() - began} ms`);
  });
});

Deno.test("the outline of a tree is text between marks, and costs far less", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const { content, structuredContent } = await desk.tool("ax_get_tree", { app: "S", compact: true });
    assert.deepEqual(structuredContent, { app: "Settings", nodes: 59, cut: ["hidden"] });
    const last = content.at(-1);
    const text = last?.type === "text" ? last.text : "";
    assert.match(text, /^<app-data-[\s\S]* slider "Volume" =50[\s\S]*<\/app-data-\w+>$/);
    const whole = await desk.tool("ax_get_tree", { app: "S" });
    assert.ok(text.length < JSON.stringify(whole.structuredContent).length / 4);
    const flat = await desk.tool("ax_get_tree", { app: "S", compact: true, max_depth: 1 });
    assert.match(JSON.stringify(flat.content), /left out: .*what is deeper than max_depth/);
    const missing = await failure(desk, "ax_get_tree", {
      app: "S",
      compact: true,
      root_query: "Nowhere at all",
    });
    assert.equal(missing["kind"], "ElementNotFound");
  });
});

Deno.test("applications are listed, launched and quit, and an unsaved document has an error of its own", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    assert.deepEqual(await answer(desk, "ax_list_apps", {}), {
      apps: [{ name: "Settings", pid: 1001, bundle_id: "sim.settings", accessible: true, connected: true }],
    });
    const launched = await answer(desk, "launch_application", { bundleId: "sim.editor" });
    assert.deepEqual([launched["wasAlreadyRunning"], typeof launched["processId"]], [false, "number"]);
    assert.equal(
      (await answer(desk, "launch_application", { bundleId: "sim.editor" }))["wasAlreadyRunning"],
      true,
    );
    const { applications } = await answer(desk, "list_applications", {});
    assert.deepEqual(
      (Array.isArray(applications) ? applications : []).map(({ bundleId, isHidden }) => [bundleId, isHidden]),
      [["sim.settings", false], ["sim.editor", false]],
    );
    await connected(desk, "sim.editor", "E");
    await answer(desk, "ax_type", { app: "E", query: "textarea", text: "unsaved" });
    const blocked = await failure(desk, "quit_application", { bundleId: "sim.editor" });
    assert.equal(blocked["kind"], "QuitBlocked");
    assert.ok(Array.isArray(blocked["buttons"]) && blocked["buttons"].length > 0);
    assert.equal((await failure(desk, "ax_click", { app: "T", query: "button" }))["kind"], "AppNotConnected");
    await answer(desk, "quit_application", { bundleId: "sim.settings" });
    assert.equal((await failure(desk, "ax_find", { app: "S", query: "button" }))["kind"], "AppNotConnected");
  });
});

Deno.test("a denied application is neither listed nor looked at", async () => {
  const security = {
    mode: "normal" as const,
    blocked: ({ id }: { readonly id?: string }) => id === "sim.list" ? "denied" : undefined,
    onChange: () => () => {},
  };
  await fixture({ applications: ["sim.settings", "sim.list"], security }, async (desk) => {
    for (const tool of ["ax_list_apps", "list_applications"]) {
      assert.doesNotMatch(JSON.stringify(await answer(desk, tool, {})), /sim\.list/);
    }
    assert.equal((await failure(desk, "ax_connect", { app: "sim.list" }))["kind"], "SecurityBlocked");
  });
});

Deno.test("the clipboard is read and written; what only read it is no act", async () => {
  await fixture({}, async (desk) => {
    assert.deepEqual(await answer(desk, "ax_clipboard", { action: "write", text: "one" }), { success: true });
    assert.deepEqual(await answer(desk, "ax_clipboard", { action: "read" }), { success: true, text: "one" });
    assert.equal(desk.session.actions, 1);
    await answer(desk, "ax_undo", {});
    assert.deepEqual((await answer(desk, "ax_clipboard", { action: "read" }))["text"], undefined);
  });
});

Deno.test("what a password field holds is in no answer of any tool", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const query = "passwordfield";
    await answer(desk, "ax_set_value", { app: "S", query, value: "opensesame" });
    for (
      const [tool, args] of [
        ["ax_find", { app: "S", query }],
        ["ax_get_value", { app: "S", query }],
        ["ax_get_attributes", { app: "S", query }],
        ["ax_get_tree", { app: "S", max_depth: 20, include_invisible: true }],
        ["ax_get_tree", { app: "S", max_depth: 20, compact: true }],
        ["ax_assert", { app: "S", query, assertions: { value: "x" }, timeout_ms: 0 }],
        ["ax_a11y_audit", { app: "S" }],
      ] as const
    ) {
      assert.doesNotMatch(JSON.stringify(await desk.tool(tool, args)), /opensesame/, tool);
    }
    const read = await desk.tool("ax_get_value", { app: "S", query });
    assert.equal(errorOf(read)["kind"], "SecurityBlocked");
    assert.doesNotMatch(JSON.stringify(desk.reported), /opensesame/);
  });
});

Deno.test("progress rises and says what is done; the log has strategy and what was found", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    await answer(desk, "ax_find", NAME);
    assert.deepEqual(desk.reported.progress, [
      { message: "Searching accessibility tree", done: 1, total: 2 },
      { message: "Element found", done: 2, total: 2 },
    ]);
    const line = desk.reported.log.at(-1);
    assert.equal(line?.logger, "axterminator.tools.find");
    const { strategy, found, cache_hit } = line.data;
    assert.deepEqual([strategy, found, cache_hit], ["selector", true, false]);
  });
});
