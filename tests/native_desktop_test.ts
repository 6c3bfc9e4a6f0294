import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { isDeepStrictEqual } from "node:util";
import { Deadline } from "../src/base/call.ts";
import { connectNative } from "../src/desktop/native/connect.ts";
import type { Application, Desktop, ElementRef, Rect, Watch } from "../src/desktop/desktop.ts";
import type { Snapshot } from "../src/desktop/snapshot.ts";
import { hasState, State } from "../src/desktop/states.ts";
import { defaultLibraryPath } from "../src/ffi/library.ts";
import { ScratchDesktop } from "./scratch-desktop.ts";

const ROLE_CHECK_BOX = 7;
const ROLE_TEXT = 61;

/** Runs a look again after every event until it finds something. */
async function until<T>(watch: Watch, what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Deadline.after(20_000);
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (deadline.passed) throw new Error(`it never came to this: ${what}`);
    await watch.next({ timeout: Math.min(500, Math.max(1, deadline.remaining())) });
    watch.take();
  }
}

/** Connects, starts a program, and waits until it shows a window full of widgets. */
async function open(
  scratch: ScratchDesktop,
  program: string,
): Promise<{ desk: Desktop; app: Application; watch: Watch }> {
  const desk = await connectNative({
    kind: "isolated",
    label: `${scratch.display} (test)`,
    sessionBus: scratch.sessionBus,
    display: scratch.display,
  });
  const watch = desk.watch();
  const { pid } = scratch.launch(program);
  const app = await until(watch, `${program} shows its window`, async () => {
    const found = (await desk.applications()).find((a) => a.pid === pid);
    if (!found || !(await desk.windows()).some((w) => w.pid === pid)) return undefined;
    return (await desk.snapshot(found, { fields: [] })).size > 100 ? found : undefined;
  });
  return { desk, app, watch };
}

function rowWhere(tree: Snapshot, what: string, fits: (row: number) => boolean): number {
  for (let row = 0; row < tree.size; row++) if (fits(row)) return row;
  throw new Error(`the tree has no ${what}`);
}

function centre(rect: Rect | undefined): { x: number; y: number } {
  assert.ok(rect, "the element has no rectangle");
  return { x: Math.floor(rect.x + rect.width / 2), y: Math.floor(rect.y + rect.height / 2) };
}

async function isChecked(desk: Desktop, element: ElementRef): Promise<boolean> {
  const { statesLow, statesHigh } = await desk.read(element);
  return hasState(statesLow, statesHigh, State.checked);
}

