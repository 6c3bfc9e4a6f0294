import { Deadline, pause } from "../../src/base/call.ts";
import type { Application, Desktop } from "../../src/desktop/desktop.ts";
import type { Rect } from "../../src/desktop/element.ts";
import { inputMethod } from "../../src/desktop/actions/input-method.ts";
import { clickOn } from "../../src/desktop/actions/point.ts";
import { typeText } from "../../src/desktop/actions/type-text.ts";
import { openSession } from "../../src/session/open-session.ts";
import type { Session } from "../../src/session/session.ts";
import type { DesktopSettings } from "../../src/session/settings/settings.ts";
import { type Fixture, fixtureOf, type Toolkit } from "./fixture.ts";

/** What came of clicks by place, by the application's own account. */
export interface Hits {
  /** By which method: "Wayland click". */
  readonly method: string;
  readonly wanted: number;
  readonly hit: number;
  /** What was pressed instead, or "nothing", by button. */
  readonly missed: Readonly<Record<string, string>>;
}

/** Runs a toolkit's program on a Wayland desktop of its own. */
export async function onToolkit<T>(
  toolkit: Toolkit,
  settings: DesktopSettings,
  use: (running: {
    readonly session: Session;
    readonly desktop: Desktop;
    readonly application: Application;
    readonly fixture: Fixture;
  }) => Promise<T>,
): Promise<T> {
  const session = await openSession({ kind: "isolated", settings: { display: "wayland", ...settings } });
  try {
    const fixture = await fixtureOf(toolkit);
    try {
      const { processId } = await session.launcher.launch(fixture.program, { args: fixture.args });
      const { desktop } = session;
      const application = (await desktop.applications()).find(({ pid }) => pid === processId);
      if (application === undefined) throw new Error(`${toolkit} is not on the accessibility bus`);
      return await use({ session, desktop, application, fixture });
    } finally {
      await fixture.close();
    }
  } finally {
    await session.close();
  }
}

/** Where things of these names lie; a page may come after its window. */
export async function placesOf(
  desktop: Desktop,
  application: Application,
  names: readonly string[],
): Promise<ReadonlyMap<string, Rect>> {
  const deadline = Deadline.after(10_000);
  for (;;) {
    const snapshot = await desktop.snapshot(application, { fields: ["extents"] });
    const found = new Map<string, Rect>();
    for (let row = 0; row < snapshot.size; row++) {
      const rect = snapshot.rect(row);
      // A button's label has its name, too.
      if (names.includes(snapshot.name(row)) && !found.has(snapshot.name(row)) && rect && rect.width > 0) {
        found.set(snapshot.name(row), rect);
      }
    }
    if (found.size === names.length) return found;
    if (deadline.passed) {
      throw new Error(`no place of ${names.filter((name) => !found.has(name)).join(", ")}`);
    }
    await pause(20);
  }
}

/** Clicks each of so many buttons where the tree says that it lies, the first as soon as it has a place. */
export async function clickAll(
  { desktop, application, fixture }: {
    readonly desktop: Desktop;
    readonly application: Application;
    readonly fixture: Fixture;
  },
  count: number,
): Promise<Hits> {
  const names = Array.from({ length: 24 }, (_, k) => `b${k}`);
  const wanted = names.filter((_, k) => k % Math.ceil(24 / count) === 0).slice(0, count);
  await placesOf(desktop, application, names);
  const snapshot = await desktop.snapshot(application, { fields: ["extents", "id"] });
  const missed: Record<string, string> = {};
  let written = 0;
  for (const name of wanted) {
    const row = Array.from({ length: snapshot.size }, (_, k) => k).find((k) => snapshot.name(k) === name);
    if (row === undefined) throw new Error(`${name} is gone`);
    await clickOn(desktop, snapshot.element(row), Deadline.after(10_000));
    const clicks = await fixture.until("click ", written + 1);
    const [last = "nothing"] = clicks.slice(written);
    if (last !== `click ${name}`) missed[name] = last;
    written = clicks.length;
  }
  const method = inputMethod(desktop, "click");
  return { method, wanted: wanted.length, hit: wanted.length - Object.keys(missed).length, missed };
}

/** Types a text into the field; answers with the method, and with what the application wrote down at the end. */
export async function typed(
  { desktop, application, fixture }: {
    readonly desktop: Desktop;
    readonly application: Application;
    readonly fixture: Fixture;
  },
  text: string,
): Promise<{ readonly method: string; readonly text: string }> {
  await placesOf(desktop, application, ["Text"]);
  const snapshot = await desktop.snapshot(application, { fields: ["extents", "text", "id"] });
  const row = Array.from({ length: snapshot.size }, (_, k) => k)
    .find((k) => snapshot.name(k) === "Text" && snapshot.text(k) !== undefined);
  if (row === undefined) throw new Error("there is no field");
  const { method } = await typeText(desktop, snapshot.element(row), text, Deadline.after(20_000));
  const deadline = Deadline.after(3_000);
  for (;;) {
    const last = fixture.lines().findLast((line) => line.startsWith("text ")) ?? "";
    if (last === `text ${text}` || deadline.passed) return { method, text: last.slice("text ".length) };
    await pause(5);
  }
}
