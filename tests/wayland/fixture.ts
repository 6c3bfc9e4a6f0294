import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../../src/base/call.ts";

/** The toolkits whose windows are pointed at and typed into; XWayland is GTK 3 that speaks X11. */
export const TOOLKITS = ["GTK 3", "GTK 4", "Qt 5", "Qt 6", "Chromium", "XWayland"] as const;
export type Toolkit = (typeof TOOLKITS)[number];

/** A program of 24 buttons and a field, and what it wrote down. */
export interface Fixture {
  readonly program: string;
  readonly args: readonly string[];
  /** What happened to it, in order: "click b3", "text abc". */
  lines(): readonly string[];
  /** Waits until so many lines are there that begin with a word; answers with those. */
  until(word: string, count: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

const at = (name: string) => fileURLToPath(new URL(`../fixtures/wayland/${name}`, import.meta.url));
/** Milliseconds that what was done gets to be written down. */
const WRITTEN = 3_000;

/** Where a toolkit's program lies, and with what arguments behind the log's path. */
const PROGRAMS: Readonly<Record<Exclude<Toolkit, "Chromium">, readonly [file: string, ...args: string[]]>> = {
  "GTK 3": ["gtk3.py", "wayland"],
  "GTK 4": ["gtk4.py"],
  "Qt 5": ["qt.py", "5"],
  "Qt 6": ["qt.py", "6"],
  "XWayland": ["gtk3.py", "x11"],
};

/** Makes what one toolkit's program needs. */
export async function fixtureOf(toolkit: Toolkit): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-buttons-"));
  const log = join(folder, "log");
  appendFileSync(log, "");
  const lines = () => readFileSync(log, "utf8").split("\n").slice(0, -1);
  const until = async (word: string, count: number) => {
    const deadline = Deadline.after(WRITTEN);
    for (;;) {
      const found = lines().filter((line) => line.startsWith(word));
      if (found.length >= count || deadline.passed) return found;
      await pause(2);
    }
  };
  if (toolkit === "Chromium") {
    const server = createServer((request, response): void => {
      if (request.method !== "POST") return void response.end(readFileSync(at("page.html")));
      let body = "";
      request.on("data", (chunk) => body += chunk);
      request.on("end", () => {
        appendFileSync(log, `${body}\n`);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return {
      program: "chromium",
      args: [`http://127.0.0.1:${port}/`],
      lines,
      until,
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        rmSync(folder, { recursive: true });
      },
    };
  }
  const [file, ...more] = PROGRAMS[toolkit];
  return {
    program: "/usr/bin/python3",
    args: [at(file), log, ...more],
    lines,
    until,
    close() {
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  };
}
