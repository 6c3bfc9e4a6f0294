import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { toBackstepError } from "../src/base/error.ts";
import { defined } from "../src/base/defined.ts";
import { catalogue } from "../src/catalogue.ts";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import type { Mode } from "../src/desktop/desktop.ts";
import { type NativeSession, openNative } from "../src/session/open-native.ts";
import type { DesktopSettings } from "../src/session/settings/settings.ts";
import { connectI3 } from "../src/wm/i3-ipc.ts";
import { withPlace } from "./cli/program.ts";
import { type Fixture, fixtureOf } from "./wayland/fixture.ts";

const Answer = z.looseObject({ method: z.string() });
/** What a program that a person starts in their session is given of it. */
const GIVEN = [
  "WAYLAND_DISPLAY",
  "SWAYSOCK",
  "DISPLAY",
  "XAUTHORITY",
  "HOME",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
];

/** Does something with the environment of the person's session. */
async function within<T>(
  there: NativeSession,
  changes: Record<string, string | undefined>,
  use: () => Promise<T>,
): Promise<T> {
  const wanted = { ...Object.fromEntries(GIVEN.map((name) => [name, there.environment[name]])), ...changes };
  const before = new Map(Object.keys(wanted).map((name) => [name, process.env[name]]));
  const put = ([name, value]: readonly [string, string | undefined]) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  try {
    Object.entries(wanted).forEach(put);
    return await use();
  } finally {
    [...before].forEach(put);
  }
}

function attach(there: NativeSession, settings?: DesktopSettings, mode?: Mode): Promise<NativeSession> {
  return within(there, {}, () => openNative({ kind: "attach", ...defined({ settings, mode }) }));
}

const WORKFLOW = `name: Text
app: "APP"
steps:
  - set: { target: 'textfield[name="Text"]', value: Ada }
`;
const WAYLAND = { display: "wayland" } as const;

