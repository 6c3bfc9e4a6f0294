import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Deadline, pause } from "../../src/base/call.ts";
import type { Application, Desktop } from "../../src/desktop/desktop.ts";
import { connectNative } from "../../src/desktop/native/connect.ts";
import { startPrivateDesktop } from "../../src/session/private-desktop.ts";
import { quirksOf } from "../../src/session/quirks.ts";

/** Milliseconds for an application to show its window, and then to come to rest. */
const START = 20_000;
const REST = 700;
/** Qt 5 at times joins the accessibility bus and forgets to register: what has not come by then is started again. */
const REGISTER = 5_000;
const TRIES = 6;

/** An application on a desktop of its own, not looked at yet by anybody. */
export interface Place extends AsyncDisposable {
  /** Connected as a session is, with events registered for; closed with the place. */
  readonly desk: Desktop;
  readonly pid: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Addresses to connect to. */
  readonly addresses: { readonly a11yBus: string; readonly sessionBus: string; readonly display: string };
}

/** What is measured, and how it is started. */
export interface Program {
  /** As in the table. */
  readonly app: string;
  readonly program: string;
  /** Elements of a page that it is to show. */
  readonly page?: number;
  /** Title of the window once it is ready; default: any window. */
  readonly title?: string;
}

/** A page of so many elements; its title says when it is there. */
export function page(elements: number): string {
  const parts: string[] = [];
  for (let i = 0; i < elements; i += 17) {
    parts.push(
      `<section><h2>Part ${i}</h2><p>Some words about part ${i}.</p><button title="Press ${i}">Button ${i}</button>`,
      `<input value="${i}" aria-label="Field ${i}"><label><input type=checkbox> Check ${i}</label>`,
      `<ul><li>One ${i}</li><li>Two ${i}</li></ul></section>`,
    );
  }
  return `<!doctype html><meta charset=utf-8><title>loading</title>${parts.join("\n")}` +
    `<script>onload = () => requestAnimationFrame(() => setTimeout(() => document.title = "ready", 100));</script>`;
}

/**
 * Starts a private desktop and a program on it, and waits for its window, which the display tells: nobody reads its tree
 * before the measurement does.
 *
 * A session connects before it starts programs, and so it is here; a page is opened before, as with a browser that a
 * session attaches to, since Chromium's cache never learns of a page that is loaded after somebody registered.
 */
export async function startProgram(what: Program): Promise<Place> {
  for (let left = TRIES;;) {
    const place = await startOnce(what);
    try {
      await find(place);
      return place;
    } catch (error) {
      await place[Symbol.asyncDispose]();
      if (--left === 0) throw error;
    }
  }
}

async function startOnce(what: Program): Promise<Place> {
  const desktop = await startPrivateDesktop();
  let child: ChildProcess | undefined;
  let desk: Desktop | undefined;
  const end = async () => {
    await desk?.close();
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
    const addresses = { a11yBus: accessibilityBus, sessionBus, display };
    const connect = () => connectNative({ kind: "isolated", label: display, ...addresses });
    if (what.page === undefined) desk = await connect();
    const args = quirksOf(what.program, folders.home);
    if (what.page !== undefined) {
      const file = join(folders.home, "page.html");
      writeFileSync(file, page(what.page));
      args.push(`file://${file}`);
    }
    child = spawn(what.program, args, { env: { ...environment }, stdio: "ignore" });
    await once(child, "spawn");
    await shown(what, display);
    desk ??= await connect();
    return { desk, pid: child.pid ?? 0, environment, addresses, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function shown(what: Program, display: string): Promise<void> {
  const deadline = Deadline.after(START);
  const eyes = await connectNative({ kind: "isolated", label: display, display });
  try {
    for (;;) {
      const windows = await eyes.windows();
      if (windows.some((w) => !w.popup && w.title.includes(what.title ?? ""))) break;
      if (deadline.passed) {
        const titles = windows.map((w) => w.title).join(", ");
        throw new Error(`${what.app} did not show its window in ${START} ms, but: ${titles}`);
      }
      await pause(50);
    }
  } finally {
    await eyes.close();
  }
  // A window that has just been mapped is still being laid out, and nothing says when that is over.
  await pause(what.page === undefined ? REST : REST + what.page / 4);
}

/** The application as the accessibility bus lists it. */
export async function find(place: Place): Promise<Application> {
  const deadline = Deadline.after(REGISTER);
  for (;;) {
    const application = (await place.desk.applications()).find((a) => a.pid === place.pid && a.name !== "");
    if (application) return application;
    if (deadline.passed) throw new Error(`process ${place.pid} did not come to the accessibility bus`);
    await pause(50);
  }
}