Deno.test("the native desktop drives a GTK 3 application on a private display", async (t) => {
  await using scratch = await ScratchDesktop.start();
  const { desk, app, watch } = await open(scratch, "gtk3-widget-factory");
  let tree = await desk.snapshot(app);
  const usable = (row: number) => tree.has(row, "enabled") && tree.has(row, "showing");
  const entryRow = rowWhere(
    tree,
    "editable entry",
    (row) =>
      tree.role(row) === ROLE_TEXT && tree.text(row) === "entry" && tree.has(row, "editable") && usable(row),
  );
  const entry = tree.element(entryRow);
  const box = tree.element(
    rowWhere(tree, "check box", (row) => tree.role(row) === ROLE_CHECK_BOX && usable(row)),
  );

  await t.step("it offers what a display and an accessibility bus give", () => {
    assert.deepEqual(desk.capabilities, {
      accessibility: true,
      input: true,
      pictures: true,
      clipboard: true,
      display: "x11",
      windows: true,
    });
    assert.match(app.toolkit, /gtk/i);
  });

  await t.step("a snapshot holds the tree in preorder, and what is off screen has no place", () => {
    assert.ok(tree.size > 200, `${tree.size} nodes`);
    assert.equal(tree.parent(0), -1);
    for (let row = 0; row < tree.size; row++) {
      const rect = tree.rect(row);
      if (rect) assert.ok(rect.x > -10_000 && rect.y > -10_000 && rect.width >= 0, JSON.stringify(rect));
    }
  });

  await t.step("one element read afresh equals its row", async () => {
    const reading = await desk.read(entry);
    assert.deepEqual(
      [reading.role, reading.name, reading.text, reading.rect],
      [ROLE_TEXT, tree.name(entryRow), "entry", tree.rect(entryRow)],
    );
    assert.ok(reading.actions.includes("activate"), reading.actions.join());
  });

  await t.step(
    "a reading is shared until something is sent, or the application reports of its element",
    async () => {
      await until(watch, "a reading is shared", async () => {
        const reading = await desk.read(box);
        return await desk.read(box, { recent: true }) === reading ? true : undefined;
      });
      const reading = await desk.read(entry);
      await desk.act(entry, { do: "setText", text: "sent since" });
      const sent = await desk.read(entry, { recent: true });
      assert.notEqual(sent, reading);
      assert.equal(sent.text, "sent since");
      // Somebody else's change: this desktop sends nothing.
      const other = await connectNative({
        kind: "isolated",
        label: `${scratch.display} (somebody else)`,
        sessionBus: scratch.sessionBus,
        display: scratch.display,
      });
      try {
        await other.applications();
        const changes = desk.watch(app);
        await other.act(entry, { do: "setText", text: "entry" });
        await until(changes, "an event of the text arrives", async () => {
          const reported = changes.take().some(({ path, kind }) =>
            path === entry.path && kind.startsWith("object:text-changed")
          );
          return await Promise.resolve(reported ? true : undefined);
        });
        changes.close();
        assert.equal((await desk.read(entry, { recent: true })).text, "entry");
      } finally {
        await other.close();
      }
    },
  );

  await t.step("text that is set is read back, and the change comes through a watch", async () => {
    const changes = desk.watch(app);
    await desk.act(entry, { do: "setText", text: "Backstep ✓ 😀" });
    await until(changes, "an event tells of the text", async () => {
      const reported = changes.take().some((e) =>
        e.path === entry.path && e.kind.startsWith("object:text-changed")
      );
      return await Promise.resolve(reported ? true : undefined);
    });
    assert.equal((await desk.read(entry)).text, "Backstep ✓ 😀");
    changes.close();
  });

  await t.step("an action toggles a check box", async () => {
    const before = await isChecked(desk, box);
    await desk.act(box, { do: "action", name: "click" });
    await until(
      watch,
      "the box toggles",
      async () => await isChecked(desk, box) !== before ? true : undefined,
    );
  });

  await t.step("typed keys reach the focused entry, and a chord selects what was there", async () => {
    await desk.act(entry, { do: "focus" });
    await until(watch, "the entry has the focus", async () => {
      const { statesLow, statesHigh } = await desk.read(entry);
      return hasState(statesLow, statesHigh, State.focused) ? true : undefined;
    });
    await desk.pressKeys(["ctrl", "a"]);
    await desk.typeText("héllo, Wörld €!");
    await until(
      watch,
      "the typed text stands there",
      async () => (await desk.read(entry)).text === "héllo, Wörld €!" ? true : undefined,
    );
  });

  await t.step(
    "a pointer click at its place toggles the check box, and the same point finds it",
    async () => {
      const at = centre((await desk.read(box)).rect);
      assert.equal((await desk.elementAt(app, at.x, at.y))?.path, box.path);
      const before = await isChecked(desk, box);
      await desk.pointer({ do: "click", ...at, button: "left", count: 1 });
      await until(
        watch,
        "the box toggles",
        async () => await isChecked(desk, box) !== before ? true : undefined,
      );
    },
  );

  await t.step("a picture of the screen shows more than one colour, fully opaque", async () => {
    const { width, height, rgba } = await desk.screenshot({ what: "screen" });
    assert.deepEqual([width, height, rgba.length], [1280, 800, 1280 * 800 * 4]);
    const colours = new Set<number>();
    const view = new DataView(rgba.buffer, rgba.byteOffset, rgba.byteLength);
    for (let at = 0; at < rgba.length; at += 4) {
      colours.add(view.getUint32(at));
      if (rgba[at + 3] !== 255) throw new Error(`pixel ${at / 4} is not opaque`);
    }
    assert.ok(colours.size > 50, `${colours.size} colours`);
    const rect = { x: 3, y: 4, width: 30, height: 20 };
    const part = await desk.screenshot({ what: "rect", rect });
    const again = await desk.screenshot({ what: "rect", rect }, {
      into: await desk.screenshot({ what: "screen" }),
    });
    assert.deepEqual([again.width, again.height, again.rgba], [part.width, part.height, part.rgba]);
    assert.deepEqual([part.width, part.height], [30, 20]);
  });

  await t.step("the clipboard gives back what was put there, and nothing when it was emptied", async () => {
    const long = "Zeile 1\nline 2 – ✓ 😀\n".repeat(20_000);
    for (const text of ["\ufeffshort", "", long]) {
      await desk.writeClipboard(text);
      assert.equal(await desk.readClipboard(), text);
    }
    await desk.writeClipboard(undefined);
    assert.equal(await desk.readClipboard(), undefined);
  });

  await t.step("an element that became another, or is gone, is stale and nothing is done", async () => {
    const before = (await desk.read(entry)).text;
    const other = { ...entry, fingerprint: { ...entry.fingerprint, role: ROLE_CHECK_BOX } };
    await assert.rejects(desk.act(other, { do: "setText", text: "wrong" }), (error) => {
      assert.ok(error instanceof Error && "code" in error && "details" in error);
      assert.equal(error.code, "stale");
      assert.deepEqual(error.details, {
        expected: other.fingerprint,
        found: entry.fingerprint,
        path: entry.path,
        outcome: "not_sent",
      });
      return true;
    });
    const nobody = { ...entry, path: "/org/a11y/atspi/accessible/999999" };
    await assert.rejects(desk.act(nobody, { do: "setText", text: "wrong" }), { code: "stale" });
    assert.equal((await desk.read(entry)).text, before);
  });

  await t.step("what an element does not offer is unsupported", async () => {
    await assert.rejects(desk.act(box, { do: "setText", text: "x" }), { code: "unsupported" });
    await assert.rejects(desk.act(box, { do: "action", name: "no such action" }), { code: "unsupported" });
  });

  await t.step("a window is placed where it is told, and its elements go with it", async () => {
    const window = (await desk.windows()).find((w) => w.pid === app.pid);
    assert.ok(window);
    const before = (await desk.read(box)).rect;
    await desk.window(window.id, { do: "place", x: window.rect.x + 37, y: window.rect.y + 21 });
    await until(watch, "the check box moved along", async () => {
      const now = (await desk.read(box)).rect;
      return now && before && now.x === before.x + 37 && now.y === before.y + 21 ? true : undefined;
    });
  });

  await t.step("a call can be cancelled before and while it runs", async () => {
    await assert.rejects(desk.snapshot(app, { signal: AbortSignal.abort() }), { code: "cancelled" });
    const controller = new AbortController();
    const call = desk.snapshot(app, { signal: controller.signal });
    controller.abort();
    await assert.rejects(call, { code: "cancelled" });
  });

  await t.step("an application that left is gone", async () => {
    const child = scratch.launch("gtk3-widget-factory");
    const second = await until(watch, "a second application", async () => {
      const found = (await desk.applications()).find((a) => a.pid === child.pid);
      return found && (await desk.snapshot(found, { fields: [] })).size > 100 ? found : undefined;
    });
    const root = (await desk.snapshot(second, { maxDepth: 1 })).element(0);
    child.kill("SIGKILL");
    await until(watch, "it left the bus", async () => {
      const apps = await desk.applications();
      return apps.some((a) => a.bus === second.bus) ? undefined : true;
    });
    await assert.rejects(desk.read(root), { code: "app_gone" });
    await assert.rejects(desk.read(root), { code: "app_gone" });
  });

  await t.step(
    "closing rejects the calls in flight, and every later one says that it is closed",
    async () => {
      tree = await desk.snapshot(app, { fields: [] });
      const silent = desk.watch({ ...app, bus: ":nobody" });
      // A stopped application answers nothing, so that these calls are surely in flight.
      process.kill(app.pid, "SIGSTOP");
      const calls = [
        desk.snapshot(app),
        desk.read(entry),
        desk.act(entry, { do: "focus" }),
        silent.next({ timeout: 20_000 }),
      ];
      const outcomes = Promise.allSettled(calls);
      await desk.close();
      for (const [k, outcome] of (await outcomes).entries()) {
        assert.ok(outcome.status === "rejected", `call ${k} was answered: ${JSON.stringify(outcome)}`);
        assert.match(String(outcome.reason.code), k < 3 ? /^cancelled$/ : /^no_desktop$/);
      }
      await assert.rejects(desk.applications(), { code: "no_desktop", message: /the session is closed/ });
      await assert.rejects(desk.watch().next({ timeout: 10 }), { code: "no_desktop" });
      await desk.close();
    },
  );
});

