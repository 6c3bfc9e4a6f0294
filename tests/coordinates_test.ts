import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Deadline, pause } from "../src/base/call.ts";
import type { Application, Desktop, ElementRef, Rect } from "../src/desktop/desktop.ts";
import { press } from "../src/desktop/actions/press.ts";
import { centre, contains } from "../src/desktop/rect.ts";
import { match } from "../src/desktop/selector/match.ts";
import { parseSelector } from "../src/desktop/selector/parse.ts";
import type { Snapshot } from "../src/desktop/snapshot.ts";
import { hasState, State } from "../src/desktop/states.ts";
import { type NativeSession, openNative } from "../src/session/open-native.ts";
import { quirksOf } from "../src/session/quirks.ts";
import { ROOT } from "./cli/program.ts";
import { setMonitors } from "../src/session/settings/monitors.ts";

/** Two monitors side by side; the second has the larger offsets. */
const MONITORS = [
  { name: "LEFT", x: 0, y: 0, width: 1400, height: 1600 },
  { name: "RIGHT", x: 1400, y: 0, width: 1600, height: 1600 },
];
/** Where windows are put: partly off the screen, on the first monitor, on the second. */
const PLACES = [{ x: -30, y: 40 }, { x: 1_500, y: 150 }];

const GALLERY = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/gallery/gallery";
const PAGE = `file://${join(ROOT, "workflows/fixtures/form.html")}`;

interface Case {
  readonly name: string;
  readonly program: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Clicked in turn, one at each place: each becomes checked or unchecked, a text field gets the focus. */
  readonly elements: readonly string[];
  /** A box, and an item of its popup that is chosen by a click. */
  readonly popup?: { readonly box: string; readonly item: string };
}

const gtk3 = {
  program: "/usr/bin/gtk3-widget-factory",
  elements: ['radio[name="Page 2"]', 'radio[name="Page 1"]'],
  popup: { box: 'combobox[name="Left"]', item: "Right" },
};
const gtk4 = {
  program: "/usr/bin/gtk4-widget-factory",
  elements: ['checkbox[name="checkbutton"]:nth(1)', 'checkbox[name="checkbutton"]:nth(2)'],
};
const qt5 = {
  program: GALLERY,
  elements: ['checkbox[name="Disable widgets"]', 'checkbox[name="Disable widgets"]'],
};
const qt6 = {
  program: "/usr/bin/qt6ct",
  elements: ['radio[name="Custom"]', 'radio[name="Default"]'],
};
const chromium = {
  program: "/usr/bin/chromium",
  elements: ['checkbox[name="Wrap as a gift"]', 'checkbox[name="Wrap as a gift"]'],
  popup: { box: 'combobox[name="Colour"]', item: "Blue" },
};

const CASES: readonly Case[] = [
  { name: "GTK 3", ...gtk3 },
  { name: "GTK 3 at twice the size", ...gtk3, environment: { GDK_SCALE: "2" } },
  { name: "GTK 4", ...gtk4 },
  { name: "GTK 4 at twice the size", ...gtk4, environment: { GDK_SCALE: "2" } },
  { name: "Qt 5", ...qt5 },
  { name: "Qt 5 at twice the size", ...qt5, environment: { QT_SCALE_FACTOR: "2" } },
  { name: "Qt 6 at twice the size", ...qt6, environment: { QT_SCALE_FACTOR: "2" } },
  { name: "Qt 6 with a factor for each monitor", ...qt6, environment: { QT_SCREEN_SCALE_FACTORS: "1;2" } },
  { name: "Chromium", ...chromium, args: [PAGE] },
  {
    name: "Chromium at twice the size",
    ...chromium,
    args: ["--force-device-scale-factor=2", PAGE],
    // Its own controls are told in other pixels than what is in the page.
    elements: ['checkbox[name="Wrap as a gift"]', 'textfield[name="Address and search bar"]'],
  },
];

/** Looks again after every event, and without any every 200 ms, until it finds something. */
async function until<T>(desktop: Desktop, what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Deadline.after(20_000);
  const watch = desktop.watch();
  try {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (deadline.passed) throw new Error(`it never came to this: ${what}`);
      await watch.next({ timeout: 200 });
      watch.take();
    }
  } finally {
    watch.close();
  }
}

