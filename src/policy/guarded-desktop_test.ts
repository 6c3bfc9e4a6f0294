import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { instead } from "../desktop/_instead.ts";
import type { Desktop, Window } from "../desktop/desktop.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../desktop/simulated/simulated-desktop.ts";
import { openSession } from "../session/open-session.ts";
import { blockedBy, restricts } from "./lists.ts";
import { guardDesktop } from "./guarded-desktop.ts";
import { guardSession } from "./guarded-session.ts";
import type { AppIdentity, SecurityMode } from "./security.ts";

const BLOCKED = { code: "policy", message: "App 'Settings' is blocked by security policy" };

/** A policy that tests change. */
class Lists {
  mode: SecurityMode = "normal";
  allowed: string[] = [];
  denied: string[] = [];

  get restricts() {
    return restricts(this);
  }

  blocked(app: AppIdentity) {
    return blockedBy(this, app);
  }
}

async function withDesktop(
  work: (fixture: { raw: SimulatedDesktop; desktop: Desktop; lists: Lists }) => Promise<void>,
) {
  const raw = simulate({ applications: ["sim.settings", "sim.calculator"], clock: "virtual" });
  const lists = new Lists();
  try {
    await work({ raw, lists, desktop: guardDesktop(raw, lists) });
  } finally {
    await raw.close();
  }
}

async function windowOf(raw: Desktop, windowClass: string): Promise<Window> {
  const window = (await raw.windows()).find((one) => one.windowClass === windowClass);
  ok(window);
  return window;
}

const middleOf = ({ rect }: Window) => ({
  x: Math.floor(rect.x + rect.width / 2),
  y: Math.floor(rect.y + rect.height / 2),
});

Deno.test("without lists nothing is judged, and a list takes effect at the next call", async () => {
  await withDesktop(async ({ desktop, lists }) => {
    equal((await desktop.applications()).length, 2);
    lists.denied = ["settings"];
    equal((await desktop.applications()).length, 1);
    lists.denied = [];
    equal((await desktop.applications()).length, 2);
  });
});

Deno.test("what is denied is left out of lists of applications and windows", async () => {
  await withDesktop(async ({ desktop, lists }) => {
    lists.denied = ["sim.settings"];
    deepEqual((await desktop.applications()).map(({ name }) => name), ["Calculator"]);
    deepEqual((await desktop.windows()).map(({ windowClass }) => windowClass), ["sim.calculator"]);
  });
});

Deno.test("where some are allowed, everything else is left out", async () => {
  await withDesktop(async ({ raw, desktop, lists }) => {
    lists.allowed = ["Calculator"];
    deepEqual((await desktop.applications()).map(({ name }) => name), ["Calculator"]);
    await raw.window((await windowOf(raw, "sim.settings")).id, { do: "activate" });
    await rejects(desktop.pressKeys(["Tab"]), BLOCKED);
    await raw.window((await windowOf(raw, "sim.calculator")).id, { do: "activate" });
    await desktop.pressKeys(["Tab"]);
  });
});

Deno.test("an element of what became denied can be neither read nor touched, whoever holds it", async () => {
  await withDesktop(async ({ raw, desktop, lists }) => {
    const settings = (await desktop.applications()).find(({ name }) => name === "Settings");
    ok(settings);
    const snapshot = await desktop.snapshot(settings);
    const element = snapshot.element(1);
    lists.denied = ["Settings"];
    const before = raw.log.entries.length;
    await rejects(desktop.snapshot(settings), BLOCKED);
    await rejects(desktop.read(element), BLOCKED);
    await rejects(desktop.act(element, { do: "focus" }), BLOCKED);
    await rejects(desktop.elementAt(settings, 1, 1), BLOCKED);
    equal(raw.log.entries.length, before, "nothing was done");
  });
});

