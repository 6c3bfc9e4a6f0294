import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Deadline } from "../src/base/call.ts";
import type { Application, Desktop, ElementRef } from "../src/desktop/desktop.ts";
import { connectNative } from "../src/desktop/native/connect.ts";
import type { Snapshot } from "../src/desktop/snapshot.ts";
import { ScratchDesktop } from "./scratch-desktop.ts";

const QT_TEXT_EDIT = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/richtext/textedit/textedit";
const CHROMIUM =
  "--force-renderer-accessibility --disable-gpu --no-first-run --password-store=basic --no-sandbox " +
  "--disable-background-networking --disable-component-update --disable-sync";

/** No input method, and every toolkit tells of its tree. */
const ENVIRONMENT = {
  GTK_IM_MODULE: "gtk-im-context-simple",
  QT_IM_MODULE: "",
  XMODIFIERS: "@im=none",
  QT_QPA_PLATFORM: "xcb",
  QT_LINUX_ACCESSIBILITY_ALWAYS_ON: "1",
};

/** Of every kind: what the layout has, what has to be lent, beyond the basic plane, right to left, combining marks. */
const ALPHABET = [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,;:!?-_@#$%&*()[]{}<>/\\|'\"~^`+=",
  ..."äöüßÄÖÜéèçñåøæ€£абвгджзийклмнАБВГαβγδεζηθΑΒΓά日本語世界天地😀🐶🦊🚀🎉\u0301\u0308\u0327عربيעברית−≤∞∑√→",
];

/** The same text for the same seed. */
function randomText(length: number, seed: number): string {
  let text = "", state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    text += ALPHABET[(state >> 8) % ALPHABET.length];
  }
  return text;
}

function connect(scratch: ScratchDesktop): Promise<Desktop> {
  return connectNative({
    kind: "isolated",
    label: `${scratch.display} (test)`,
    sessionBus: scratch.sessionBus,
    display: scratch.display,
  });
}

/** Looks after every event until something is found. */
async function until<T>(
  desk: Desktop,
  what: string,
  look: () => Promise<T | undefined>,
  within = 30_000,
): Promise<T> {
  const watch = desk.watch();
  try {
    const deadline = Deadline.after(within);
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (deadline.passed) throw new Error(`it never came to this: ${what}`);
      await watch.next({ timeout: 250 });
      watch.take();
    }
  } finally {
    watch.close();
  }
}

interface Field {
  readonly application: Application;
  readonly element: ElementRef;
}

/** The last field in the tree; the one of that name, where one is given: before its page is there a browser has others. */
function editable(tree: Snapshot, name: string | undefined): number | undefined {
  for (let row = tree.size - 1; row > 0; row--) {
    const rect = tree.rect(row);
    if (!tree.has(row, "editable") || tree.text(row) === undefined) continue;
    if (name !== undefined && tree.name(row) !== name) continue;
    if (rect !== undefined && rect.width > 60 && rect.height > 8 && rect.x >= 0 && rect.y >= 0) return row;
  }
  return undefined;
}

/** Starts a program and gives the keyboard to a field of it, which has been seen to take keys and is empty then. */
async function openField(
  scratch: ScratchDesktop,
  desk: Desktop,
  program: string,
  args: string[],
  name?: string,
): Promise<Field> {
  const child = scratch.launch(program, args);
  const { field, x, y } = await until(desk, `${program} has a field`, async () => {
    const application = (await desk.applications())
      .find((a) => a.pid === child.pid || program === "chromium" && /chrom/i.test(a.name));
    if (application === undefined || (await desk.windows()).length === 0) return undefined;
    const tree = await desk.snapshot(application, { fields: ["extents", "text"] });
    const row = editable(tree, name), rect = row === undefined ? undefined : tree.rect(row);
    if (row === undefined || rect === undefined) return undefined;
    return {
      field: { application, element: tree.element(row) },
      x: rect.x + Math.min(40, rect.width / 2),
      y: rect.y + Math.min(40, rect.height / 2),
    };
  });
  // A window that was just mapped, and a page that was not drawn yet, may throw away what comes.
  await until(desk, `${program} takes keys`, async () => {
    await desk.pointer({ do: "click", x, y, button: "left", count: 1 });
    await desk.pressKeys(["ctrl", "a"]);
    await desk.typeText("k");
    return await comesTo(desk, field, "k");
  });
  await desk.pressKeys(["ctrl", "a"]);
  await desk.pressKeys(["Delete"]);
  await until(desk, `the field of ${program} is empty`, () => comesTo(desk, field, ""));
  return field;
}

/** Whether the field has that text within a second. */
async function comesTo(desk: Desktop, field: Field, text: string): Promise<true | undefined> {
  const watch = desk.watch();
  try {
    for (const deadline = Deadline.after(1_000);; watch.take()) {
      if (await textOf(desk, field) === text) return true;
      if (deadline.passed) return undefined;
      await watch.next({ timeout: 100 });
    }
  } finally {
    watch.close();
  }
}

