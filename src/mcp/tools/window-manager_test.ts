import assert from "node:assert/strict";
import { OPEN_SECURITY } from "../../policy/security.ts";
import { TOOLS } from "../../tools/all.ts";
import { type WithNiri, withNiri } from "../../wm/_with-niri.ts";
import { listTools, seekManager } from "../server/dispatch.ts";
import type { Host } from "../server/host.ts";
import type { ToolResult } from "../server/dispatch.ts";
import { type Fixture, fixture } from "../session/_host.ts";

const NAMES = TOOLS.filter(({ name }) => name.startsWith("wm_")).map(({ name }) => name);

async function onNiri(body: (one: Fixture, of: WithNiri) => Promise<void>): Promise<void> {
  await withNiri((of) => fixture({ windowManager: () => Promise.resolve(of.wm) }, (one) => body(one, of)));
}

function listed(host: Host): string[] {
  return listTools(host).map(({ name }) => name).filter((name) => name.startsWith("wm_"));
}

/** The resources of a result: their addresses, and what they hold. */
function resources({ content }: ToolResult): Record<string, Record<string, unknown>> {
  return Object.fromEntries(content.flatMap((one) => {
    if (one.type !== "resource") return [];
    assert.equal(one.resource.mimeType, "application/json+schema");
    return [[one.resource.uri, JSON.parse(one.resource.text)]];
  }));
}

Deno.test("wm_*: listed where a window manager answers, and only there", async () => {
  assert.equal(NAMES.length, 5);
  await fixture({}, async (one) => {
    await seekManager(one.host);
    assert.deepEqual(listed(one.host), []);
    await assert.rejects(one.tool("wm_focus_window", { window_id: 7 }), /Unknown tool: wm_focus_window/);
  });
  await onNiri(async (one, { niri }) => {
    assert.deepEqual(listed(one.host), []);
    await seekManager(one.host);
    assert.deepEqual(listed(one.host), NAMES);
    assert.equal(listTools(one.host), listTools(one.host), "the same list");
    await niri.stop();
    await seekManager(one.host);
    assert.deepEqual(listed(one.host), []);
    await niri.start();
  });
  await fixture({ windowManager: () => Promise.resolve(undefined) }, async (one) => {
    await seekManager(one.host);
    assert.deepEqual(listed(one.host), []);
  });
});

Deno.test("wm_*: not where nothing may be changed", async () => {
  await withNiri(({ wm }) =>
    fixture({
      windowManager: () => Promise.resolve(wm),
      security: { ...OPEN_SECURITY, mode: "sandboxed" },
    }, async (one) => {
      await seekManager(one.host);
      assert.deepEqual(listed(one.host), []);
      await assert.rejects(one.tool("wm_close_window", { window_id: 7 }), /Unknown tool/);
    })
  );
});

Deno.test("wm_*: each result holds what the act left, as the resource that it is", async () => {
  await onNiri(async (one, { niri }) => {
    // Called without having listed.
    const focused = await one.tool("wm_focus_window", { window_id: 40 });
    assert.deepEqual(focused.structuredContent?.["verdict"], "verified");
    assert.deepEqual(focused.structuredContent?.["effect"], "restorable");
    const at40 = resources(focused)["niri://windows/40"];
    assert.deepEqual([at40?.["id"], at40?.["is_focused"]], [40, true]);
    assert.equal(resources(focused)["niri://outputs/DP-1/workspaces/3"]?.["is_focused"], true);

    const moved = await one.tool("wm_move_window", {
      window_id: 7,
      x: -1400,
      y: 60,
      width: 500,
      height: 400,
    });
    assert.deepEqual(resources(moved)["niri://windows/7"]?.["content"], {
      x: -1400,
      y: 60,
      width: 500,
      height: 400,
    });

    const sent = await one.tool("wm_move_window_to_workspace", { window_id: 7, workspace: "mail" });
    assert.equal(resources(sent)["niri://windows/7"]?.["workspace_id"], 3);

    const shown = await one.tool("wm_switch_workspace", { workspace_id: 12 });
    assert.deepEqual(Object.keys(resources(shown)), ["niri://outputs/DP-1/workspaces/12"]);
    assert.equal(
      (await one.tool("wm_switch_workspace", { workspace_id: 12 })).structuredContent?.["verdict"],
      "already",
    );

    await one.tool("ax_undo", { count: 4 });
    const after = await one.host.desktop.windowManager?.();
    const windows = await after?.windows();
    assert.deepEqual(windows?.map(({ id, workspace_id, is_floating }) => [id, workspace_id, is_floating]), [
      [7, 12, false],
      [40, 3, true],
    ]);

    const closed = await one.tool("wm_close_window", { window_id: 7 });
    assert.equal(closed.structuredContent?.["effect"], "irreversible");
    assert.deepEqual(Object.keys(resources(closed)), ["niri://outputs/DP-1/workspaces/12"]);
    assert.deepEqual(niri.state.windows.map(({ id }) => id), [40]);
  });
});

Deno.test("wm_*: what cannot be is an error that lists what is there", async () => {
  await onNiri(async (one, { niri }) => {
    const cases: [string, Record<string, number | string>, RegExp][] = [
      ["wm_focus_window", { window_id: 99 }, /Cannot find window 99: 2 windows are there/],
      [
        "wm_switch_workspace",
        { workspace: "nope" },
        /Cannot find workspace \\?"nope\\?": 2 workspaces are there/,
      ],
      ["wm_switch_workspace", { workspace_id: 99 }, /Cannot find workspace #99/],
      ["wm_switch_workspace", {}, /Say which with `name`, or with `id`/],
      ["wm_move_window", { window_id: 7 }, /Say at least one of x, y, width, height/],
      ["wm_move_window_to_workspace", { window_id: 7 }, /Say which with `workspace`/],
      ["wm_move_window_to_workspace", { window_id: 7, workspace_id: 99 }, /Cannot find workspace #99/],
    ];
    for (const [tool, args, says] of cases) {
      const result = await one.tool(tool, args);
      assert.equal(result.isError, true, tool);
      assert.match(JSON.stringify(result.content), says);
    }
    assert.deepEqual(niri.actions, []);
    niri.deaf = true;
    const deaf = await one.tool("wm_focus_window", { window_id: 40 });
    assert.equal(deaf.isError, true);
    assert.match(JSON.stringify(deaf.content), /the window manager took it, and it reads otherwise/);
  });
});
