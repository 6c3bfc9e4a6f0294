import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BackstepError, toBackstepError } from "../src/base/error.ts";
import { Deadline, pause } from "../src/base/call.ts";
import type { SnapshotField } from "../src/desktop/desktop.ts";
import { Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";

const PYTHON = "/usr/bin/python3";
const fixture = (path: string) => fileURLToPath(new URL(`fixtures/${path}`, import.meta.url));
const gtk = (version: string) => `/usr/lib/x86_64-linux-gnu/girepository-1.0/${version}.typelib`;
const qt = (module: string) => `/usr/lib/python3/dist-packages/${module}.abi3.so`;

/** A program in whose window things come, change and go all the time, beside a button "Stay" that counts its clicks. */
interface Program {
  /** A file that is there where it can be started. */
  readonly needs: string;
  /** What its application is called. */
  readonly app: string;
  /** What `launch` takes: the log is what its clicks are written to, the page a copy of page.html. */
  readonly launch: (log: string, page: string) => Readonly<Record<string, unknown>>;
  /** Its clicks are counted in its title, and not in the log. */
  readonly counts?: "title";
}

const python = (...args: string[]) => ({ app: PYTHON, args });
const quick = (version: string, log: string) =>
  python(fixture("quick/host.py"), version, fixture("restless/quick.qml"), log);

/** By name. */
export const RESTLESS: Readonly<Record<string, Program>> = {
  gtk3: { needs: gtk("Gtk-3.0"), app: "gtk3.py", launch: (log) => python(fixture("restless/gtk3.py"), log) },
  gtk4: { needs: gtk("Gtk-4.0"), app: "python3", launch: (log) => python(fixture("restless/gtk4.py"), log) },
  qt5: {
    needs: qt("PyQt5/QtWidgets"),
    app: "restless",
    launch: (log) => python(fixture("restless/qt.py"), "5", log),
  },
  qt6: {
    needs: qt("PyQt6/QtWidgets"),
    app: "restless",
    launch: (log) => python(fixture("restless/qt.py"), "6", log),
  },
  quick5: { needs: qt("PyQt5/QtQuick"), app: "host.py", launch: (log) => quick("5", log) },
  quick6: { needs: qt("PyQt6/QtQuick"), app: "host.py", launch: (log) => quick("6", log) },
  webkit: {
    needs: gtk("WebKit2-4.1"),
    app: "host.py",
    launch: (log, page) => python(fixture("webkit/host.py"), page, log),
  },
  chromium: {
    needs: "/usr/bin/chromium",
    app: "Chromium",
    launch: (_, page) => ({ app: "chromium", files: [page] }),
    counts: "title",
  },
  firefox: {
    needs: "/usr/bin/firefox-esr",
    app: "Firefox",
    launch: (_, page) => ({ app: "firefox-esr", files: [page] }),
    counts: "title",
  },
};

/** Is what a program needs there? */
export function canStart(name: string): boolean {
  const program = RESTLESS[name];
  return program !== undefined && isInstalled(program.needs);
}

/** What came of a program that was read and clicked for a while. */
export interface Endured {
  readonly looks: number;
  /** Clicks that were said to be done. */
  readonly clicks: number;
  /** Clicks that the program counted. */
  readonly counted: number;
  /** What failed, each once. */
  readonly errors: readonly string[];
}

const EVERYTHING: readonly SnapshotField[] = [
  "extents",
  "text",
  "caret",
  "value",
  "actions",
  "attributes",
  "selection",
  "id",
  "relations",
  "keys",
];

/** Reads a program and clicks its button, by turns, for so many milliseconds. */
export async function endure(name: string, milliseconds: number): Promise<Endured> {
  const program = RESTLESS[name];
  if (program === undefined) throw new BackstepError("invalid", `There is no restless program "${name}"`);
  await using stand = await Stand.open();
  const log = join(stand.folder, "account"), page = join(stand.folder, "page.html");
  copyFileSync(fixture("restless/page.html"), page);
  await stand.do("launch", program.launch(log, page));
  await stand.do("wait", { target: 'button "Stay"', timeout: 30_000 }, program.app);
  const { desktop } = stand.session;
  const application = (await desktop.applications()).find((one) => one.name === program.app);
  if (!application) throw new BackstepError("app_not_found", `${program.app} is not there`);
  const errors = new Set<string>();
  const attempt = async (act: () => Promise<unknown>) => {
    try {
      await act();
      return true;
    } catch (thrown) {
      const { code, message } = toBackstepError(thrown);
      errors.add(`${code}: ${message}`);
      return false;
    }
  };
  const over = Deadline.after(milliseconds);
  let [looks, clicks] = [0, 0];
  // Each kind of look is taken, however slow the machine.
  while ((!over.passed || looks < 4) && errors.size < 10) {
    const turn = looks++ % 4;
    await attempt(async () => {
      if (turn === 0) await desktop.snapshot(application);
      else if (turn === 2) await desktop.snapshot(application, { fields: EVERYTHING });
      else {
        const target = turn === 1 ? "button" : "listitem, cell, menuitem, treeitem, tab";
        await stand.do("find", { target, all: true }, program.app);
      }
    });
    if (looks % 3 === 0 && await attempt(() => stand.click('button "Stay"', program.app))) clicks++;
  }
  /** By the program's own account. */
  const counted = async () => {
    if (program.counts === undefined) {
      return existsSync(log) ? readFileSync(log, "utf8").split("stayed").length - 1 : 0;
    }
    const titles = (await desktop.windows()).map(({ title }) => title);
    return Number(titles.map((title) => /stayed (\d+)/.exec(title)?.[1]).find((count) => count) ?? 0);
  };
  // A page tells of its last click a moment later.
  const late = Deadline.after(2_000);
  while (await counted() < clicks && !late.passed) await pause(20);
  if (!(await desktop.applications()).some(({ pid }) => pid === application.pid)) errors.add("it has ended");
  return { looks, clicks, counted: await counted(), errors: [...errors] };
}
