import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Deadline, pause } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Application, Desktop, Window } from "../desktop/desktop.ts";
import type { CatalogueApplication } from "./app-catalogue.ts";
import { EarlierInstance } from "./earlier-instance.ts";
import { LAUNCH_MARKER } from "./environment.ts";
import { inaccessible } from "./inaccessible.ts";
import { pruneLogs, tailOf } from "./log-file.ts";
import { endOf } from "./part.ts";
import { allProcesses, environmentOf, identify } from "./processes.ts";
import { hasActiveWindow, look, showsWindow } from "./windows-of.ts";

/** Where and how an application is to be started. */
export interface LaunchPlan {
  readonly application: CatalogueApplication;
  /** The program and all its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  /** Folder of its log. */
  readonly logs: string;
  /** Folder for a note of its pid and start time; undefined on a desktop that is not ours to tear down. */
  readonly notes: string | undefined;
  /** Does this process run the application, whoever started it? */
  isSame(pid: number): boolean;
}

/** An application whose window is there. */
export interface Launched {
  readonly pid: number;
  readonly application: Application;
  readonly log: string;
  /** The program handed over to a process that ran before, without a window. */
  readonly wasRunning: boolean;
}

/** Milliseconds that another process gets to show a window after the program ended well and left none behind. */
const HANDOVER = 2_000;

/** Milliseconds that a program whose window is there gets to be known to accessibility: toolkits are before they show any. */
const TREELESS = 8_000;

/** Milliseconds that a new window gets to have the keyboard, on Wayland. */
const ACTIVE = 1_000;
/** Milliseconds from there until something in it has told that it has the focus; not everything can have it. */
const FOCUSES = 150;
const FOCUSED = "object:state-changed:focused";

/** Milliseconds after which the tree is read again although no event came. */
const REREAD = 100;

/**
 * Starts a program in a session of its own and waits until it is in the accessibility tree with a window: watches
 * first, then looks, then waits for a change. A program may hand over to another process (a wrapper, or an instance
 * that runs already): what it starts is recognised by a mark in its environment. One that hands over and stays (`kate -b`)
 * is recognised by the windows of the instance that ran before, which are others then. A window without any accessibility
 * tree counts once it has stood for a while.
 *
 * Rejects with `launch_failed` (the system refused, it ended early, or no window came; `details.processId` then says
 * what runs on), `cancelled`.
 */
export async function launchAndWait(
  desktop: Desktop,
  plan: LaunchPlan,
  deadline: Deadline,
): Promise<Launched> {
  const watch = desktop.watch();
  try {
    const token = randomUUID();
    const running = await desktop.applications(look(deadline));
    const before = new Set(running.map((one) => one.bus));
    const earlier = new EarlierInstance(desktop, running.filter(({ pid }) => plan.isSame(pid)));
    await earlier.begin(deadline);
    const child = await start(plan, token);
    const shown = new ShownWindows(desktop);
    const isMarked = (pid: number) => environmentOf(pid, LAUNCH_MARKER)?.startsWith(`${token} `) === true;
    for (;;) {
      deadline.check(`launch ${plan.application.id}`);
      const end = child.end();
      const exitedCleanly = end?.how === "exit code 0";
      const applications = await desktop.applications(look(deadline));
      const its = applications.filter(({ pid }) => {
        return pid === child.pid || isMarked(pid) || exitedCleanly && plan.isSame(pid);
      });
      for (const application of its) {
        if (!await hasWindow(desktop, application, deadline)) continue;
        if (plan.environment["WAYLAND_DISPLAY"]) {
          await activated(desktop, application, deadline.within(ACTIVE));
        }
        return { pid: application.pid, application, log: child.log, wasRunning: before.has(application.bus) };
      }
      const bare = await shown.longWithout(
        applications,
        (pid) => pid === child.pid || isMarked(pid),
        deadline,
      );
      if (bare !== undefined) {
        const application = inaccessible(bare.pid, bare.title);
        return { pid: bare.pid, application, log: child.log, wasRunning: false };
      }
      const taken = end === undefined ? await earlier.hasChanged(deadline) : undefined;
      if (taken !== undefined) {
        return { pid: taken.pid, application: taken, log: child.log, wasRunning: true };
      }
      if (end !== undefined && !exitedCleanly) {
        throw launchFailed(plan, `it ended with ${end.how}`, child.log, end.how);
      }
      if (exitedCleanly && (deadline.passed || performance.now() - end.at > HANDOVER && !marked(isMarked))) {
        throw launchFailed(plan, `it ended with ${end.how} and left no window`, child.log, end.how);
      }
      if (deadline.passed) {
        throw launchFailed(plan, "no window came in time", child.log, undefined, child.pid, earlier.only);
      }
      await changeOrEnd(watch, child.finished, end === undefined, deadline);
    }
  } finally {
    watch.close();
  }
}

/**
 * Waits until a window that was just shown has the keyboard: on Wayland it is in the tree some 50 ms before the compositor
 * knows of it, and the keyboard comes to it another 50 ms later. One that never gets it is used as it is.
 */
