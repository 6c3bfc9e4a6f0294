import { deepEqual, equal } from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { openSession } from "../session/open-session.ts";
import { NiriStandIn, niriState, niriWindow, niriWorkspace } from "../wm/_niri.ts";
import { connectNiri } from "../wm/niri-ipc.ts";
import { guardSession } from "./guarded-session.ts";
import { type AppLists, blockedBy } from "./lists.ts";

Deno.test("windows of what is denied are left out of the window manager's lists, and are nobody's active window", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wm-guard-"));
  const state = niriState();
  state.windows = [
    niriWindow(1, { app_id: "org.keepassxc.KeePassXC", pid: null }),
    niriWindow(2, { app_id: "org.example.Notes", pid: process.pid }),
  ];
  state.workspaces = [niriWorkspace(3, { active_window_id: 1 }), niriWorkspace(4, { active_window_id: 2 })];
  const niri = new NiriStandIn(join(folder, "niri.sock"), state);
  await niri.start();
  const manager = await connectNiri(niri.path);
  const simulated = await openSession({ kind: "simulated" });
  let lists: AppLists = { denied: [], allowed: [] };
  const session = guardSession({ ...simulated, windowManager: () => Promise.resolve(manager) }, {
    mode: "normal",
    get restricts() {
      return lists.denied.length + lists.allowed.length > 0;
    },
    blocked: (app) => blockedBy(lists, app),
  });
  const seen = async () => {
    const guarded = await session.windowManager?.();
    return [
      (await guarded?.windows())?.map(({ id }) => id),
      (await guarded?.workspaces())?.map(({ active_window_id }) => active_window_id),
    ];
  };
  try {
    deepEqual(await seen(), [[1, 2], [1, 2]]);
    lists = { denied: ["org.keepassxc.keepassxc"], allowed: [] };
    deepEqual(await seen(), [[2], [null, 2]]);
    lists = { denied: [], allowed: ["org.keepassxc.KeePassXC"] };
    deepEqual(await seen(), [[1], [1, null]]);
    lists = { denied: ["org.example.Notes", "org.keepassxc.KeePassXC"], allowed: [] };
    deepEqual(await seen(), [[], [null, null]]);
    equal(
      await session.windowManager?.(),
      await session.windowManager?.(),
      "the same one, so that it can be followed",
    );
  } finally {
    manager.close();
    await simulated.close();
    await niri.stop();
    rmSync(folder, { recursive: true });
  }
});