Deno.test("a person's own sway: attached to on request, in the background, with focus", async (t) => {
  const state = mkdtempSync(join(tmpdir(), "backstep-own-"));
  const there = await openNative({ kind: "isolated", state, settings: WAYLAND });
  const sessions = [there];
  let fixture: Fixture | undefined;
  try {
    const own = fixture = await fixtureOf("GTK 3");
    const { processId } = await there.launcher.launch(own.program, { args: own.args });
    const app = String(processId);
    const method = async (session: NativeSession, operation: string, input: unknown) => {
      const gate = new Gate({ operations: catalogue, session, folder: "/", ports: OPEN_PORTS });
      return Answer.parse((await gate.dispatch({ operation, input }, { app })).output).method;
    };
    const quiet = await attach(there, WAYLAND);
    sessions.push(quiet);

    await t.step("results say which desktop it is", () => {
      assert.deepEqual([quiet.kind, quiet.desktop.mode, quiet.desktop.capabilities.display], [
        "attached",
        "background",
        "wayland",
      ]);
      assert.equal(quiet.label, `wayland:${there.environment["WAYLAND_DISPLAY"]} (yours, in the background)`);
    });

    await t.step("what accessibility does is done", async () => {
      assert.equal(await method(quiet, "click", { target: 'button[name="b7"]' }), "Action.DoAction(click)");
      assert.deepEqual(await own.until("click ", 1), ["click b7"]);
      assert.equal(
        await method(quiet, "set", { target: 'textfield[name="Text"]', value: "Grace" }),
        "EditableText.SetTextContents",
      );
      assert.equal((await own.until("text ", 1)).at(-1), "text Grace");
    });

    await t.step("that we came was not noticed: the keyboard stayed where it was", async () => {
      await own.until("click ", 1);
      assert.deepEqual(own.lines().filter((line) => line.startsWith("focus ")), ["focus in"]);
    });

    await t.step("its window manager tells where windows are", async () => {
      const [window] = (await quiet.desktop.windows()).filter(({ pid }) => pid === processId);
      assert.ok(window && window.rect.width > 100, JSON.stringify(window));
    });

    await t.step("keys and the pointer are refused, and nothing reaches the program", async () => {
      const before = own.lines().length;
      const actions: [string, unknown][] = [
        ["press", { keys: "a" }],
        ["click", { target: 'button[name="b1"]', count: 2 }],
        ["focus", { target: 'button[name="b1"]' }],
      ];
      for (const [operation, input] of actions) {
        const error = await method(quiet, operation, input).then(() => undefined, toBackstepError);
        assert.equal(error?.code, "needs_focus", `${operation}: ${error?.message}`);
      }
      assert.equal(own.lines().length, before);
    });

    const busy = await attach(there, WAYLAND, "focus");
    sessions.push(busy);

    await t.step("with mode: focus keys arrive", async () => {
      assert.equal(busy.label, `wayland:${there.environment["WAYLAND_DISPLAY"]} (yours)`);
      await method(busy, "focus", { target: 'textfield[name="Text"]' });
      await method(busy, "press", { keys: "End" });
      assert.match(await method(busy, "press", { keys: "x" }), /^Wayland /);
      assert.equal((await own.until("text ", 2)).at(-1), "text Gracex");
      await method(busy, "type", { into: 'textfield[name="Text"]', text: " Höpper" });
      assert.equal((await own.until("text ", 9)).at(-1), "text Gracex Höpper");
    });

    await t.step("a tiled window is clicked where it lies", async () => {
      const manager = await connectI3(there.environment["SWAYSOCK"] ?? "");
      await manager.command(`[pid=${processId}] floating disable`).finally(() => manager.close());
      const clicked = await method(busy, "click", { target: 'button[name="b11"]', count: 2 });
      assert.equal(clicked, "Wayland click");
      assert.deepEqual(await own.until("click ", 3), ["click b7", "click b11", "click b11"]);
    });

    await t.step("who does not ask for it is attached to X11 as before", async () => {
      const x11 = await attach(there);
      sessions.push(x11);
      assert.equal(x11.label, `${there.environment["DISPLAY"]} (yours, in the background)`);
      assert.equal(x11.desktop.capabilities.display, "x11");
    });

    await t.step(
      "other settings of a desktop that is there are refused, and a display that is not",
      async () => {
        await assert.rejects(attach(there, { ...WAYLAND, scale: 2 }), {
          code: "unsupported",
          message: /your own desktop/,
        });
        const missing = within(
          there,
          { WAYLAND_DISPLAY: undefined },
          () => openNative({ kind: "attach", settings: WAYLAND }),
        );
        await assert.rejects(missing, { code: "no_desktop", message: /WAYLAND_DISPLAY is not set/ });
        const unmanaged = within(
          there,
          { SWAYSOCK: undefined },
          () => openNative({ kind: "attach", settings: WAYLAND }),
        );
        await assert.rejects(unmanaged, {
          code: "unsupported",
          message: /SWAYSOCK and NIRI_SOCKET are not set/,
        });
      },
    );

    await t.step("on the command line a workflow runs there, and its undo finds it again", async () => {
      await withPlace(async (place) => {
        // Deno finds its packages by HOME.
        const given = GIVEN.filter((name) => name !== "HOME");
        const env = Object.fromEntries(given.map((name) => [name, there.environment[name]]));
        const file = place.file("text.yaml", WORKFLOW.replace("APP", app));
        const onIt = ["--session", "attach", "--display", "wayland", "--mode", "focus"];
        const ran = await place.run(["run", file, ...onIt], { env });
        assert.equal(ran.code, 0, ran.err);
        assert.match(
          ran.out + ran.err,
          /Wayland does not tell a client what others do with keyboard and pointer/,
        );
        assert.equal(own.lines().at(-1), "text Ada");
        const name = /\d{8}-\d{6}-\w{6}/.exec(ran.out)?.[0] ?? ran.out;
        const elsewhere = await place.run(["undo", name], { env: { ...env, WAYLAND_DISPLAY: undefined } });
        assert.match(elsewhere.out + elsewhere.err, /your Wayland desktop: WAYLAND_DISPLAY is not set/);
        const undone = await place.run(["undo", name], { env });
        assert.equal(undone.code, 0, undone.out + undone.err);
        assert.equal(own.lines().at(-1), "text Gracex Höpper");
        const words = ["value", 'textfield[name="Text"]', "--app", app, "--display", "wayland"];
        const { code, out, err } = await place.run(words, { env });
        assert.deepEqual([code, out.trim()], [0, "Gracex Höpper"], err);
        const check = await place.run(["check", "--quick"], { env });
        assert.match(check.out, /✓ your Wayland session +sway at wayland:\//);
      });
    });
  } finally {
    for (const session of sessions.reverse()) await session.close();
    await fixture?.close();
    rmSync(state, { recursive: true, force: true });
  }
});