Deno.test("GTK 4's window-relative rectangles arrive as places on the screen", async () => {
  await using scratch = await ScratchDesktop.start();
  const { desk, app, watch } = await open(scratch, "gtk4-widget-factory");
  const [window] = await desk.windows();
  assert.ok(window);
  await desk.window(window.id, { do: "place", x: 40, y: 30, width: 1100, height: 700 });
  await until(
    watch,
    "the window moved",
    async () => (await desk.windows())[0]?.rect.x === 40 ? true : undefined,
  );
  // The application lays itself out some time after its window has the new size.
  let last: Rect | undefined;
  const { box, rect } = await until(watch, "a snapshot and a reading agree on a check box", async () => {
    const tree = await desk.snapshot(app);
    const row = rowWhere(
      tree,
      "check box in sight",
      (r) => tree.role(r) === ROLE_CHECK_BOX && tree.has(r, "sensitive") && (tree.rect(r)?.width ?? 0) > 0,
    );
    const box = tree.element(row), rect = tree.rect(row);
    // Both may agree on where it lay before: it lies there at the next look, too.
    const stands = isDeepStrictEqual(last, rect);
    last = rect;
    return stands && isDeepStrictEqual((await desk.read(box)).rect, rect) ? { box, rect } : undefined;
  });
  // GTK 4 has no action for a check box: that a click at its place toggles it proves the place.
  const before = await isChecked(desk, box);
  await desk.pointer({ do: "click", ...centre(rect), button: "left", count: 1 });
  await until(watch, "the box toggles", async () => await isChecked(desk, box) !== before ? true : undefined);
  await desk.close();
});

Deno.test("permission for the library alone is enough, and the process ends after the last close", async () => {
  await using scratch = await ScratchDesktop.start();
  const script = `${scratch.home}/minimal.ts`;
  const module = new URL("../src/desktop/native/connect.ts", import.meta.url);
  writeFileSync(
    script,
    `import { connectNative } from ${JSON.stringify(module.href)};
const desk = await connectNative({
  kind: "isolated", label: "t", sessionBus: ${JSON.stringify(scratch.sessionBus)},
  display: ${JSON.stringify(scratch.display)},
});
const { width } = await desk.screenshot({ what: "screen" });
await desk.close();
console.log(width, (await desk.applications().catch((e) => e.code)));
`,
  );
  const root = new URL("..", import.meta.url);
  const args = ["run", "--no-prompt", "--quiet", `--allow-ffi=${defaultLibraryPath()}`, script];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    signal: AbortSignal.timeout(20_000),
  }).output();
  const text = new TextDecoder();
  assert.equal(code, 0, text.decode(stderr));
  assert.equal(text.decode(stdout), "1280 no_desktop\n");
});
