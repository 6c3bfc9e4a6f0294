import { fileURLToPath } from "node:url";
import { KITS } from "./_held.ts";
import { isInstalled } from "./_installed.ts";

/** The path of a fixture. */
export const fixture = (path: string) => fileURLToPath(new URL(`fixtures/${path}`, import.meta.url));

/** The same program on one toolkit. */
export interface Program {
  readonly ignore: boolean;
  /** Its name. */
  readonly app: string;
  readonly launch: (log: string, page: string) => object;
  /** Its page says what was pressed in the title of its window alone. */
  readonly inTitle?: true;
  /** It tells what lets the pointer through. */
  readonly tellsThrough?: true;
}

const python = (...args: readonly string[]) => ({ app: "/usr/bin/python3", args });
const modules = "/usr/lib/python3/dist-packages";

/** What lies in a folder of fixtures (`gtk.py`, `qt.py`, `quick.qml`, `page.html`) on every toolkit, by the names of these. */
export function programsIn(folder: "overlaid" | "beneath"): Readonly<Record<string, Program>> {
  return {
    "GTK 3": {
      ignore: KITS["GTK 3"].ignore,
      app: "gtk.py",
      launch: (log) => python(fixture(`${folder}/gtk.py`), "3", log),
    },
    "GTK 4": {
      ignore: KITS["GTK 4"].ignore,
      app: "python3",
      launch: (log) => python(fixture(`${folder}/gtk.py`), "4", log),
      tellsThrough: true,
    },
    "Qt 5": {
      ignore: KITS["Qt 5"].ignore,
      app: "qt.py",
      launch: (log) => python(fixture(`${folder}/qt.py`), "5", log),
    },
    "Qt 6": {
      ignore: KITS["Qt 6"].ignore,
      app: "qt.py",
      launch: (log) => python(fixture(`${folder}/qt.py`), "6", log),
    },
    "Qt Quick 5": {
      ignore: !isInstalled(`${modules}/PyQt5/QtQuick.abi3.so`),
      app: "host.py",
      launch: (log) => python(fixture("quick/host.py"), "5", fixture(`${folder}/quick.qml`), log),
    },
    "Qt Quick 6": {
      ignore: !isInstalled(`${modules}/PyQt6/QtQuick.abi3.so`),
      app: "host.py",
      launch: (log) => python(fixture("quick/host.py"), "6", fixture(`${folder}/quick.qml`), log),
    },
    WebKitGTK: {
      ignore: !isInstalled("/usr/lib/x86_64-linux-gnu/girepository-1.0/WebKit2-4.1.typelib"),
      app: "host.py",
      launch: (log, page) => python(fixture("webkit/host.py"), page, log),
      tellsThrough: true,
    },
    Chromium: {
      ignore: !isInstalled("/usr/bin/chromium"),
      app: "Chromium",
      launch: (_, page) => ({ app: "chromium", files: [page] }),
      inTitle: true,
      tellsThrough: true,
    },
    Firefox: {
      ignore: !isInstalled("/usr/bin/firefox-esr"),
      app: "Firefox",
      launch: (_, page) => ({ app: "firefox-esr", files: [page] }),
      inTitle: true,
      tellsThrough: true,
    },
  };
}
