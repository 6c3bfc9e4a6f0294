import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../../base/call.ts";
import type { Application } from "../../desktop/desktop.ts";
import { openSession } from "../../session/open-session.ts";
import { quirksOf } from "../../session/quirks.ts";
import type { ResourceProvider } from "../resource.ts";
import { type TestClient, testClient, testHost } from "./_client.ts";

const SCRIPT = fileURLToPath(new URL("../../../tests/fixtures/live/window.py", import.meta.url));
const PYTHON = "/usr/bin/python3";
const PACKAGES = "/usr/lib/python3/dist-packages";
const TYPELIBS = "/usr/lib/x86_64-linux-gnu/girepository-1.0";

/** The toolkits that the window speaks, with what each needs. */
export const TOOLKITS = {
  gtk3: [`${PACKAGES}/gi`, `${TYPELIBS}/Gtk-3.0.typelib`],
  gtk4: [`${PACKAGES}/gi`, `${TYPELIBS}/Gtk-4.0.typelib`],
  qt5: [`${PACKAGES}/PyQt5`],
  qt6: [`${PACKAGES}/PyQt6`],
} as const;
export type Toolkit = keyof typeof TOOLKITS;

/** What is missing for this toolkit's window; undefined: nothing. */
export function missingFor(toolkit: Toolkit): string | undefined {
  return [PYTHON, ...TOOLKITS[toolkit]].find((file) => !existsSync(file));
}

/** A client of a server on a private desktop, with a window that does what it is told. */
export interface Stage {
  readonly client: TestClient;
  readonly application: Application;
  /** Tells the window to do something: when it had done it, in milliseconds since 1970. */
  tell(command: string): Promise<number>;
  /** Without waiting until it is done. */
  say(command: string): void;
}

/** Opens a private desktop with such a window on it, connected to as "live". */
export async function onStage<R>(toolkit: Toolkit, use: (stage: Stage) => Promise<R>): Promise<R> {
  const folder = mkdtempSync(join(tmpdir(), "bs-live-"));
  const commands = join(folder, "commands"), done = join(folder, "done");
  spawnSync("mkfifo", [commands]);
  const session = await openSession({ kind: "isolated", state: folder });
  const client = testClient(testHost(session));
  try {
    const args = ["-B", SCRIPT, toolkit, folder, ...quirksOf(PYTHON, folder)];
    const { processId } = await session.launcher.launch(PYTHON, { args });
    const application = (await session.desktop.applications()).find((one) => one.pid === processId);
    if (application === undefined) throw new Error(`process ${processId} is not on the accessibility bus`);
    client.session.connections.connect(application, { appName: application.name, alias: "live" });
    let told = 0;
    // Nobody reads the pipe for a moment between two commands: opening it waits for the window, in a thread of its own.
    const say = (command: string) => appendFileSync(commands, `${command}\n`);
    return await use({
      client,
      application,
      say,
      async tell(command) {
        say(command);
        const deadline = Deadline.after(20_000);
        for (;;) {
          const lines = existsSync(done) ? readFileSync(done, "utf8").split("\n").slice(0, -1) : [];
          const line = lines[told];
          if (line !== undefined) {
            told++;
            return Number(line.split(" ")[1]);
          }
          deadline.check(`tell the window: ${command}`);
          if (deadline.passed) throw new Error(`the window did not ${command}`);
          await pause(2);
        }
      },
    });
  } finally {
    client.end();
    await session.close();
    rmSync(folder, { recursive: true });
  }
}

/** What somebody who subscribed was told, and when, in milliseconds since 1970. */
export interface Ear {
  readonly times: readonly number[];
  /** Resolves when it has been told after this moment; rejects after a generous while. */
  after(moment: number): Promise<number>;
  close(): Promise<void>;
}

/** Subscribes to an address. */
export async function subscribed(provider: ResourceProvider, client: TestClient, uri: string): Promise<Ear> {
  const times: number[] = [];
  const waiting = new Set<() => void>();
  const subscription = await provider.watch?.(uri, client.call, () => {
    times.push(Date.now() + performance.now() % 1);
    for (const wake of [...waiting]) wake();
  });
  if (subscription === undefined) throw new Error(`nobody can subscribe to ${uri}`);
  return {
    times,
    async after(moment) {
      const deadline = Deadline.after(20_000);
      for (;;) {
        const found = times.find((time) => time >= moment);
        if (found !== undefined) return found;
        if (deadline.passed) throw new Error(`${uri}: told ${times.length} times, and not after ${moment}`);
        await new Promise<void>((resolve) => {
          const wake = () => {
            clearTimeout(timer);
            waiting.delete(wake);
            resolve();
          };
          const timer = setTimeout(wake, deadline.remaining());
          waiting.add(wake);
        });
      }
    },
    close: () => subscription.close(),
  };
}
