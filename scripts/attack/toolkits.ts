import { fileURLToPath } from "node:url";
import { missingFor as missing, toolkit } from "../histories/real/toolkits.ts";
import type { ToolkitName } from "./plan.ts";

/** Where the fixtures lie. */
export const FIXTURES = fileURLToPath(new URL("../../tests/fixtures/attack", import.meta.url));

/** What is particular to a toolkit. */
export interface Toolkit {
  readonly name: ToolkitName;
  /** The command of the application, with `FOLDER` where its account lies. */
  readonly command: string;
  /** How commands reach it: a named pipe, or a file that is read again and again. */
  readonly channel: "pipe" | "script";
  /** Milliseconds by which its accessibility tree may lag behind what it holds. */
  readonly lag: number;
  /** Does its list tell of a row that was clicked? */
  readonly tellsRows: boolean;
}

const python = (file: string, ...args: string[]) =>
  ["/usr/bin/python3", "-B", `${FIXTURES}/${file}`, "FOLDER", ...args].join(" ");

const pipe = { channel: "pipe", lag: 0, tellsRows: true } as const;

const ALL: Readonly<Record<ToolkitName, Toolkit>> = {
  gtk3: { name: "gtk3", command: python("gtk3.py"), ...pipe },
  gtk4: { name: "gtk4", command: python("gtk4.py"), ...pipe },
  qt5: { name: "qt5", command: python("qt.py", "5"), ...pipe },
  qt6: { name: "qt6", command: python("qt.py", "6"), ...pipe },
  chromium: {
    name: "chromium",
    command: toolkit("chromium").form.replace("form.html", "page.html"),
    channel: "script",
    // Its tree is made in another process than its page.
    lag: 200,
    tellsRows: false,
  },
};

/** A toolkit by its name. */
export function toolkitOf(name: ToolkitName): Toolkit {
  return ALL[name];
}

/** The Debian packages that a toolkit's fixture wants and that are not installed. */
export function missingFor(name: ToolkitName): string[] {
  if (name === "qt6") {
    const needs = [["/usr/lib/python3/dist-packages/PyQt6/QtWidgets.abi3.so", "python3-pyqt6"]] as const;
    return missing({ ...toolkit("qt"), needs });
  }
  return missing(toolkit(name === "qt5" ? "qt" : name));
}