async function textOf(desk: Desktop, { application, element }: Field): Promise<string> {
  const tree = await desk.snapshot(application, { root: element, fields: ["text"], maxText: 100_000 });
  return (tree.text(0) ?? "").replace(/\n$/, "");
}

const page = "data:text/html,<textarea autofocus aria-label=field rows=20 cols=90></textarea>";
const toolkits: readonly {
  name: string;
  program: string;
  args: (home: string) => string[];
  field?: string;
  layouts: string[];
}[] = [
  { name: "GTK 3", program: "gedit", args: () => ["--standalone"], layouts: ["us", "ru,us"] },
  { name: "GTK 4", program: "gtk4-widget-factory", args: () => [], layouts: ["us"] },
  { name: "Qt 5", program: QT_TEXT_EDIT, args: () => [], layouts: ["gr,us", "de"] },
  {
    name: "Chromium",
    program: "chromium",
    args: (home) => [...CHROMIUM.split(" "), `--user-data-dir=${home}/chromium`, page],
    field: "field",
    layouts: ["us", "gr,us"],
  },
];

/** Characters of the text for each toolkit; BACKSTEP_TYPED=10000 is the long form. */
const LENGTH = Number(process.env["BACKSTEP_TYPED"] ?? 300);

for (const { name, program, args, field: called, layouts } of toolkits) {
  const there = existsSync(program) || existsSync(`/usr/bin/${program}`);
  Deno.test({
    name: `typed text of every script arrives whole in ${name}, whatever the layout`,
    ignore: !there, // the program is not installed: tools/setup.sh --apps
    async fn() {
      await using scratch = await ScratchDesktop.start(ENVIRONMENT);
      const desk = await connect(scratch);
      try {
        const field = await openField(scratch, desk, program, args(scratch.home), called);
        for (const [round, layout] of layouts.entries()) {
          const set = spawnSync("setxkbmap", ["-display", scratch.display, "-layout", layout]);
          assert.equal(set.status, 0, `setxkbmap ${layout}`);
          await desk.pressKeys(["ctrl", "a"]);
          await desk.pressKeys(["Delete"]);
          const text = randomText(LENGTH, 7 + round);
          await desk.typeText(text, { timeout: 30_000 + 50 * LENGTH });
          let got = "";
          // On a busy machine Chromium tells of what is there many seconds after it is.
          const within = 60_000 + 40 * LENGTH, deadline = Deadline.after(within - 5_000);
          await until(desk, `${layout}: all of it is there`, async () => {
            got = await textOf(desk, field);
            return got === text || got.length > text.length || deadline.passed ? true : undefined;
          }, within);
          assert.equal(got, text, layout);
        }
      } finally {
        await desk.close();
      }
    },
  });
}

Deno.test({
  name: "keys that follow a click go to what was clicked, however late the window manager hears of it",
  ignore: !existsSync("/usr/bin/gedit"), // tools/setup.sh --apps
  async fn() {
    await using scratch = await ScratchDesktop.start(ENVIRONMENT);
    const desk = await connect(scratch);
    try {
      const field = await openField(scratch, desk, "gedit", ["--standalone"]);
      const other = scratch.launch("gtk3-icon-browser");
      const shown = async (pid: number | undefined, x: number) =>
        (await desk.windows()).find((w) =>
          w.pid === pid && !w.popup && (x < 0 || Math.abs(w.rect.x - x) < 60)
        );
      const beside = await until(desk, "the other window shows", () => shown(other.pid, -1));
      const own = await until(desk, "gedit shows", () => shown(field.application.pid, -1));
      await desk.window(own.id, { do: "place", x: 10, y: 30, width: 500, height: 500 });
      await desk.window(beside.id, { do: "place", x: 640, y: 30, width: 500, height: 500 });
      await until(desk, "they are side by side", async () => {
        const [left, right] = [await shown(field.application.pid, 10), await shown(other.pid, 640)];
        return left !== undefined && left.rect.width < 600 && right?.active === true ? true : undefined;
      });
      scratch.signalManager("SIGSTOP");
      const later = setTimeout(() => scratch.signalManager("SIGCONT"), 400);
      try {
        await desk.pointer({ do: "click", x: 260, y: 300, button: "left", count: 1 });
        await desk.typeText("where it was clicked");
      } finally {
        clearTimeout(later);
        scratch.signalManager("SIGCONT");
      }
      await until(desk, "it is there", () => comesTo(desk, field, "where it was clicked"));
    } finally {
      await desk.close();
    }
  },
});

