import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Deadline, pause } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Application, Desktop } from "../desktop/desktop.ts";
import type { CatalogueApplication } from "./app-catalogue.ts";
import { LAUNCH_MARKER } from "./environment.ts";
import { pruneLogs, tailOf } from "./log-file.ts";
import { endOf } from "./part.ts";
import { environmentOf, identify } from "./processes.ts";
import { showsWindow } from "./windows-of.ts";

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
}

/** An application whose window is there. */
export interface Launched {
  readonly pid: number;
  readonly application: Application;
  readonly log: string;
}

/** Milliseconds after which the tree is read again although no event came. */
const REREAD = 100;

/**
 * Starts a program in a session of its own and waits until it is in the accessibility tree with a window: watches
 * first, then looks, then waits for a change. A program may hand over to another process (a wrapper, or an instance
 * that runs already): what it starts is recognised by a mark in its environment.
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
    const before = new Set((await desktop.applications(deadline.call())).map((one) => one.bus));
    const child = await start(plan, token);
    const isIts = (one: Application) => {
      if (one.pid === child.pid) return true;
      return !before.has(one.bus) && environmentOf(one.pid, LAUNCH_MARKER)?.startsWith(`${token} `) === true;
    };
    for (;;) {
      deadline.check(`launch ${plan.application.id}`);
      const found = (await desktop.applications(deadline.call())).filter(isIts);
      for (const application of found) {
        if (await hasWindow(desktop, application, deadline)) {
          return { pid: application.pid, application, log: child.log };
        }
      }
      const end = child.end();
      // With "exit code 0" it may have handed over to a process of its own: that one is waited for.
      if (end !== undefined && (end !== "exit code 0" || deadline.passed)) {
        throw launchFailed(plan, `it ended with ${end}`, child.log, end);
      }
      if (deadline.passed) {
        throw launchFailed(plan, "no window came in time", child.log, undefined, child.pid);
      }
      await changeOrEnd(watch, child.ended, end === undefined, deadline);
    }
  } finally {
    watch.close();
  }
}

/** Waits for an event, for the end of the child, or for the time of the next look. */
async function changeOrEnd(
  watch: ReturnType<Desktop["watch"]>,
  ended: Promise<unknown>,
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
    await Promise.race(running ? [change, ended] : [change]);
  } finally {
    stop.abort();
  }
  // Start-up is a storm of events: one look per few milliseconds is enough.
  await pause(5, deadline.signal);
}

/** A window in the tree, and where the desktop knows windows, one that is managed too. */
async function hasWindow(desktop: Desktop, application: Application, deadline: Deadline): Promise<boolean> {
  if (!await showsWindow(desktop, application, deadline)) return false;
  if (!desktop.capabilities.windows) return true;
  const windows = await desktop.windows(deadline.call());
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
    let end: string | undefined;
    const ended = endOf(child).then((how) => end = how);
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
    return { pid, log, ended, end: () => end };
  } finally {
    closeSync(handle);
  }
}

/** "Failed to launch X: why", with its last words. */
function launchFailed(plan: LaunchPlan, why: string, log: string, end?: string, pid?: number): BackstepError {
  const said = tailOf(log);
  return new BackstepError(
    "launch_failed",
    `Failed to launch ${plan.application.id}: ${why}${said === "" ? "" : `\n${said}`}`,
    {
      hint: pid === undefined
        ? `Try it by hand: ${plan.command.join(" ").slice(0, 200)}`
        : "It still runs; give it a longer timeout, or see whether it has an accessibility tree at all.",
      details: {
        ...(end === undefined ? {} : { end }),
        ...(pid === undefined ? {} : { processId: pid }),
        stderr: said,
      },
    },
  );
}
