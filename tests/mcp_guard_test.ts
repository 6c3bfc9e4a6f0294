import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { blockedBy, restricts } from "../src/policy/lists.ts";
import { guardSession } from "../src/policy/guarded-session.ts";
import type { AppIdentity, SecurityMode } from "../src/policy/security.ts";
import { openSession } from "../src/session/open-session.ts";

/** A policy that the test changes. */
const policy: {
  mode: SecurityMode;
  allowed: string[];
  denied: string[];
  readonly restricts: boolean;
  blocked(app: AppIdentity): string | undefined;
} = {
  mode: "normal",
  allowed: [],
  denied: [],
  get restricts() {
    return restricts(this);
  },
  blocked(app) {
    return blockedBy(this, app);
  },
};

Deno.test("on a private desktop an application that is denied is out of sight, black in pictures, out of reach, and its clipboard too", async () => {
  const raw = await openSession({ kind: "isolated" });
  const guarded = guardSession(raw, policy);
  try {
    const call = { timeout: 15_000 };
    await raw.launcher.launch("org.gnome.gedit", call);
    await raw.launcher.launch("gtk3-widget-factory", call);
    const applications = await raw.desktop.applications(call);
    const gedit = applications.find(({ name }) => name === "gedit");
    ok(gedit);
    const snapshot = await raw.desktop.snapshot(gedit, call);
    const windows = await raw.desktop.windows(call);
    const window = windows.find(({ pid }) => pid === gedit.pid);
    const other = windows.find(({ pid, popup }) => pid !== gedit.pid && !popup);
    ok(window && other);
    // Side by side: the one in the other's title bar would be judged with it.
    await raw.desktop.window(window.id, { do: "place", x: 0, y: 60, width: 500, height: 400 }, call);
    await raw.desktop.window(other.id, { do: "place", x: 620, y: 60 }, call);
    const activate = async (id: number) => {
      await raw.desktop.window(id, { do: "activate" }, call);
      const deadline = performance.now() + 10_000;
      // The window manager obeys when it gets to it.
      while (!(await raw.desktop.windows(call)).some((one) => one.id === id && one.active)) {
        ok(performance.now() < deadline, "the window does not come to the front");
      }
    };
    await activate(window.id);

    const listed = (await raw.launcher.list(call)).find(({ processId }) => processId === gedit.pid);
    for (const name of ["GEDIT", "org.gnome.gedit", listed?.name ?? "", "/usr/bin/gedit"]) {
      policy.denied = [name];
      const seen = (await guarded.desktop.applications(call)).map((one) => one.name);
      ok(!seen.includes("gedit") && seen.includes("gtk3-widget-factory"), `${name}: ${seen.join()}`);
      ok(!(await guarded.desktop.windows(call)).some(({ pid }) => pid === gedit.pid), name);
      ok(!(await guarded.launcher.list(call)).some(({ processId }) => processId === gedit.pid), name);
      await rejects(guarded.desktop.snapshot(gedit, call), { code: "policy" });
      await rejects(guarded.desktop.read(snapshot.element(1), call), { code: "policy" });
      await rejects(guarded.desktop.typeText("x", call), { code: "policy" });
      await rejects(guarded.launcher.launch(name, call), { code: "policy" });
    }
    const now = (await raw.desktop.windows(call)).find(({ id }) => id === window.id);
    ok(now);
    const { rect } = now;
    const click = { do: "click", x: rect.x + 50, y: rect.y + 100, button: "left", count: 1 } as const;
    await rejects(guarded.desktop.pointer(click, call), { code: "policy" });
    const picture = await guarded.desktop.screenshot({ what: "screen" }, call);
    for (
      const [x, y] of [[rect.x + 5, rect.y + 5], [rect.x + 100, rect.y + 200], [
        rect.x + 20,
        rect.y - 10,
      ]] as const
    ) {
      const at = 4 * (Math.max(0, y) * picture.width + x);
      deepEqual([...picture.rgba.subarray(at, at + 3)], [0, 0, 0], `${x}, ${y}`);
    }
    const part = await guarded.desktop.screenshot({ what: "window", window: other.id }, call);
    ok(part.rgba.some((value, at) => at % 4 !== 3 && value > 60), "what is allowed is seen");

    policy.denied = [];
    await guarded.desktop.pressKeys(["ctrl", "a"], call);
    await guarded.desktop.typeText("denied text", call);
    await guarded.desktop.pressKeys(["ctrl", "a"], call);
    await guarded.desktop.pressKeys(["ctrl", "c"], call);
    const deadline = performance.now() + 10_000;
    while (await guarded.desktop.readClipboard(call) !== "denied text") {
      ok(performance.now() < deadline, "it was not copied");
    }
    policy.denied = ["gedit"];
    await rejects(guarded.desktop.readClipboard(call), { code: "policy" });

    policy.denied = [];
    policy.allowed = ["gtk3-widget-factory"];
    deepEqual((await guarded.desktop.applications(call)).map(({ name }) => name), ["gtk3-widget-factory"]);
    await rejects(guarded.desktop.typeText("x", call), { code: "policy" });
    await activate(other.id);
    equal(await guarded.desktop.pressKeys(["Tab"], call), undefined);
  } finally {
    policy.allowed = policy.denied = [];
    await raw.close();
  }
});