async function withProgram(
  session: NativeSession,
  { program, args = [], environment = {} }: Case,
  action: (app: Application, window: number) => Promise<void>,
): Promise<void> {
  const { desktop } = session;
  const all = [...quirksOf(program.split("/").at(-1) ?? "", session.home ?? "/"), ...args];
  const env = { ...session.environment, ...environment };
  const child = spawn(program, all, { env, stdio: "ignore" });
  const finished = once(child, "exit");
  try {
    const app = await until(desktop, `${program} is there`, async () => {
      return (await desktop.applications()).find((one) => one.pid === child.pid);
    });
    const window = await until(desktop, `${program} has a window`, async () => {
      return (await desktop.windows()).find((one) => one.pid === child.pid && !one.popup);
    });
    await action(app, window.id);
  } finally {
    child.kill("SIGKILL");
    await finished;
  }
}

/** The element that a selector means, once it lies still in its window at this place. */
function settled(desktop: Desktop, app: Application, window: number, selector: string, at?: Rect) {
  let last = "";
  return until(desktop, `${selector} lies still`, async () => {
    const of = (await desktop.windows()).find((one) => one.id === window);
    if (of === undefined || (at && (of.rect.x !== at.x || of.rect.y !== at.y))) return undefined;
    const tree = await desktop.snapshot(app);
    const [row, more] = match(parseSelector(selector), tree);
    if (row === undefined || more !== undefined) return undefined;
    const rect = tree.rect(row), frame = tree.rect(tree.children(0)[0] ?? 0);
    if (rect === undefined || rect.width <= 0 || frame === undefined) return undefined;
    const now = JSON.stringify([rect, frame, of.rect]);
    const still = now === last;
    last = now;
    if (!still) {
      await pause(60);
      return undefined;
    }
    return { tree, row, element: tree.element(row), rect };
  });
}

/** A click at the middle of an element's rectangle, and what an application says lies there. */
async function clickAt(desktop: Desktop, app: Application, tree: Snapshot, row: number, rect: Rect) {
  const point = centre(rect);
  const answer = await desktop.elementAt(app, point.x, point.y);
  const there = answer === undefined ? -1 : tree.rowOf(answer);
  const agrees = (there >= row && there < tree.end(row)) ||
    (there >= 0 && row < tree.end(there) && there <= row);
  assert.ok(agrees, `at ${point.x}, ${point.y} it names row ${there}, not ${row}`);
  await desktop.pointer({ do: "click", ...point, button: "left", count: 1 });
}

async function isIn(desktop: Desktop, element: ElementRef, state: "checked" | "focused"): Promise<boolean> {
  const { statesLow, statesHigh } = await desktop.read(element);
  return hasState(statesLow, statesHigh, State[state]);
}

Deno.test("a click in the middle of an element's rectangle reaches it, whatever the toolkit, scale and monitor", async (t) => {
  const session = await openNative({ kind: "isolated", width: 3_000, height: 1_600 });
  try {
    const { desktop, privateDesktop } = session;
    assert.ok(privateDesktop);
    const { display, folders } = privateDesktop;
    await setMonitors(display, folders.authority, MONITORS, 96, Deadline.after(5_000));
    for (const one of CASES) {
      const ignore = !existsSync(one.program);
      await t.step({
        name: ignore ? `${one.name}: ${one.program} is not installed` : one.name,
        ignore,
        fn: () =>
          withProgram(session, one, async (app, window) => {
            await settled(desktop, app, window, one.elements[0] ?? "");
            for (const [k, place] of PLACES.entries()) {
              await desktop.window(window, { do: "place", ...place });
              const at = { ...place, width: 0, height: 0 };
              const selector = one.elements[k] ?? "";
              const state = selector.startsWith("textfield") ? "focused" : "checked";
              const { tree, row, element, rect } = await settled(desktop, app, window, selector, at);
              const before = await isIn(desktop, element, state);
              assert.equal(before && state === "focused", false, `${selector} is focused already`);
              await clickAt(desktop, app, tree, row, rect);
              await until(
                desktop,
                `${selector} at ${place.x} becomes ${before ? "not " : ""}${state}`,
                async () => await isIn(desktop, element, state) !== before || undefined,
              );
            }
            if (one.popup) await chooseInPopup(desktop, app, window, one.popup);
          }),
      });
    }
    await t.step("a window that moved after the look is read again by the act", () => {
      const moving = { name: "", ...gtk4, environment: { GDK_SCALE: "2" } };
      return withProgram(session, moving, async (app, window) => {
        const { element } = await settled(desktop, app, window, moving.elements[0] ?? "");
        const before = await isIn(desktop, element, "checked");
        await desktop.window(window, { do: "place", x: 1_450, y: 300 });
        const done = await press(desktop, element, {}, Deadline.after(10_000));
        assert.deepEqual([done.method, done.verified], ["XTEST click", true]);
        assert.notEqual(await isIn(desktop, element, "checked"), before);
      });
    });
  } finally {
    await session.close();
  }
});