Deno.test("keys and text are judged by the window that has them at that moment", async () => {
  await withDesktop(async ({ raw, desktop, lists }) => {
    lists.denied = ["Settings"];
    const [settings, calculator] = [
      await windowOf(raw, "sim.settings"),
      await windowOf(raw, "sim.calculator"),
    ];
    await raw.window(calculator.id, { do: "activate" });
    await desktop.pressKeys(["Tab"]);
    await raw.window(settings.id, { do: "activate" });
    await rejects(desktop.pressKeys(["Tab"]), BLOCKED);
    await rejects(desktop.typeText("x"), BLOCKED);
    await raw.window(calculator.id, { do: "activate" });
    await desktop.typeText("1");
  });
});

Deno.test("a place is judged by the window that lies there at that moment, both ends of a drag", async () => {
  await withDesktop(async ({ raw, desktop, lists }) => {
    lists.denied = ["Settings"];
    const [settings, calculator] = [
      await windowOf(raw, "sim.settings"),
      await windowOf(raw, "sim.calculator"),
    ];
    await raw.window(settings.id, { do: "place", x: 0, y: 0 });
    await raw.window(calculator.id, { do: "place", x: 700, y: 500 });
    await raw.window(calculator.id, { do: "activate" });
    const [there, here] = [
      middleOf(await windowOf(raw, "sim.settings")),
      middleOf(await windowOf(raw, "sim.calculator")),
    ];
    const click = { do: "click", button: "left", count: 1 } as const;
    await rejects(desktop.pointer({ ...click, ...there }), BLOCKED);
    await rejects(desktop.pointer({ do: "wheel", ...there, right: 0, down: 1 }), BLOCKED);
    await rejects(desktop.pointer({ do: "move", ...there }), BLOCKED);
    const drag = { do: "drag", button: "left", duration: 0 } as const;
    await rejects(desktop.pointer({ ...drag, ...here, toX: there.x, toY: there.y }), BLOCKED);
    await rejects(desktop.pointer({ ...drag, ...there, toX: here.x, toY: here.y }), BLOCKED);
    await desktop.pointer({ ...click, ...here });
    await raw.window(calculator.id, { do: "place", x: 0, y: 0 });
    await raw.window(calculator.id, { do: "activate" });
    await desktop.pointer({ ...click, ...middleOf(await windowOf(raw, "sim.calculator")) });
  });
});

Deno.test("where a desktop does not tell its windows, a list leaves no place, no key and no picture to anybody", async () => {
  const nobody = { code: "policy", message: "App 'unknown' is blocked by security policy" };
  await withDesktop(async ({ raw, lists }) => {
    const { id } = await windowOf(raw, "sim.calculator");
    const blind = instead(raw, { capabilities: { ...raw.capabilities, windows: false } });
    const desktop = guardDesktop(blind, lists);
    const click = { do: "click", button: "left", count: 1, x: 5, y: 5 } as const;
    await desktop.pointer(click);
    await desktop.screenshot({ what: "screen" });
    for (const names of [{ denied: ["Settings"], allowed: [] }, { denied: [], allowed: ["Calculator"] }]) {
      Object.assign(lists, names);
      await rejects(desktop.pointer(click), nobody);
      await rejects(desktop.pressKeys(["Tab"]), nobody);
      await rejects(desktop.window(id, { do: "activate" }), nobody);
      await rejects(desktop.screenshot({ what: "screen" }), nobody);
      await rejects(desktop.screenshot({ what: "window", window: id }), nobody);
      await rejects(
        desktop.screenshot({ what: "rect", rect: { x: 0, y: 0, width: 5, height: 5 } }),
        nobody,
      );
    }
  });
});

Deno.test("a denied window cannot be moved, closed, raised or pictured", async () => {
  await withDesktop(async ({ raw, desktop, lists }) => {
    lists.denied = ["Settings"];
    const { id } = await windowOf(raw, "sim.settings");
    await rejects(desktop.window(id, { do: "close" }), BLOCKED);
    await rejects(desktop.window(id, { do: "activate" }), BLOCKED);
    await rejects(desktop.screenshot({ what: "window", window: id }), BLOCKED);
  });
});

