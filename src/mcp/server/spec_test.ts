import assert from "node:assert/strict";
import type { Json } from "../../base/error.ts";
import { isMap } from "../../base/json.ts";
import type { ApplicationDescription } from "../../desktop/simulated/describe.ts";
import { type Fixture, fixture, PLAIN_CLIENT } from "../session/_host.ts";
import type { McpClient, Sampled, SamplingRequest } from "./client.ts";
import { joined } from "../resources/_joined.ts";
import { checked } from "./schema-check.ts";
import { getPrompt } from "./find-prompt.ts";
import { watchResource } from "./find-resource.ts";
import { listTools } from "./listed.ts";
import { answer, connected, failure } from "../tools/_answers.ts";

const NAME = { app: "S", query: 'textfield[name="Name"]' };
const levels = (desk: Fixture, logger: string) =>
  desk.reported.log.filter((one) => one.logger === logger).map(({ level }) => level);

/** A client whose model says these things one after another; what it was asked is kept. */
function model(...said: readonly string[]): McpClient & { asked: SamplingRequest[] } {
  const asked: SamplingRequest[] = [];
  const sample = (request: SamplingRequest): Promise<Sampled> => {
    asked.push(request);
    const text = said[asked.length - 1] ?? "nothing more";
    return Promise.resolve({ model: "scripted", stopReason: "endTurn", content: [{ type: "text", text }] });
  };
  return { ...PLAIN_CLIENT, can: { ...PLAIN_CLIENT.can, sampling: true }, asked, sample };
}

Deno.test("axterminator spec, section 4.4: ax_click keeps to the background unless mode says focus, on every desktop", async () => {
  for (const mode of ["focus", "background"] as const) {
    await fixture({ mode }, async (desk) => {
      await connected(desk);
      const twice = { ...NAME, click_type: "double" };
      const sent = () => desk.desktop.log.entries.filter(({ did }) => did === "pointer").length;
      const error = await failure(desk, "ax_click", twice);
      assert.deepEqual([error["kind"], error["code"], sent()], ["Unsupported", "needs_focus", 0]);
      const hint = mode === "focus" ? /mode: "focus"/ : /background only.*--mode focus/;
      assert.match(String(error["suggestion"]), hint);
      assert.doesNotMatch(String(error["suggestion"]), /session: isolated|\(on the command line/);
      const focused = await desk.tool("ax_click", { ...twice, mode: "focus" });
      assert.deepEqual([focused.isError, sent() > 0], mode === "focus" ? [undefined, true] : [true, false]);
      const box = await answer(desk, "ax_click", { app: "S", query: 'checkbox[name="Play sounds"]' });
      assert.equal(box["method"], "Action.DoAction(click)");
    });
  }
});

Deno.test("axterminator spec, section 4.3: what no title says ax_find looks for in the picture, and shows it", async () => {
  const client = model('{"found": true, "x": 5, "y": 6, "width": 40, "height": 20, "confidence": 0.9}');
  await fixture({}, async (desk) => {
    await connected(desk);
    const wanted = { app: "S", query: "the gear in the corner" };
    const found = await desk.tool("ax_find", wanted, { client });
    const { method, strategy, size, confidence, app } = found.structuredContent ?? {};
    assert.deepEqual([method, strategy, size, confidence, app], [
      "visual",
      "sampling",
      [40, 20],
      0.9,
      "Settings",
    ]);
    assert.ok(found.content.some(({ type }) => type === "image"));
    assert.equal(client.asked.length, 1);
    // Section 8.1: the fallback is worth a notice.
    assert.ok(
      levels(desk, "axterminator.tools.find").every((level) => level === "notice" || level === "warning"),
    );
    assert.ok(levels(desk, "axterminator.tools.find_visual").includes("notice"));
    for (const only of [{ strategy: "contains" }, { query: "button[name=Nowhere]" }, { nth: 2 }]) {
      const { structuredContent: reported } = await desk.tool("ax_find", { ...wanted, ...only }, { client });
      assert.deepEqual([reported?.["found"], reported?.["method"]], [false, undefined], JSON.stringify(only));
    }
    assert.equal(client.asked.length, 1, "who names an element of the tree gets no picture of anything");
    const silent = await desk.tool("ax_find", wanted, {
      client: { ...client, sample: () => Promise.reject(new Error("no model today")) },
    });
    assert.equal(silent.isError, undefined);
    assert.match(JSON.stringify(silent.structuredContent), /"tried":\[\{"backend":"sampling"/);
  });
});

Deno.test("axterminator spec, section 4.8: ax_undo answers for an action that was only seen to open something", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    await answer(desk, "ax_set_value", { ...NAME, value: "Grace" });
    await answer(desk, "ax_key_press", { app: "S", key: "Tab" });
    desk.desktop.person("sim.settings", "name", { text: "theirs" });
    const undone = await answer(desk, "ax_undo", { count: 5 });
    assert.deepEqual(undone, {
      undone: 0,
      skipped: 2,
      actions: [{ tool: "ax_key_press", status: "skipped_irreversible" }, {
        tool: "ax_set_value",
        verdict: "conflict",
      }],
    });
    assert.deepEqual(
      levels(desk, "axterminator.tools.undo").filter((level) => level === "warning").length >= 2,
      true,
    );
  });
});

