import { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { identify, isAlive, type ProcessIdentity, whenGone } from "./processes.ts";
import type { Running } from "./running-applications.ts";
import { look, type OpenDialog, openDialogs, showsWindow } from "./windows-of.ts";

/** Milliseconds: between looks without an event; that a dialog must stand; that a process without windows may take. */
const REREAD = 250;
const STANDS = 300;
const LINGER = 1_500;

/**
 * Closes all windows of an application as a person would, through the window manager, the topmost first, and waits
 * until they are gone. Never kills. Rejects with `quit_blocked`, naming the dialog that stays open and its buttons, or
 * the windows that stayed.
 */
export async function closeWindows(desktop: Desktop, running: Running, deadline: Deadline): Promise<void> {
  if (running.windows.length === 0) {
    throw new BackstepError(
      "unsupported",
      `Cannot quit ${running.bundleId}: this desktop does not tell its windows`,
      {
        hint: "Close it through its own menu.",
      },
    );
  }
  const identity = identify(running.processId);
  const watch = desktop.watch();
  try {
    for (const window of running.windows.toReversed()) await requestClose(desktop, window.id, deadline);
    let standing: { dialog: OpenDialog; since: number } | undefined;
    while (!await isGone(desktop, running, identity, deadline)) {
      const [dialog] = await openDialogs(desktop, running.application, deadline);
      if (dialog === undefined) standing = undefined;
      else if (standing?.dialog.title !== dialog.title) standing = { dialog, since: performance.now() };
      else if (performance.now() - standing.since >= STANDS) throw blockedBy(running.bundleId, dialog);
      if (deadline.passed) throw await stayed(desktop, running);
      await watch.next({ ...deadline.within(REREAD).call() });
      watch.take();
    }
  } finally {
    watch.close();
  }
  // Its windows are gone, so it has quit as far as a person can see; a process that stays a while is its own affair.
  if (identity !== undefined) await whenGone([identity], deadline.within(LINGER));
}

/** A window that closed meanwhile (with the one before it) is what was wanted. */
async function requestClose(desktop: Desktop, window: number, deadline: Deadline): Promise<void> {
  try {
    await desktop.window(window, { do: "close" }, deadline.call());
  } catch (error) {
    if (error instanceof BackstepError && (error.code === "stale" || error.code === "app_gone")) return;
    const there = (await desktop.windows(look(deadline))).some((one) => one.id === window);
    if (there) throw error;
  }
}

async function isGone(
  desktop: Desktop,
  running: Running,
  identity: ProcessIdentity | undefined,
  deadline: Deadline,
) {
  if (identity !== undefined && !isAlive(identity)) return true;
  const windows = await desktop.windows(look(deadline));
  if (windows.some((window) => window.pid === running.processId && !window.popup)) return false;
  const applications = await desktop.applications(look(deadline));
  const still = applications.find((one) => one.bus === running.application.bus);
  return still === undefined || !await showsWindow(desktop, still, deadline);
}

/** The error of quitting what does not run; `running` are the ids of what does. */
export function notRunning(wanted: string, running: readonly string[]): BackstepError {
  const shown = running.slice(0, 8);
  return new BackstepError("app_not_running", `Application is not running: ${wanted.slice(0, 200)}`, {
    hint: shown.length === 0
      ? "No application with a window is running."
      : `Running: ${shown.join(", ")}${running.length > shown.length ? "…" : "."}`,
    details: { running: shown },
  });
}

/** The error of an application that asks something instead of closing. */
export function blockedBy(id: string, dialog: OpenDialog): BackstepError {
  const buttons = dialog.buttons.map((name) => `"${name}"`).join(", ");
  const says = dialog.says === dialog.title ? "" : ` (${dialog.says})`;
  return new BackstepError("quit_blocked", `Cannot quit ${id}: a dialog stays open: ${dialog.title}${says}`, {
    hint: buttons === ""
      ? "Answer the dialog, then quit again."
      : `Answer it with one of its buttons: ${buttons}`,
    details: { dialog: dialog.title, says: dialog.says, buttons: dialog.buttons },
  });
}

async function stayed(desktop: Desktop, running: Running): Promise<BackstepError> {
  const windows = await desktop.windows(Deadline.after(1_000).call());
  const titles = windows.filter((window) => window.pid === running.processId && !window.popup)
    .map((window) => window.title.slice(0, 100)).slice(0, 8);
  return new BackstepError(
    "quit_blocked",
    `Cannot quit ${running.bundleId}: it was asked to close and did not${
      titles.length > 0 ? `; still open: ${titles.join(", ")}` : ""
    }`,
    {
      hint: "Look at what it shows, or allow it a longer timeout.",
      details: { windows: titles, processId: running.processId },
    },
  );
}
