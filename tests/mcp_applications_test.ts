import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { isMap } from "../src/base/json.ts";
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  GetTaskResultSchema,
  McpError,
} from "../src/mcp/sdk/sdk.ts";
import { type Fields, type Proof, REFERENCES, withProof } from "./mcp/_proof.ts";
import { ROOT, serverCommand, withState } from "./mcp/_stdio.ts";

const NEEDED = [
  "/usr/bin/Xvfb",
  "/usr/bin/gnome-calculator",
  "/usr/bin/gedit",
  "/usr/bin/gtk4-widget-factory",
  "/usr/bin/chromium",
  join(REFERENCES, "ajv"),
];
const absent = NEEDED.filter((file) => !existsSync(file));

const run = promisify(execFile);

const PAGE = `<!doctype html><title>Proof</title><h1>Proof form</h1>
<label>Name <input id=n value=Ada></label>
<button onclick="document.getElementById('o').textContent = 'Hello ' + document.getElementById('n').value">Greet</button>
<p id=o>Nobody</p><p style="font: 40px sans-serif">Visible words</p>`;

Deno.test({
  name:
    "the SDK's client drives four applications over stdio: every tool, its answers by an independent validator" +
    (absent.length > 0 ? `: not run, ${absent.join(" and ")} are not installed` : ""),
  ignore: absent.length > 0,
}, async (t) => {
  await withState(async (state) => {
    const bin = join(state, "bin");
    mkdirSync(bin);
    // A stand-in that runs what it reads: there is none of its own outside of macOS.
    writeFileSync(join(bin, "osascript"), "#!/bin/sh\nexec /bin/sh -s\n");
    chmodSync(join(bin, "osascript"), 0o755);
    const page = join(state, "page.html");
    writeFileSync(page, PAGE);
    const options = { args: ["--session", "isolated"], path: `${bin}:${process.env["PATH"]}` };
    await withProof(state, options, async (proof) => {
      const { tool, fails } = proof;
      await t.step("before anything runs: what works, and the errors that say what to do", async () => {
        assert.equal((await tool("ax_is_accessible")).reported["enabled"], true);
        const none = await fails("ax_connect", { app: "gedit" });
        assert.equal(none["kind"], "AppNotRunning");
        assert.match(String(none["suggestion"]), /launch_application/);
        assert.equal((await fails("ax_find", { app: "gedit", query: "Save" }))["kind"], "AppNotConnected");
        assert.deepEqual((await tool("ax_list_apps")).reported, { apps: [] });
        assert.match((await tool("ax_run_script", { script: "echo a script ran" })).text, /a script ran/);
        await assert.rejects(
          proof.client.callTool({ name: "ax_clik", arguments: {} }),
          (error) => error instanceof McpError && error.code === -32602 && /ax_click/.test(error.message),
        );
      });
      await t.step("gnome-calculator", () => calculator(proof));
      await t.step("gedit", () => gedit(proof));
      await t.step("gtk4-widget-factory", () => widgets(proof));
      await t.step("Chromium", () => chromium(proof, page));
      await t.step("the window manager", () => windowManager(proof));
      await t.step("every tool was called", async () => {
        const { tools } = await proof.client.listTools();
        assert.deepEqual((await tool("ax_session_info")).reported["connected_apps"], []);
        assert.deepEqual(tools.map(({ name }) => name).filter((name) => !proof.called.has(name)), []);
      });
    });
  });
});

const Answers = z.object({
  tools: z.number(),
  answers: z.array(z.object({
    name: z.string(),
    isError: z.boolean(),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    types: z.array(z.string()),
  })),
});

