import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Deadline, pause } from "../../src/base/call.ts";
import type { Application, Desktop } from "../../src/desktop/desktop.ts";
import { connectNative } from "../../src/desktop/native/connect.ts";
import { startPrivateDesktop } from "../../src/session/private-desktop.ts";
import { quirksOf } from "../../src/session/quirks.ts";
import { page } from "./page.ts";

/** Milliseconds for an application to show its window, and then to come to rest. */
const START = 20_000;
const REST = 500;
/** Qt 5 at times joins the accessibility bus and forgets to register: what has not come by then is started again. */
const REGISTER = 2_500;
const TRIES = 8;

/** What is measured, and how it is started. */
export interface Program {
  /** As in the table. */
  readonly app: string;
  readonly program: string;
  /** Elements of a page that it is to show. */
  readonly page?: number;
  /** Title of the window once it is ready; default: any window. */
  readonly title?: string;
  /** It keeps a cache once somebody has registered for events; peers are given one of which nobody asked that. */
  readonly bridge?: boolean;
}

/** An application on a desktop of its own, whose tree nobody has read yet. */
export interface Place extends AsyncDisposable {
  readonly pid: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly addresses: { readonly a11yBus: string; readonly sessionBus: string; readonly display: string };
}

/** One with a connection, as a session has it: events are registered for. It is closed with the place. */
export interface Connected extends Place {
  readonly desk: Desktop;
  readonly application: Application;
}

/**
 * Starts a private desktop and a program on it, waits for its window, which the display tells, and connects. A session
 * connects before it starts programs, and so it is here; a page is opened before, as in a browser that a session
 * attaches to, since Chromium's cache never learns of a page that is loaded after somebody registered.
 */
export async function startConnected(what: Program): Promise<Connected> {
  for (let left = TRIES;;) {
    let desk: Desktop | undefined;
    const connect = async ({ addresses }: Pick<Place, "addresses">) => {
      desk = await connectNative({ kind: "isolated", label: addresses.display, ...addresses });
    };
    const disconnect = async () => {
      await desk?.close();
    };
    let place: Place;
    try {
      place = await start(what, what.page === undefined ? connect : undefined);
    } catch (error) {
      // A session that stays open would keep the benchmark from ending.
      await disconnect();
      throw error;
    }
    const dispose = async () => {
      await disconnect();
      await place[Symbol.asyncDispose]();
    };
    try {
      if (!desk) await connect(place);
      if (!desk) throw new Error("not connected");
      const application = await find(desk, place.pid);
      return { ...place, desk, application, [Symbol.asyncDispose]: dispose };
    } catch (error) {
      await dispose();
      if (--left === 0) throw error;
    }
  }
}

/** The same without a connection. */
export async function start(
  what: Program,
  beforehand?: (place: Pick<Place, "addresses">) => Promise<void>,
): Promise<Place> {
  const desktop = await startPrivateDesktop();
  let child: ChildProcess | undefined;
  const end = async () => {
    if (child && child.exitCode === null && child.signalCode === null) {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    }
    await desktop.stop();
  };
  try {
    await desktop.managed;
    const { environment, sessionBus, accessibilityBus, display, folders } = desktop;
    // The display lets in only who names its key.
    const addresses = {
      a11yBus: accessibilityBus,
      sessionBus,
      display: `${display} ${folders.authority}`,
    };
    await beforehand?.({ addresses });
    const args = quirksOf(what.program, folders.home);
    if (what.page !== undefined) {
      const file = join(folders.home, "page.html");
      writeFileSync(file, page(what.page));
      args.push(`file://${file}`);
    }
    child = spawn(what.program, args, { env: { ...environment }, stdio: "ignore" });
    await once(child, "spawn");
    await shown(what, addresses.display);
    return { pid: child.pid ?? 0, environment, addresses, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function shown(what: Program, display: string): Promise<void> {
  const deadline = Deadline.after(START);
  const vision = await connectNative({ kind: "isolated", label: display, display });
  try {
    for (;;) {
      const windows = await vision.windows();
      if (windows.some((w) => !w.popup && w.title.includes(what.title ?? ""))) break;
      if (deadline.passed) {
        const titles = windows.map((w) => w.title).join(", ");
        throw new Error(`${what.app} did not show its window in ${START} ms, but: ${titles}`);
      }
      await pause(50);
    }
  } finally {
    await vision.close();
  }
  // A window that has just been mapped is still being laid out, and nothing says when that is over.
  await pause(what.page === undefined ? REST : REST + what.page / 8);
}

/** The application as the accessibility bus lists it. */
async function find(desk: Desktop, pid: number): Promise<Application> {
  const deadline = Deadline.after(REGISTER);
  for (;;) {
    const application = (await desk.applications()).find((a) => a.pid === pid && a.name !== "");
    if (application) return application;
    if (deadline.passed) throw new Error(`process ${pid} did not come to the accessibility bus`);
    await pause(50);
  }
}
