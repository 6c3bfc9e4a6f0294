import assert from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { OPEN_PORTS } from "../contract/gate.ts";
import type { Image } from "../contract/participant.ts";
import type { Mode } from "../desktop/desktop.ts";
import { revive } from "../participants/revive.ts";
import { niriWindow, niriWorkspace } from "../wm/_niri.ts";
import { type WithNiri, withNiri } from "../wm/_with-niri.ts";
import { type Fixture, fixture } from "./_context.ts";

async function onNiri(
  body: (desk: Fixture, of: WithNiri) => Promise<void>,
  mode: Mode = "focus",
): Promise<void> {
  await withNiri(async (of) => {
    await using desk = fixture(["sim.settings"], { mode, windowManager: () => Promise.resolve(of.wm) });
    await body(desk, of);
  });
}

const words = ({ message, details }: BackstepError) => [message, JSON.stringify(details)].join(" ");

Deno.test("a workspace is meant by its name, its number on the output with the focus, or its id", async () => {
  await onNiri(async (desk, { niri }) => {
    niri.workspaces([
      niriWorkspace(12, { is_active: true, is_focused: true }),
      niriWorkspace(3, { idx: 2, name: "mail" }),
      niriWorkspace(5, { idx: 3 }),
      niriWorkspace(6, { idx: 3, output: "HDMI-A-1" }),
      niriWorkspace(8, { idx: 4, output: "HDMI-A-1", name: "7" }),
    ]);
    const goes = async (input: unknown) => {
      await desk.run("workspace", input);
      return niri.state.workspaces.find((one) => one["is_focused"])?.["id"];
    };
    assert.equal(await goes({ name: "mail" }), 3);
    assert.equal(await goes({ name: "3" }), 5);
    assert.equal(await goes({ name: "3", output: "HDMI-A-1" }), 6);
    assert.equal(await goes({ name: "7" }), 8);
    assert.equal(await goes({ id: 12 }), 12);
    const nowhere = await desk.fail("workspace", { name: "9" });
    assert.equal(nowhere.code, "not_found");
    assert.match(words(nowhere), /Cannot find workspace "9": 5 workspaces are there.*"name":"mail"/);
    assert.match(nowhere.hint ?? "", /workspace "mail"/);
    // niri makes its own.
    assert.equal((await desk.fail("workspace", { name: "new", create: true })).code, "not_found");
    for (const input of [{}, { name: "mail", id: 3 }, { name: "" }, { id: -1 }, { id: 1.5 }]) {
      assert.equal((await desk.fail("workspace", input)).code, "invalid");
    }
  });
});

Deno.test("a window is meant by id, application, process or title; of several it is not guessed", async () => {
  await onNiri(async (desk, { niri }) => {
    niri.state.windows = [
      niriWindow(1, { app_id: "org.example.Mail", title: "Inbox", pid: 11 }),
      niriWindow(2, { app_id: "org.example.Mail", title: "Draft", pid: 11 }),
      niriWindow(3, { app_id: "editor", title: "Draft", pid: 12 }),
      niriWindow(4, { app_id: null, title: null, pid: null, is_focused: true }),
    ];
    const meant = async (input: object) => {
      const { resolved } = await desk.gate.look({ operation: "window", input: { do: "close", ...input } });
      return resolved.subject;
    };
    assert.equal(await meant({ id: 2 }), 'close window "Draft"');
    assert.equal(await meant({ app: "editor" }), 'close window "Draft"');
    assert.equal(await meant({ app: "mail", title: "Inbox" }), 'close window "Inbox"');
    assert.equal(await meant({ app: "12" }), 'close window "Draft"');
    assert.equal(await meant({}), "close window 4");
    const several = await desk.fail("window", { do: "close", title: "Draft" });
    assert.equal(several.code, "ambiguous");
    assert.match(words(several), /2 are a window called "Draft".*"id":2.*"id":3/);
    const both = await desk.fail("window", { do: "close", app: "mail" });
    assert.match(words(both), /2 are a window of mail/);
    const nobody = await desk.fail("window", { do: "close", app: "nobody" });
    assert.equal(nobody.code, "not_found");
    assert.equal((await desk.fail("window", { do: "close", id: 99 })).code, "not_found");
    assert.deepEqual(niri.actions, []);
  });
});

Deno.test("what the window manager cannot do, or what needs one, is unsupported with a hint", async () => {
  await onNiri(async (desk) => {
    const minimised = await desk.fail("window", { do: "minimise" });
    assert.deepEqual([minimised.code, minimised.message], [
      "unsupported",
      "Cannot minimise a window: niri knows no such thing",
    ]);
    for (
      const input of [
        { do: "move-to-workspace" },
        { do: "move-to-workspace", workspace: "a", workspace_id: 1 },
        { do: "activate", workspace: "a" },
        { do: "close", create: true },
        { do: "move-to-workspace", workspace: "mail", x: 3 },
      ]
    ) assert.equal((await desk.fail("window", input)).code, "invalid", JSON.stringify(input));
  });
  await using desk = fixture(["sim.settings"]);
  const cases: [string, object][] = [
    ["workspace", { name: "mail" }],
    ["window", { do: "move-to-workspace", workspace: "mail" }],
    ["window", { do: "activate", id: 5 }],
  ];
  for (const [operation, input] of cases) {
    const error = await desk.fail(operation, input);
    assert.equal(error.code, "unsupported");
    assert.match(error.message, /no window manager answers on this desktop$/);
    assert.match(error.hint ?? "", /SWAYSOCK, I3SOCK or NIRI_SOCKET/);
  }
});