Deno.test({
  name: "the SDK's client on Node drives gedit",
  ignore: absent.length > 0,
}, async () => {
  await withState(async (state) => {
    const app = "gedit", text = { app, query: "textarea" };
    const calls: [string, Fields][] = [
      ["ax_is_accessible", {}],
      ["launch_application", { bundleId: "org.gnome.gedit" }],
      ["ax_connect", { app }],
      ["ax_list_apps", {}],
      ["ax_find", text],
      ["ax_type", { ...text, text: "from Node" }],
      ["ax_get_value", text],
      ["ax_undo", {}],
      ["ax_assert", { ...text, assertions: { value: "" } }],
      ["ax_list_windows", { app }],
      ["ax_screenshot", { app }],
      ["ax_get_tree", { app, compact: true }],
      ["ax_workflow", { steps: [{ tool: "ax_set_value", args: { ...text, value: "once" } }] }],
      ["ax_clipboard", { action: "write", text: "once" }],
      ["ax_session_info", {}],
      ["ax_click", { app, query: "Menu" }],
    ];
    const { command, args, env } = serverCommand(state, "--session", "isolated");
    const { stdout } = await run("node", [
      join(ROOT, "tests/mcp/node-client.mjs"),
      JSON.stringify({ command, args, env }),
      join(REFERENCES, "@modelcontextprotocol/sdk"),
      JSON.stringify(calls),
    ], { timeout: 120_000 });
    const { tools, answers } = Answers.parse(JSON.parse(stdout));
    // The published ones, those of this program, and five of the window manager.
    assert.equal(tools, 35);
    const of = (tool: string) => answers.find(({ name }) => name === tool)?.structuredContent ?? {};
    // Which of the two menus is meant is for the client to say.
    assert.deepEqual(answers.filter(({ isError }) => isError).map(({ name }) => name), ["ax_click"], stdout);
    assert.equal(of("ax_get_value")["value"], "from Node");
    assert.equal(of("ax_undo")["undone"], 1);
    assert.equal(of("ax_assert")["passed"], true, stdout);
    assert.equal(of("ax_workflow")["success"], true);
    assert.ok(answers.find(({ name }) => name === "ax_screenshot")?.types.includes("image"));
  });
});

/** The value of an element, as soon as it is what it should become. */
async function becomes(
  { tool }: Proof,
  where: Fields,
  assertions: Fields,
): Promise<void> {
  const { reported } = await tool("ax_assert", { ...where, assertions, timeout_ms: 20_000 });
  assert.equal(reported["passed"], true, JSON.stringify([where, reported]));
}

/** Starts an application and connects to it. */
async function start({ tool }: Proof, bundleId: string, alias: string): Promise<Fields> {
  const launched = (await tool("launch_application", { bundleId })).text;
  const { reported } = await tool("ax_connect", { app: bundleId, alias });
  assert.deepEqual([reported["connected"], reported["alias"]], [true, alias]);
  assert.ok(launched.includes(`"processId":${reported["pid"]}`), launched);
  return reported;
}