Deno.test("a denied window is black in pictures of the screen, what lies above it is not", async () => {
  await withDesktop(async ({ raw, desktop, lists }) => {
    const settings = await windowOf(raw, "sim.settings");
    const calculator = await windowOf(raw, "sim.calculator");
    await raw.window(settings.id, { do: "place", x: 100, y: 100 });
    await raw.window(calculator.id, { do: "place", x: 150, y: 150 });
    await raw.window(calculator.id, { do: "activate" });
    const [below, above] = [await windowOf(raw, "sim.settings"), await windowOf(raw, "sim.calculator")];
    const open = await raw.screenshot({ what: "screen" });
    lists.denied = ["Settings"];
    const inside = ({ rect }: Window, x: number, y: number) =>
      x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
    for (
      const [area, dx, dy] of [
        [{ what: "screen" }, 0, 0],
        [{ what: "rect", rect: { x: 90, y: 95, width: 300, height: 200 } }, 90, 95],
      ] as const
    ) {
      const picture = await desktop.screenshot(area);
      let [dark, kept] = [0, 0];
      for (let y = 0; y < picture.height; y++) {
        for (let x = 0; x < picture.width; x++) {
          const at = 4 * (y * picture.width + x);
          const from = 4 * ((y + dy) * open.width + x + dx);
          if (inside(above, x + dx, y + dy)) {
            deepEqual(picture.rgba[at], open.rgba[from]);
            kept++;
          } else if (inside(below, x + dx, y + dy)) {
            if (picture.rgba[at] || picture.rgba[at + 1] || picture.rgba[at + 2]) {
              ok(false, `${x}, ${y} shows`);
            }
            dark++;
          }
        }
      }
      ok(dark > 1_000 && kept > 1_000, `${dark} ${kept}`);
    }
  });
});

Deno.test("the clipboard is refused where the server only looks", async () => {
  await withDesktop(async ({ desktop, lists }) => {
    await desktop.writeClipboard("x");
    lists.mode = "sandboxed";
    await rejects(desktop.readClipboard(), { code: "policy" });
    await rejects(desktop.writeClipboard("y"), { code: "policy" });
  });
});

Deno.test("events of what is denied do not arrive", async () => {
  await withDesktop(async ({ raw, desktop, lists }) => {
    lists.denied = ["Settings"];
    const watch = desktop.watch();
    const settings = (await raw.applications()).find(({ name }) => name === "Settings");
    ok(settings);
    const snapshot = await raw.snapshot(settings);
    const row = Array.from({ length: snapshot.size }, (_, n) => n).find((n) => snapshot.name(n) === "Name");
    ok(row !== undefined);
    await raw.act(snapshot.element(row), { do: "setText", text: "secret" });
    await watch.next({ timeout: 1_000 });
    deepEqual(watch.take(), []);
    lists.denied = [];
    await raw.act(snapshot.element(row), { do: "setText", text: "no secret" });
    equal(await watch.next({ timeout: 1_000 }), "event");
    ok(watch.take().length > 0, "what is not denied is told");
    watch.close();
  });
});

Deno.test("what is denied is neither listed by the launcher nor launched nor quit, by none of its names", async () => {
  const session = await openSession({ kind: "simulated" });
  const lists = new Lists();
  lists.denied = ["Settings"];
  const guarded = guardSession(session, lists);
  try {
    ok(!(await guarded.launcher.catalogue()).some(({ id }) => id === "sim.settings"));
    await rejects(guarded.launcher.launch("sim.settings"), { code: "policy" });
    await session.launcher.launch("sim.settings");
    deepEqual(await guarded.launcher.list(), []);
    for (const name of ["sim.settings", "SETTINGS", "sim.settings.desktop"]) {
      await rejects(guarded.launcher.quit(name), { code: "policy" });
    }
    await guarded.launcher.launch("sim.calculator");
    equal((await guarded.launcher.list()).length, 1);
    await guarded.launcher.quit("sim.calculator");
  } finally {
    await session.close();
  }
});