/** A window with so many rows of labels that its tree is larger than a page. */
const wide: ApplicationDescription = {
  id: "test.wide",
  name: "Wide",
  windows: [{
    key: "main",
    title: "Wide",
    children: Array.from({ length: 30 }, (_, row) => ({
      kind: "panel" as const,
      key: `p${row}`,
      name: `Panel ${row}`,
      children: Array.from({ length: 20 }, (_, k) => ({
        kind: "label" as const,
        key: `l${row}-${k}`,
        name: `Label ${row} ${k} ${"x".repeat(120)}`,
      })),
    })),
  }],
};

Deno.test("axterminator spec, section 18.7: a tree of more than 100 KB comes in pages, the top first, that are the whole", async () => {
  await fixture({ applications: [wide] }, async (desk) => {
    await connected(desk, "test.wide");
    const args = { app: "S", max_depth: 20 };
    const first = await answer(desk, "ax_get_tree", args);
    const pages: Json[] = [first["tree"] ?? null];
    let cursor = first["nextCursor"];
    assert.equal(typeof cursor, "string");
    const further = cursor ?? "";
    while (typeof cursor === "string" && pages.length < 50) {
      const next = await answer(desk, "ax_get_tree", { ...args, cursor });
      pages.push(next["parts"] ?? null);
      cursor = next["nextCursor"];
    }
    for (const page of pages) assert.ok(JSON.stringify(page).length <= 105 * 1024);
    const text = JSON.stringify(joined(pages));
    assert.equal([...text.matchAll(/"name":"Label /g)].length, 600);
    assert.match(text, /"role":"AXStaticText"/);
    const other = desk.host.open("other");
    await desk.tool("ax_connect", { app: "test.wide", alias: "S" }, { session: other });
    const stolen = desk.tool("ax_get_tree", { ...args, cursor: further }, { session: other });
    await assert.rejects(stolen, { code: -32602 });
  });
});

Deno.test("axterminator spec, section 8.1: cache hits are debug, a second way of finding is a notice, a fault of ours critical", async () => {
  await fixture({ caches: { trees: 60_000, screenshots: 60_000 } }, async (desk) => {
    await connected(desk);
    // The first one loads what it needs; what takes more than 100 ms is a warning.
    for (let n = 0; n < 5; n++) await answer(desk, "ax_find", { app: "S", query: "Volu" });
    const found = desk.reported.log.findLast(({ logger }) => logger === "axterminator.tools.find");
    assert.equal(found?.data["fallback"], "title_contains");
    assert.ok(levels(desk, "axterminator.tools.find").includes("notice"));
    await answer(desk, "ax_get_tree", { app: "S" });
    assert.deepEqual(levels(desk, "axterminator.cache"), []);
    await answer(desk, "ax_get_tree", { app: "S" });
    assert.deepEqual(levels(desk, "axterminator.cache"), ["debug"]);
    await answer(desk, "ax_get_attributes", NAME);
    assert.deepEqual(levels(desk, "axterminator.attributes"), ["debug"]);
    const reported = Promise.withResolvers<void>();
    const watched = await watchResource(
      desk.host,
      "axterminator://apps",
      desk.call(),
      () => reported.resolve(),
    );
    await answer(desk, "launch_application", { bundleId: "sim.editor" });
    await reported.promise;
    await watched.close();
    assert.ok(levels(desk, "axterminator.resources.subscriptions").includes("debug"));
    desk.session.elements.get = () => {
      throw new TypeError("a fault of ours");
    };
    await failure(desk, "ax_get_tree", { app: "S", compact: true, root_query: "slider" });
    assert.equal(levels(desk, "axterminator.tools.get_tree").at(-1), "critical");
  });
});

/** A call of each tool that answers structured content on the simulated desktop. */
const CALLS: readonly [string, { readonly [name: string]: Json }][] = [
  ["ax_is_accessible", {}],
  ["ax_list_apps", {}],
  ["ax_find", NAME],
  ["ax_get_tree", { app: "S" }],
  ["ax_get_tree", { app: "S", compact: true }],
  ["ax_get_attributes", NAME],
  ["ax_click", { app: "S", query: 'checkbox[name="Play sounds"]' }],
  ["ax_click_at", { x: 60, y: 90 }],
  ["ax_type", { ...NAME, text: "!" }],
  ["ax_set_value", { ...NAME, value: "Grace" }],
  ["ax_scroll", { app: "S", direction: "down" }],
  ["ax_drag", { app: "S", from_x: 60, from_y: 90, to_x: 70, to_y: 90 }],
  ["ax_key_press", { app: "S", key: "Tab" }],
  ["ax_screenshot", { app: "S" }],
  ["ax_get_value", NAME],
  ["ax_list_windows", { app: "S" }],
  ["ax_wait_idle", { app: "S" }],
  ["ax_workflow", { steps: [{ tool: "ax_get_value", args: NAME }] }],
  ["ax_assert", { ...NAME, assertions: { exists: true } }],
  ["ax_a11y_audit", { app: "S" }],
  ["ax_clipboard", { action: "read" }],
  ["ax_session_info", {}],
  ["ax_undo", {}],
  ["launch_application", { bundleId: "sim.editor" }],
  ["list_applications", {}],
  ["quit_application", { bundleId: "sim.calculator" }],
];

Deno.test("axterminator spec, sections 3.3 and 4.1: what is structured has an output schema that it fits, and tools have five hints", async () => {
  await fixture({ applications: ["sim.settings", "sim.calculator"] }, async (desk) => {
    await connected(desk);
    const listed = new Map(listTools(desk.host).map((one) => [one.name, one]));
    for (const { name, title, annotations, outputSchema } of listed.values()) {
      assert.deepEqual([annotations.title, Object.keys(annotations).length], [title, 5], name);
      // It answers a bare JSON array, which structured content cannot be.
      if (name !== "macos_interface_explorer") assert.ok(outputSchema, name);
    }
    for (const [name, args] of CALLS) {
      const reported = await answer(desk, name, args);
      const fits = checked(listed.get(name)?.outputSchema ?? {}, reported);
      assert.ok("value" in fits && Object.keys(reported).length > 0, `${name}: ${JSON.stringify(fits)}`);
    }
    const called = new Set(CALLS.map(([name]) => name));
    assert.deepEqual([...listed.keys()].filter((name) => !called.has(name)), [
      "ax_connect",
      "ax_find_visual",
      "ax_visual_diff",
      "ax_run_script",
      "macos_interface_explorer",
    ]);
  });
});

Deno.test("axterminator spec, section 4.3: roles read the same in every tool", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const roles: Json[] = [];
    for (const tool of ["ax_find", "ax_get_value", "ax_get_attributes"]) {
      roles.push((await answer(desk, tool, NAME))["role"] ?? null);
    }
    const tree = (await answer(desk, "ax_get_tree", { app: "S", root_query: NAME.query }))["tree"] ?? null;
    roles.push(isMap(tree) ? tree["role"] ?? null : null);
    const explored = await desk.tool("macos_interface_explorer", {
      scope: "application",
      bundleId: "sim.settings",
      filter: { titleContains: "Name" },
    });
    const [list] = explored.content.flatMap((one) =>
      one.type === "text" && one.text.startsWith("[") ? [one.text] : []
    );
    roles.push(JSON.parse(list ?? "[]")[0]?.role);
    assert.deepEqual(roles, Array(5).fill("AXTextField"));
  });
});