async function chooseInPopup(
  desktop: Desktop,
  app: Application,
  window: number,
  { box, item }: { readonly box: string; readonly item: string },
): Promise<void> {
  const { element, rect } = await settled(desktop, app, window, box);
  await desktop.pointer({ do: "click", ...centre(rect), button: "left", count: 1 });
  const place = await until(desktop, `the popup shows ${item}`, async () => {
    const tree = await desktop.snapshot(app);
    const of = tree.rowOf(element);
    const row = match(parseSelector(`menuitem[name="${item}"]`), tree).find((r) =>
      r > of && r < tree.end(of)
    );
    const at = row === undefined || !tree.has(row, "showing") ? undefined : tree.rect(row);
    const popups = (await desktop.windows()).filter((one) => one.popup && one.pid === app.pid);
    return at && popups.some((one) => contains(one.rect, centre(at).x, centre(at).y)) ? at : undefined;
  });
  const answer = await desktop.elementAt(app, centre(place).x, centre(place).y);
  const tree = await desktop.snapshot(app);
  assert.equal(answer && tree.name(tree.rowOf(answer)), item, "elementAt names the item");
  await desktop.pointer({ do: "click", ...centre(place), button: "left", count: 1 });
  await until(desktop, `${box} shows ${item}`, async () => {
    const tree = await desktop.snapshot(app, { fields: ["text", "selection"] });
    const row = tree.rowOf(element);
    if (row < 0) return undefined;
    const chosen = match(parseSelector(`menuitem[name="${item}"]`), tree)
      .some((r) => r > row && r < tree.end(row) && tree.has(r, "selected"));
    return tree.name(row) === item || chosen || undefined;
  });
}

/** Popups of GTK 4: what opens each, and what shows that an item was chosen. */
const POPUPS = [
  {
    name: "a menu of the menu bar",
    program: "/usr/bin/gtk4-demo-application",
    open: ['menuitem[name="Application"]'],
    items: [
      { item: 'menuitem[name="Save"]', effect: 'label[name*="action: \\"save\\""]' },
      { item: 'menuitem[name^="Save As"]', effect: 'label[name*="action: \\"save-as\\""]' },
      // Last: from here on there are two of everything.
      { item: 'menuitem[name="New"]', effect: 'window[name="Application Class"]:nth(2)' },
    ],
  },
  {
    name: "a menu inside of another",
    program: "/usr/bin/gtk4-demo-application",
    open: ['menuitem[name="File"]', 'menuitem[name="Shape"]'],
    items: ["Square", "Rectangle", "Oval"].map((name) => ({
      item: `menuitem[name="${name}"]`,
      effect: `label[name*="Current value: ${name.toLowerCase()}"]`,
    })),
  },
  {
    name: "the list of a drop-down",
    program: "/usr/bin/gtk4-demo",
    args: ["--run=dropdown"],
    open: ["combobox:nth(1)"],
    items: ["2 minutes", "5 minutes", "20 minutes"].map((name) => ({
      item: `combobox:nth(1) listitem:has(label[name="${name}"])`,
      effect: `combobox:nth(1) > button label[name="${name}"]`,
    })),
  },
];

for (const scale of ["1", "2"]) {
  Deno.test({
    name: `a click on an item of a popup of GTK 4 does what that item does, at ${scale} times the size`,
    ignore: POPUPS.some(({ program }) => !existsSync(program)),
    fn: async (t) => {
      const session = await openNative({ kind: "isolated", width: 1_600, height: 1_200 });
      try {
        const { desktop } = session;
        for (const { name, open, items, ...program } of POPUPS) {
          await t.step(name, () =>
            withProgram(
              session,
              { name, elements: [], ...program, environment: { GDK_SCALE: scale } },
              async (app, window) => {
                for (const { item, effect } of items) {
                  for (const step of [...open, item]) {
                    const { tree, row, rect } = await settled(desktop, app, window, step);
                    await clickAt(desktop, app, tree, row, rect);
                  }
                  await until(desktop, `${item} was chosen, and the popup closed`, async () => {
                    const popups = (await desktop.windows()).some((one) => one.popup && one.pid === app.pid);
                    return match(parseSelector(effect), await desktop.snapshot(app)).length > 0 && !popups ||
                      undefined;
                  });
                }
              },
            ));
        }
      } finally {
        await session.close();
      }
    },
  });
}