Deno.test("an unchanged screen is not fetched again, and a covered window is pictured whole", async () => {
  await using scratch = await ScratchDesktop.start(ENVIRONMENT);
  const desk = await connect(scratch);
  try {
    const first = scratch.launch("gtk3-demo");
    const shown = async (pid: number | undefined) =>
      (await desk.windows()).find((w) => w.pid === pid && !w.popup);
    const { id } = await until(desk, "the window shows", () => shown(first.pid));
    await desk.window(id, { do: "place", x: 60, y: 60, width: 900, height: 600 });
    const below = await until(desk, "it is in its place", async () => {
      const now = await shown(first.pid);
      return now !== undefined && now.rect.width === 900 && now.rect.height === 600 ? now : undefined;
    });
    const still = await until(desk, "nothing is drawn any more", async () => {
      await desk.screenshot({ what: "screen" });
      const frame = await desk.screenshot({ what: "screen" });
      return frame.route === "kept" ? frame : undefined;
    });
    assert.equal(still.rgba.length, still.width * still.height * 4);
    // A window that was made larger is blank until its application has drawn it: two pictures of it that are alike and coloured.
    let last = "";
    const open = await until(desk, "the window is drawn", async () => {
      const frame = await desk.screenshot({ what: "window", window: below.id });
      const now = createHash("sha256").update(frame.rgba).digest("hex");
      const still = now === last;
      last = now;
      return still && frame.width === 900 && new Set(frame.rgba).size > 100 ? frame : undefined;
    });
    assert.equal(open.covered, false);
    const second = scratch.launch("gtk3-icon-browser");
    const above = await until(desk, "the other window shows", () => shown(second.pid));
    await desk.window(above.id, { do: "place", x: below.rect.x, y: below.rect.y, width: 500, height: 400 });
    await until(desk, "it lies over the first", async () => {
      const now = await shown(second.pid);
      return now !== undefined && now.rect.width >= 400 && now.rect.x <= below.rect.x + 50 ? true : undefined;
    });
    const { covered, width, height, rgba } = await until(desk, "it is covered", async () => {
      const frame = await desk.screenshot({ what: "window", window: below.id });
      return frame.covered ? frame : undefined;
    });
    assert.deepEqual([covered, width, height], [true, open.width, open.height]);
    let different = 0;
    for (let i = 0; i < rgba.length; i += 4) {
      if (rgba[i] !== open.rgba[i] || rgba[i + 1] !== open.rgba[i + 1]) different++;
    }
    // A window that lost the keyboard looks a little different; the other window's pixels would be a third of it.
    assert.ok(different < width * height / 5, `${different} of ${width * height} pixels differ`);
  } finally {
    await desk.close();
  }
});

Deno.test("a display that hangs or dies fails its own calls in time, and nobody else's", async () => {
  await using hung = await ScratchDesktop.start();
  await using fine = await ScratchDesktop.start();
  const [stuck, other] = await Promise.all([connect(hung), connect(fine)]);
  try {
    hung.signalServer("SIGSTOP");
    const start = performance.now();
    let pending = true;
    const late = assert.rejects(stuck.screenshot({ what: "screen" }, { timeout: 2_000 }), { code: "timeout" })
      .then(() => performance.now() - start).finally(() => pending = false);
    for (let i = 0; i < 5; i++) await other.screenshot({ what: "screen" });
    assert.ok(pending, "the other display answers meanwhile");
    const took = await late;
    assert.ok(took >= 1_950 && took < 3_000, `a deadline of 2000 ms took ${took} ms`);
    hung.signalServer("SIGCONT");
    await stuck.screenshot({ what: "screen" });
    hung.signalServer("SIGKILL");
    const from = performance.now();
    await assert.rejects(stuck.screenshot({ what: "screen" }, { timeout: 30_000 }), { code: "no_desktop" });
    assert.ok(performance.now() - from < 5_000, "a dead display is told at once");
    await other.screenshot({ what: "screen" });
  } finally {
    await Promise.all([stuck.close(), other.close()]);
  }
});

/** Processes that watch over a display. */
function watchers(display: string): number[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/exe`).endsWith("/backstep-watcher") &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(display);
    } catch {
      return false; // it ended meanwhile, or is another user's
    }
  });
}

Deno.test("a process that is killed while it drags leaves nothing held and nobody behind", async () => {
  await using scratch = await ScratchDesktop.start();
  const desk = await connect(scratch);
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const child = spawn(process.execPath, ["run", "-A", at("./input/drag.ts")], {
    env: { ...process.env, TEST_DISPLAY: scratch.display, TEST_BUS: scratch.sessionBus },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const killer = setTimeout(() => child.kill("SIGKILL"), 30_000);
    await once(child.stdout, "data");
    await until(
      desk,
      "it has a watcher",
      () => Promise.resolve(watchers(scratch.display).length > 0 || undefined),
    );
    clearTimeout(killer);
    child.kill("SIGKILL");
    await once(child, "exit");
    await until(
      desk,
      "its watcher has done its work and gone",
      () => Promise.resolve(watchers(scratch.display).length === 0 || undefined),
    );
  } finally {
    child.kill("SIGKILL");
    await desk.close();
  }
});