Deno.test("axterminator spec, section 14.2: the next action is planned from what was really done", async () => {
  const client = model("ax_click Save");
  await fixture({}, async (desk) => {
    await connected(desk);
    await answer(desk, "ax_set_value", { ...NAME, value: "a secret value" });
    await desk.tool("ax_click", { ...NAME, click_type: "double" });
    await getPrompt(
      desk.host,
      "automate-workflow",
      { workflow: "save it", apps: "Settings", dry_run: "yes" },
      desk.call({ client }),
    );
    const asked = JSON.stringify(client.asked);
    assert.match(
      asked,
      /Actions so far: ax_set_value 'textfield[^;]*' in S; ax_click 'textfield[^;]*' in S \(failed: needs_focus\)/,
    );
    assert.doesNotMatch(asked, /a secret value/);
  });
});

Deno.test("axterminator spec, section 9.1: progress is told in the published words", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const said = async (name: string, args: { readonly [name: string]: Json }) => {
      desk.reported.progress.length = 0;
      await answer(desk, name, args);
      return desk.reported.progress.map(({ message }) => message).join(" > ");
    };
    assert.match(
      await said("ax_get_tree", { app: "S" }),
      /Scanning window 1\/1 > Processing \d+ elements > Building tree/,
    );
    assert.match(
      await said("ax_a11y_audit", { app: "S" }),
      /Scanning elements \(\d+\/\d+\) > .*Checking labels > .*Checking contrast/,
    );
    const steps = [
      { tool: "ax_key_press", args: { app: "S", key: "s", modifiers: ["cmd"] } },
      { tool: "ax_find", args: { app: "S", query: "Volume" }, retry: 2 },
      { tool: "ax_key_press", args: { app: "S", key: "x" } },
    ];
    assert.equal(
      await said("ax_workflow", { steps }),
      "Step 1/3: ax_key_press (Cmd+S) > Step 2/3: ax_find 'Volume' (attempt 1/3) > Step 3/3: ax_key_press",
    );
  });
});

