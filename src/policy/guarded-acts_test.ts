import { deepEqual, equal, rejects } from "node:assert/strict";
import { Deadline } from "../base/call.ts";
import { catalogue } from "../catalogue.ts";
import { Gate, OPEN_PORTS } from "../contract/gate.ts";
import { openSession } from "../session/open-session.ts";
import { niriWindow } from "../wm/_niri.ts";
import { withNiri } from "../wm/_with-niri.ts";
import { guardSession } from "./guarded-session.ts";
import { SendJudge } from "./judgement/send-judge.ts";
import { blockedBy, restricts } from "./lists.ts";
import type { AppIdentity } from "./security.ts";

Deno.test("windows of what is denied are in no list of the window manager, and no act finds them", async () => {
  await withNiri(async ({ wm, niri }) => {
    const raw = await openSession({ kind: "simulated" });
    const lists: { allowed: string[]; denied: string[] } = { allowed: [], denied: [] };
    try {
      await raw.launcher.launch("sim.settings");
      const [settings] = await raw.desktop.windows();
      niri.state.windows = [
        niriWindow(7, { app_id: "org.example.Bank", title: "Account", pid: 90_001, is_focused: true }),
        niriWindow(8, { app_id: "org.example.App", title: "Draft", pid: 90_002 }),
        // Whose these are only the display tells, of a window that is called so.
        niriWindow(9, { app_id: settings?.windowClass ?? "", title: settings?.title ?? "", pid: null }),
        niriWindow(10, { app_id: "stray", title: "stray", pid: null }),
      ];
      const session = guardSession({ ...raw, windowManager: () => Promise.resolve(wm) }, {
        mode: "normal",
        get restricts() {
          return restricts(lists);
        },
        blocked: (app: AppIdentity) => blockedBy(lists, app),
      });
      const ids = async () => (await (await session.windowManager?.())?.windows() ?? []).map(({ id }) => id);
      const active = async () =>
        (await (await session.windowManager?.())?.workspaces() ?? []).map((one) => one.active_window_id);
      deepEqual([await ids(), await active()], [[7, 8, 9, 10], [null, 7]]);
      lists.denied = ["org.example.Bank"];
      equal((await ids()).includes(7), false);
      deepEqual(await active(), [null, null]);
      lists.denied = ["Settings"];
      equal((await ids()).includes(9), false);
      // Nobody knows whose it is.
      lists.denied = [];
      lists.allowed = ["org.example.App", "Settings"];
      deepEqual(await ids(), [8, 9]);
      const gate = new Gate({ operations: catalogue, session, folder: "/", ports: OPEN_PORTS });
      for (
        const input of [{ do: "activate", id: 7 }, { do: "close", id: 10 }, { do: "close", title: "Account" }]
      ) {
        await rejects(gate.dispatch({ operation: "window", input }), { code: "not_found" });
      }
      await gate.dispatch({ operation: "window", input: { do: "close", id: 8 } });
      deepEqual(niri.actions, [{ CloseWindow: { id: 8 } }]);
    } finally {
      await raw.close();
    }
  });
});

Deno.test("to close a window is judged as destructive when it is foreseen and when it is sent; the rest is not", async () => {
  await withNiri(async ({ wm }) => {
    const raw = await openSession({ kind: "simulated" });
    const session = { ...raw, windowManager: () => Promise.resolve(wm) };
    const sent: string[] = [];
    const gate = new Gate({
      operations: catalogue,
      session,
      folder: "/",
      ports: {
        ...OPEN_PORTS,
        policy: [{
          admit: ({ resolved }) => void sent.push(resolved.reaches.map(({ by }) => by).join()),
          async send(what) {
            const scene = { desktop: raw.desktop, deadline: Deadline.after(5_000) };
            const hits = await new SendJudge(scene, []).judge(what);
            sent.push(hits.map(({ kind, name, mark }) => `${kind} ${name} ${mark.path}`).join());
            if (hits.length > 0) throw new Error("no");
          },
        }],
      },
    });
    try {
      await gate.dispatch({ operation: "workspace", input: { name: "mail" } });
      await gate.dispatch({ operation: "window", input: { do: "activate", id: 7 } });
      deepEqual(sent.splice(0), ["", "", "", ""]);
      await rejects(gate.dispatch({ operation: "window", input: { do: "close", id: 7 } }), /no/);
      deepEqual(sent, ["close", "destructive window 7 window 7"]);
      deepEqual((await wm.windows()).length, 2);
    } finally {
      await raw.close();
    }
  });
});
