import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../../base/call.ts";
import type { Application } from "../../desktop/desktop.ts";
import type { Session } from "../../session/session.ts";
import type { ResourceProvider } from "../server/resource.ts";
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

/** A window that does what it is told. */
export interface LiveWindow {
  readonly toolkit: Toolkit;
  readonly application: Application;
  /** Tells it to do something, and when it had done it, in milliseconds since 1970. */
  tell(command: string): Promise<number>;
}

/** Starts such a window on the desktop of a session; the folder, which is the session's affair, holds its pipe. */
export async function startWindow(session: Session, folder: string, toolkit: Toolkit): Promise<LiveWindow> {
  const own = mkdtempSync(join(folder, `${toolkit}-`));
  const commands = join(own, "commands"), done = join(own, "done");
  spawnSync("mkfifo", [commands]);
  const args = ["-B", SCRIPT, toolkit, own];
  // Each is the same interpreter: brought to the front instead of started otherwise.
  const program = join(own, `live-${toolkit}`);
  symlinkSync(PYTHON, program);
  const { processId } = await session.launcher.launch(program, { args });
  const application = (await session.desktop.applications()).find((one) => one.pid === processId);
  if (application === undefined) throw new Error(`process ${processId} is not on the accessibility bus`);
  let reported = 0;
  return {
    toolkit,
    application,
    async tell(command) {
      // Opening it waits for the window to read, which it does in a thread of its own.
      appendFileSync(commands, `${command}\n`);
      const deadline = Deadline.after(20_000);
      for (;;) {
        const lines = existsSync(done) ? readFileSync(done, "utf8").split("\n").slice(0, -1) : [];
        const line = lines[reported];
        if (line !== undefined) {
          reported++;
          return Number(line.split(" ").at(-1));
        }
        if (deadline.passed) throw new Error(`the window did not ${command}`);
        await pause(2);
      }
    },
  };
}

/** A client that is connected to such windows, each by the name of its toolkit. */
export function clientOf(session: Session, windows: readonly LiveWindow[]): TestClient {
  const client = testClient(testHost(session));
  for (const { application, toolkit } of windows) {
    client.session.connections.connect(application, { appName: application.name, alias: toolkit });
  }
  return client;
}

/** What somebody who subscribed was told, and when, in milliseconds since 1970. */
export interface DesktopEvents {
  readonly times: readonly number[];
  /** Resolves when it has been told after this moment; rejects after a generous while. */
  after(moment: number): Promise<number>;
  close(): Promise<void>;
}

/** Subscribes to an address. */
export async function subscribed(
  provider: ResourceProvider,
  client: TestClient,
  uri: string,
): Promise<DesktopEvents> {
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