Deno.test("axterminator spec, section 17.1: a workflow that is cancelled names no step 0, and calls name no file", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const stop = new AbortController();
    const set = { tool: "ax_set_value", args: { ...NAME, value: "Grace" } };
    const running = desk.tool("ax_workflow", { steps: [{ ...set, wait_after_ms: 60_000 }, set] }, {
      signal: stop.signal,
    });
    for await (const _ of desk.desktop.log.entries) if (desk.reported.progress.length > 0) break;
    stop.abort();
    const text = JSON.stringify((await running).content);
    assert.match(text, /"Error: (?:Workflow cancelled after step \d\/2|ax_workflow was cancelled)/);
    assert.doesNotMatch(text, /Step 0/);
    const unknown = await failure(desk, "ax_workflow", {
      steps: [{ tool: "ax_get_value", args: { app: "S", query: "{{step_9.value}}" } }],
    });
    assert.match(JSON.stringify(unknown), /step 9 has not run here/);
    assert.doesNotMatch(JSON.stringify(unknown), /tool-calls\.json|"place"/);
  });
});

Deno.test("axterminator spec, section 18.2: pictures that are asked for at once are one", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    let taken = 0;
    const { desktop } = desk.host.desktop;
    const screenshot = desktop.screenshot.bind(desktop);
    Object.assign(desktop, {
      screenshot: (...args: Parameters<typeof screenshot>) => {
        taken++;
        return screenshot(...args);
      },
    });
    const shots = await Promise.all(
      Array.from({ length: 5 }, () => desk.tool("ax_screenshot", { app: "S" })),
    );
    assert.equal(taken, 1);
    assert.equal(new Set(shots.map(({ content }) => JSON.stringify(content))).size, 1);
    assert.equal(desk.reported.log.filter(({ data }) => data["cache_hit"] === true).length, 4);
  });
});