Deno.test("where the window manager should be there and does not answer, the display acts, and the result says why", async () => {
  const gone = new BackstepError("no_desktop", "Cannot reach the window manager at /run/i3: it is not there");
  await using desk = fixture(["sim.settings"], { windowManager: () => Promise.reject(gone) });
  const done = await desk.run("window", { do: "place", x: 30 });
  assert.deepEqual(Object(done)["tried"], [
    { method: "window manager", code: "no_desktop", reason: gone.message },
  ]);
  assert.equal((await desk.fail("workspace", { name: "mail" })).code, "no_desktop");
});

Deno.test("in the background nothing is shown and nothing takes the keyboard; what is behind may be moved", async () => {
  await onNiri(async (desk, { niri }) => {
    for (
      const [operation, input] of [["workspace", { name: "mail" }], ["window", { do: "activate", id: 40 }]]
    ) assert.equal((await desk.fail(String(operation), input)).code, "needs_focus");
    assert.deepEqual(niri.actions, []);
    await desk.run("window", { do: "move-to-workspace", id: 40, workspace_id: 12 });
    assert.equal(niri.actions.length, 1);
  }, "background");
});

Deno.test("what an act protects is found again by another process, and written back", async () => {
  await onNiri(async (desk, { niri, wm }) => {
    const input = { do: "move-to-workspace", id: 40, workspace_id: 12 };
    const { resolved, context: { session } } = await desk.gate.look({ operation: "window", input });
    assert.deepEqual(resolved.participants.map(({ kind }) => kind), [
      "managed-window",
      "shown-workspaces",
      "managed-focus",
    ]);
    const none = () => {
      throw new Error("no file is declared");
    };
    const store = { put: none, get: none };
    const before: Image[] = [];
    for (const one of resolved.participants) before.push(await one.capture(desk.desktop, {}));
    await desk.run("window", input);
    await desk.run("workspace", { name: "mail" });
    // Under another id the only one that is called the same is the one.
    niri.state.windows = niri.state.windows.map((one) => one["id"] === 40 ? { ...one, id: 41 } : one);
    for (const [at, one] of resolved.participants.entries()) {
      const image = before[at];
      assert.ok(image);
      const again = await revive(one.describe(), one.key, { session, store }, {});
      await again.restore(image, desk.desktop, {});
      assert.deepEqual(await again.capture(desk.desktop, {}), image, one.kind);
    }
    assert.equal((await wm.windows()).find(({ id }) => id === 41)?.workspace_id, 3);
    niri.close(41);
    const [window] = resolved.participants;
    assert.ok(window);
    await assert.rejects(revive(window.describe(), window.key, { session, store }, {}), {
      code: "app_not_running",
    });
  });
});

Deno.test("what the window manager took has begun, whatever came of it; what was not sent has not", async () => {
  await onNiri(async (desk, { niri }) => {
    const began: boolean[] = [];
    const gate = desk.gate.with({
      ...OPEN_PORTS,
      journal: {
        intent: () => Promise.resolve(),
        outcome: (_act, outcome) => Promise.resolve(void began.push(outcome.ok || outcome.began)),
      },
    });
    const tries = (name: string) => gate.dispatch({ operation: "workspace", input: { name } });
    niri.deaf = true;
    await assert.rejects(tries("mail"), { code: "no_effect" });
    await niri.stop();
    const lost = desk.gate.look({ operation: "workspace", input: { name: "mail" } });
    await assert.rejects(lost, { code: "no_desktop" });
    await niri.start();
    niri.deaf = false;
    niri.refuses = true;
    await assert.rejects(tries("mail"), { code: "refused" });
    assert.deepEqual(began, [true, false]);
  });
});

Deno.test("of two outputs each shows again what it showed, and the one that had the keyboard has it", async () => {
  await onNiri(async (desk, { niri }) => {
    niri.workspaces([
      niriWorkspace(12, { is_active: true }),
      niriWorkspace(3, { idx: 2, name: "mail" }),
      niriWorkspace(6, { output: "HDMI-A-1", is_active: true, is_focused: true }),
      niriWorkspace(8, { idx: 2, output: "HDMI-A-1" }),
    ]);
    const input = { name: "mail" };
    const { resolved } = await desk.gate.look({ operation: "workspace", input });
    const [shown] = resolved.participants;
    assert.ok(shown);
    const before = await shown.capture(desk.desktop, {});
    assert.deepEqual(before.properties, { shown: { "DP-1": "#12", "HDMI-A-1": "#6" }, focused: "#6" });
    await desk.run("workspace", input);
    assert.deepEqual((await shown.capture(desk.desktop, {})).properties["focused"], "#3 mail");
    assert.equal(await shown.restore(before, desk.desktop, {}), "niri switch");
    assert.deepEqual(await shown.capture(desk.desktop, {}), before);
    // A workspace without a name that ended does not come to be again.
    await desk.run("workspace", { id: 8 });
    niri.workspaces(niri.state.workspaces.filter((one) => one["id"] !== 6));
    await assert.rejects(Promise.resolve(shown.restore(before, desk.desktop, {})), {
      code: "stale",
      message: 'Cannot go back to workspace "#6": it is gone',
    });
  });
});