async function activated(desktop: Desktop, application: Application, limit: Deadline): Promise<void> {
  const watch = desktop.watch(application);
  try {
    let last = limit;
    for (let active = false; !last.passed;) {
      const timeout = Math.max(1, Math.min(REREAD, last.remaining()));
      await watch.next({ timeout, ...defined({ signal: limit.signal }) });
      const focused = watch.take().some(({ kind, detail1 }) => kind === FOCUSED && detail1 === 1);
      if (!active && await hasActiveWindow(desktop, application, limit)) {
        active = true;
        last = limit.within(FOCUSES);
      }
      if (active && focused) return;
    }
  } finally {
    watch.close();
  }
}

/** Does anything run that the program started? */
function marked(isMarked: (pid: number) => boolean): boolean {
  return allProcesses().some(({ pid }) => isMarked(pid));
}

/** Waits for an event, for the end of the child, or for the time of the next look. */
async function changeOrEnd(
  watch: ReturnType<Desktop["watch"]>,
  finished: Promise<unknown>,
  running: boolean,
  deadline: Deadline,
): Promise<void> {
  const stop = new AbortController();
  const signal = deadline.signal ? AbortSignal.any([deadline.signal, stop.signal]) : stop.signal;
  const timeout = Math.max(1, Math.min(REREAD, deadline.remaining()));
  const change = watch.next({ timeout, signal }).then(() => {
    watch.take();
  });
  // Whichever loses is called off; its "cancelled" is what was asked for.
  change.catch(() => {});
  try {
    await Promise.race(running ? [change, finished] : [change]);
  } finally {
    stop.abort();
  }
  // Start-up is a storm of events: one look per few milliseconds is enough.
  await pause(5, deadline.signal);
}

/** The windows of a launch whose processes have no accessibility tree. */
class ShownWindows {
  readonly #desktop: Desktop;
  readonly #since = new Map<number, number>();

  constructor(desktop: Desktop) {
    this.#desktop = desktop;
  }

  /** One that has shown for long although nothing of the launch is known to accessibility; undefined: none. */
  async longWithout(
    applications: readonly Application[],
    isIts: (pid: number) => boolean,
    deadline: Deadline,
  ): Promise<Window | undefined> {
    if (!this.#desktop.capabilities.windows || applications.some(({ pid }) => isIts(pid))) return undefined;
    const windows = await this.#desktop.windows(look(deadline));
    const now = performance.now();
    return windows.filter(({ pid, popup }) => !popup && pid !== 0 && isIts(pid)).find(({ id }) => {
      const since = this.#since.get(id) ?? now;
      this.#since.set(id, since);
      return now - since >= TREELESS;
    });
  }
}

/** A window in the tree, and where the desktop knows windows, one that is managed too. */
async function hasWindow(desktop: Desktop, application: Application, deadline: Deadline): Promise<boolean> {
  if (!await showsWindow(desktop, application, deadline)) return false;
  if (!desktop.capabilities.windows) return true;
  const windows = await desktop.windows(look(deadline));
  const managed = windows.filter((window) => !window.popup);
  return managed.some((window) => window.pid === application.pid || window.pid === 0);
}

async function start(plan: LaunchPlan, token: string) {
  mkdirSync(plan.logs, { recursive: true, mode: 0o700 });
  pruneLogs(plan.logs);
  const log = join(
    plan.logs,
    `${plan.application.executable.replace(/[^\w.-]/g, "_")}-${token.slice(0, 8)}.log`,
  );
  const handle = openSync(log, "a", 0o600);
  try {
    const [program = "", ...args] = plan.command;
    const child = spawn(program, args, {
      detached: true,
      cwd: plan.directory,
      env: { ...plan.environment, [LAUNCH_MARKER]: `${token} ${plan.application.id}` },
      stdio: ["ignore", handle, handle],
    });
    let end: { how: string; at: number } | undefined;
    const finished = endOf(child).then((how) => end = { how, at: performance.now() });
    const pid = child.pid ?? await new Promise<never>((_, reject) => {
      child.once("error", (error) => reject(launchFailed(plan, error.message, log)));
    });
    child.on("error", () => {}); // only says that a signal could not be sent; nobody sends one
    child.unref();
    const identity = identify(pid);
    if (plan.notes !== undefined && identity !== undefined) {
      writeFileSync(
        join(plan.notes, `${pid}-${identity.start}.json`),
        JSON.stringify({ id: plan.application.id, log }),
      );
    }
    return { pid, log, finished, end: () => end };
  } finally {
    closeSync(handle);
  }
}

/** "Failed to launch X: why", with its last words. */
function launchFailed(
  plan: LaunchPlan,
  why: string,
  log: string,
  end?: string,
  pid?: number,
  earlier?: Application,
): BackstepError {
  const said = tailOf(log);
  return new BackstepError(
    "launch_failed",
    `Failed to launch ${plan.application.id}: ${why}${said === "" ? "" : `\n${said}`}`,
    {
      hint: pid === undefined
        ? `Try it by hand: ${plan.command.join(" ").slice(0, 200)}`
        : earlier !== undefined
        ? `It still runs, beside process ${earlier.pid}, whose windows are as before: it may have handed over to it.`
        : "It still runs; give it a longer timeout, or see whether it has an accessibility tree at all.",
      details: {
        ...defined({ end, processId: pid }),
        stderr: said,
      },
    },
  );
}