async function calculator(proof: Proof): Promise<void> {
  const { tool, fails } = proof;
  const app = "calc";
  await start(proof, "org.gnome.Calculator", app);
  const again = await tool("launch_application", { bundleId: "org.gnome.Calculator" });
  assert.match(again.text, /"wasAlreadyRunning":true/);
  const strategies = [
    ["auto", "role:AXButton title:Maximize", "role_title"],
    ["exact", "Maximize", "title_exact"],
    ["contains", "aximi", "title_contains"],
    ["regex", "^[Mm]axi", "regex"],
    ["role", "AXButton", "role_title"],
    ["xpath", "//AXButton[@AXTitle='Maximize']", "xpath"],
  ] as const;
  for (const [strategy, query, by] of strategies) {
    const { reported } = await tool("ax_find", { app, query, strategy });
    assert.deepEqual(
      [reported["found"], reported["strategy"], reported["role"]],
      [true, by, "AXButton"],
      query,
    );
  }
  const missing = await tool("ax_find", { app, query: "no-such-id", strategy: "identifier" });
  assert.deepEqual([missing.reported["found"], missing.reported["count"]], [false, 0]);

  const key = (label: string) => ({ app, query: `button[name^="${label}"]` });
  for (const label of ["7", "×"]) await tool("ax_click", key(label));
  const { reported: six } = await tool("ax_find", key("6"));
  const [x = 0, y = 0] = numbers(six["position"]);
  const [width = 0, height = 0] = numbers(six["size"]);
  await tool("ax_click_at", { x: Math.round(x + width / 2), y: Math.round(y + height / 2) });
  await tool("ax_click", { app, query: six["element_ref"] ?? "" });
  await tool("ax_click", key("="));
  await becomes(proof, { app, query: "textarea", nth: 1 }, { value: "462" });
  // Keys of the calculator cannot be undone, and that is said.
  assert.deepEqual((await tool("ax_undo")).reported, {
    undone: 0,
    skipped: 1,
    actions: [{ tool: "ax_click", status: "skipped_irreversible" }],
  });
  // A label in a button is pressed with it, and not copied as GTK 4's labels offer.
  const label = await tool("ax_click", { app, query: 'label[name="7"]', mode: "focus" });
  assert.equal(label.reported["method"], "XTEST click");
  const attributes = await tool("ax_get_attributes", key("="));
  assert.match(attributes.text, /"actions":\["click"/);
  const outline = await tool("ax_get_tree", { app, compact: true });
  assert.match(outline.text, /button "7/);
  assert.equal((await fails("ax_click", { app, query: "button" }))["kind"], "ElementAmbiguous");
  assert.equal(
    (await fails("ax_get_tree", { app, compact: true, root_query: "Nowhere" }))["kind"],
    "ElementNotFound",
  );

  await tool("quit_application", { bundleId: "org.gnome.Calculator" });
  // That it has ended may be heard of a moment later.
  assert.match(String((await fails("ax_find", { app, query: "7" }))["kind"]), /^AppNot(Connected|Running)$/);
}

async function gedit(proof: Proof): Promise<void> {
  const { client, tool, fails, read, subscribe } = proof;
  const app = "editor";
  const { pid } = await start(proof, "org.gnome.gedit", app);
  const running = (await tool("list_applications")).text;
  assert.ok(running.includes(`"bundleId":"org.gnome.gedit","name":"gedit","processId":${pid}`), running);
  const listed = (await tool("ax_list_apps")).reported["apps"];
  assert.ok(Array.isArray(listed) && listed.some((one) => isMap(one) && one["connected"] === true));
  const { reported: found } = await tool("ax_find", { app, query: "role:AXTextArea" });
  const text = { app, query: String(found["element_ref"]) };
  const title = async () => {
    const { windows } = (await tool("ax_list_windows", { app })).reported;
    return Array.isArray(windows) && isMap(windows[0]) ? String(windows[0]["title"]) : "";
  };
  const value = async () => (await tool("ax_get_value", text)).reported["value"];

  const changed = await subscribe(`axterminator://app/${app}/state`);
  const before = await title();
  await tool("ax_type", { ...text, text: "one\n" });
  while (await title() === before) await changed();
  assert.match(await title(), /^\*/);

  assert.equal((await tool("ax_set_value", { ...text, value: "two words" })).reported["verdict"], "verified");
  assert.equal(await value(), "two words");
  assert.equal((await tool("ax_undo")).reported["undone"], 1);
  assert.equal(await value(), "one\n");

  await tool("ax_key_press", { app, key: "a", modifiers: ["cmd"] });
  await tool("ax_key_press", { app, key: "c", modifiers: ["cmd"] });
  await tool("ax_wait_idle", { app });
  assert.equal((await tool("ax_clipboard", { action: "read" })).reported["text"], "one\n");
  await tool("ax_clipboard", { action: "write", text: "Grüße 世界" });
  await tool("ax_key_press", { app, key: "v", modifiers: ["cmd"] });
  await becomes(proof, text, { value: "Grüße 世界" });
  assert.deepEqual(await read("axterminator://clipboard"), { text: "Grüße 世界" });

  const step = (value: string) => ({ tool: "ax_set_value", args: { ...text, value } });
  const steps = [
    step("first"),
    { tool: "ax_get_value", args: text },
    step("{{step_2.value}}, second"),
    { tool: "ax_find", args: { app, query: "(", strategy: "regex" }, on_fail: "rollback" },
  ];
  const failed = CallToolResultSchema.parse(
    await client.callTool({ name: "ax_workflow", arguments: { steps } }),
  ).structuredContent;
  assert.deepEqual(
    [failed?.["success"], failed?.["steps_completed"], failed?.["rolled_back"], failed?.["verdict"]],
    [false, 3, true, "restored"],
    JSON.stringify(failed),
  );
  assert.equal(await value(), "Grüße 世界");
  const { reported: done } = await tool("ax_workflow", { name: "passes", steps: steps.slice(0, 3) });
  assert.deepEqual([done["success"], done["steps_completed"]], [true, 3]);
  assert.equal(await value(), "first, second");

  await tool("ax_set_value", { ...text, value: "line\n".repeat(200) });
  assert.equal(
    (await tool("ax_scroll", { ...text, direction: "down", amount: 600 })).reported["moved"],
    true,
  );
  const twice = await fails("ax_click", { app, query: "Menu" });
  assert.equal(twice["kind"], "ElementAmbiguous");
  const { candidates } = twice;
  assert.ok(Array.isArray(candidates) && candidates.length === 2);
  for (const one of candidates) {
    assert.ok(isMap(one));
    assert.equal((await tool("ax_find", { app, query: one["query"] ?? "" })).reported["count"], 1);
  }

  const { task } = await client.request({
    method: "tools/call",
    params: { name: "ax_wait_idle", arguments: { app }, task: { ttl: 30_000 } },
  }, CreateTaskResultSchema);
  const idle = await client.request(
    { method: "tasks/result", params: { taskId: task.taskId } },
    CallToolResultSchema,
  );
  assert.match(JSON.stringify(idle.content), /idle/);
  const finished = await client.request(
    { method: "tasks/get", params: { taskId: task.taskId } },
    GetTaskResultSchema,
  );
  assert.equal(finished.status, "completed");

  await everyResource(proof, app);
  await everyPrompt(proof, app);

  const events = await subscribe(`axterminator://app/${app}/events`);
  const blocked = await fails("quit_application", { bundleId: "org.gnome.gedit" });
  assert.equal(blocked["kind"], "QuitBlocked");
  while (!JSON.stringify(await read(`axterminator://app/${app}/events`)).includes("dialog_appeared")) {
    await events();
  }
  const state = await read(`axterminator://app/${app}/state`);
  assert.ok(isMap(state));
  assert.equal(state["detected_state"], "modal_dialog");
  const without = Array.isArray(blocked["buttons"]) ? blocked["buttons"][0] : undefined;
  assert.match(String(without), /without/);
  const apps = await subscribe("axterminator://apps");
  await tool("ax_click", { app, query: String(without) });
  while ((await tool("ax_list_apps")).text.includes(`"pid":${pid}`)) await apps();
  assert.match(String((await fails("ax_get_value", text))["kind"]), /^AppNot(Connected|Running)$/);
}

/** Every resource, of an application those that its templates tell of. */
async function everyResource({ client, read }: Proof, app: string): Promise<void> {
  const { resources } = await client.listResources();
  for (const { uri } of resources.filter(({ mimeType }) => mimeType === "application/json")) await read(uri);
  const { resourceTemplates } = await client.listResourceTemplates();
  const filled: Fields = {
    name: app,
    index: "0",
    bundleId: "org.gnome.gedit",
    path: 'AXApplication[@bundleIdentifier="org.gnome.gedit"]/AXWindow',
  };
  const managed = await managedNames(read);
  for (const { uriTemplate, mimeType } of resourceTemplates) {
    // Reading it writes a file, which mcp_record_test.ts has done.
    if (uriTemplate.includes("{?")) continue;
    const values = uriTemplate.startsWith("niri://") ? managed(uriTemplate) : filled;
    const uri = uriTemplate.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
    const { contents: [first] } = await client.readResource({ uri });
    assert.equal(first?.mimeType, mimeType, uri);
    assert.ok(first && ("text" in first ? JSON.parse(first.text) : first.blob.length > 1_000), uri);
  }
  await assert.rejects(
    client.readResource({ uri: "axterminator://app/nobody/tree" }),
    (error) => error instanceof McpError && error.code === -32002,
  );
}

const Items = z.object({ items: z.array(z.object({ data: z.looseObject({}) })) });

/** What stands in templates of `niri://` on this desktop: its output, its workspace, its first window. */
async function managedNames(read: Proof["read"]): Promise<(template: string) => Fields> {
  const first = async (uri: string) => Items.parse(await read(`${uri}?expand`)).items[0]?.data ?? {};
  const { name } = await first("niri://outputs");
  const { id: workspace } = await first(`niri://outputs/${name}/workspaces`);
  const { id: window } = await first("niri://windows");
  return (template) => {
    const fields = { name: String(name), workspace_id: Number(workspace) };
    return { ...fields, id: Number(/workspaces\/\{id\}/.test(template) ? workspace : window) };
  };
}

/** Every tool of the window manager, judged by what the resources say then. */
async function windowManager({ tool, read }: Proof): Promise<void> {
  await tool("launch_application", { bundleId: "org.gnome.Calculator" });
  const Window = z.object({ id: z.number(), content: z.object({ x: z.number(), y: z.number() }) });
  const windows = async () => {
    const { items } = Items.parse(await read("niri://windows?expand"));
    return items.map(({ data }) => Window.parse(data));
  };
  const [window] = await windows();
  assert.ok(window);
  const id = { window_id: window.id };
  await tool("wm_focus_window", id);
  await tool("wm_move_window", { ...id, x: 140, y: 90 });
  assert.deepEqual((await windows()).map(({ content }) => content), [{ x: 140, y: 90 }]);
  await tool("wm_switch_workspace", { workspace_id: 1 });
  await tool("wm_move_window_to_workspace", { ...id, workspace_id: 1 });
  await tool("wm_close_window", id);
  assert.deepEqual(await windows(), []);
}

/** Every prompt, with what it requires. */
async function everyPrompt({ client }: Proof, app: string): Promise<void> {
  const { prompts } = await client.listPrompts();
  assert.equal(prompts.length, 7);
  for (const { name, arguments: takes = [] } of prompts) {
    const args = Object.fromEntries(
      takes.filter(({ required }) => required).map((
        one,
      ) => [one.name, one.name.includes("app") ? app : "Save"]),
    );
    const { messages } = await client.getPrompt({ name, arguments: args });
    assert.ok(messages.length > 0 && JSON.stringify(messages).includes("ax_"), name);
  }
}

async function widgets(proof: Proof): Promise<void> {
  const { tool } = proof;
  const [bundleId, app] = ["org.gtk.WidgetFactory4", "widgets"];
  await start(proof, bundleId, app);
  const slider = { app, query: "slider", nth: 1 };
  await tool("ax_set_value", { ...slider, value: "20" });
  assert.equal((await tool("ax_get_value", slider)).reported["value"], "20");
  const { reported: place } = await tool("ax_find", slider);
  const [x = 0, y = 0] = numbers(place["position"]);
  const [width = 0, height = 0] = numbers(place["size"]);
  const middle = Math.round(y + height / 2);
  await tool("ax_drag", {
    app,
    from_x: Math.round(x + width / 5),
    from_y: middle,
    to_x: Math.round(x + width * 0.8),
    to_y: middle,
    duration_ms: 200,
  });
  const dragged = Number((await tool("ax_get_value", slider)).reported["value"]);
  assert.ok(dragged > 60 && dragged < 100, `the slider is at ${dragged}`);

  const box = { app, query: "checkbutton", nth: 2 };
  await becomes(proof, box, { exists: true, enabled: true, role: "AXCheckBox", value: "false" });
  await tool("ax_click", { ...box, mode: "focus" });
  await becomes(proof, box, { value: "true" });
  assert.equal((await tool("ax_undo")).reported["undone"], 1);
  await becomes(proof, box, { value: "false" });

  const explore = async (args: Fields) => {
    const { text } = await tool("macos_interface_explorer", args);
    const line = text.split("\n").find((one) => one.startsWith("["));
    const elements: unknown = JSON.parse(line ?? "");
    assert.ok(Array.isArray(elements) && elements.length > 0, JSON.stringify(args));
    return elements.filter(isMap);
  };
  const sliders = await explore({ scope: "application", bundleId, elementTypes: ["slider"], limit: 3 });
  assert.deepEqual([sliders.length, sliders[0]?.["id"]], [3, place["element_ref"]]);
  assert.equal((await explore({ scope: "system", limit: 20 }))[0]?.["role"], "AXApplication");
  assert.equal((await explore({ scope: "focused", maxDepth: 1 }))[0]?.["role"], "AXApplication");
  const [there] = await explore({ scope: "position", x: x + 20, y: middle, maxDepth: 0 });
  assert.equal(there?.["id"], place["element_ref"]);
  const [same] = await explore({ scope: "element", elementId: place["element_ref"] ?? "" });
  assert.equal(same?.["role"], "AXSlider");

  const windows = await proof.read(`macos://applications/${bundleId}/windows`);
  assert.ok(
    Array.isArray(windows) && isMap(windows[0]) && String(windows[0]["path"]).startsWith("macos://ui/"),
  );
  assert.ok(isMap(await proof.read(String(windows[0]["path"]))));

  const whole = await tool("ax_get_tree", { app, max_depth: 30 });
  const compact = await tool("ax_get_tree", { app, compact: true, max_depth: 30 });
  assert.ok(compact.text.length < whole.text.length / 4, `${compact.text.length} of ${whole.text.length}`);
  const { reported: audit } = await tool("ax_a11y_audit", { app });
  assert.ok(audit["passed"] === false && Array.isArray(audit["issues"]) && audit["issues"].length > 0);
  await tool("quit_application", { bundleId });
}

async function chromium(proof: Proof, page: string): Promise<void> {
  const { tool } = proof;
  const app = "browser";
  await start(proof, "chromium", app);
  const greet = { app, query: "Greet" };
  // What is written there while the browser's own first page comes, that page takes away: a person would write it again.
  for (let there = false, attempts = 0; !there && attempts < 4; attempts++) {
    await tool("ax_wait_idle", { app, quiet_ms: 500 });
    await proof.attempt("ax_set_value", {
      app,
      query: "Address and search bar",
      value: pathToFileURL(page).href,
    });
    await tool("ax_key_press", { app, key: "return" });
    const { reported } = await tool("ax_assert", {
      ...greet,
      assertions: { exists: true },
      timeout_ms: 5_000,
    });
    there = reported["passed"] === true;
  }
  await becomes(proof, greet, { visible: true, role: "AXButton" });

  const name = { app, query: 'textfield[name="Name"]' };
  assert.equal((await tool("ax_get_value", name)).reported["value"], "Ada");
  await tool("ax_set_value", { ...name, value: "Grace" });
  await tool("ax_wait_idle", { app });
  const shown = 'document[name="Proof"]';
  const picture = await tool("ax_screenshot", { app, query: shown });
  const [baseline = ""] = picture.pictures;
  const diff = { app, query: shown, baseline };
  assert.equal((await tool("ax_visual_diff", diff)).reported["passed"], true);
  await tool("ax_click", { app, query: "Greet" });
  await becomes(proof, { app, query: "Hello Grace" }, { exists: true });
  const { reported: differs } = await tool("ax_visual_diff", { ...diff, threshold: 0, timeout_ms: 0 });
  assert.equal(differs["passed"], false);
  assert.ok(Number(differs["diff_pixels"]) > 100);

  const { reported: seen } = await tool("ax_find_visual", { app, description: 'the text "Visible words"' });
  assert.deepEqual([seen["found"], seen["vlm_backend"]], [true, "ocr"]);
  const { reported: words } = await tool("ax_find", { app, query: 'statictext[name="Visible words"]' });
  const [[x = 0, y = 0], [left = 0, top = 0], [width = 0, height = 0]] = [
    numbers(seen["center"]),
    numbers(words["position"]),
    numbers(words["size"]),
  ];
  assert.ok(x > left && x < left + width && y > top && y < top + height, JSON.stringify([seen, words]));
  await tool("quit_application", { bundleId: "chromium" });
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}
