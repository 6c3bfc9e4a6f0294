import { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Desktop, Window } from "../desktop/desktop.ts";
import { identify, isAlive, whenGone } from "./processes.ts";
import type { ProcessIdentity } from "../base/process-stat.ts";
import type { Running } from "./running-applications.ts";
import { answerOf, answerUnsaved, type Unsaved } from "./unsaved.ts";
import { look, type OpenDialog, openDialogs, showsWindow } from "./windows-of.ts";

/**
 * Milliseconds: between looks without an event; that a dialog must stand; that it may stay after it was answered; after which
 * windows that stay without a word are asked again; that a process without windows may take.
 */
const REREAD = 250;
const STANDS = 300;
const CLOSES = 3_000;
const AGAIN = 3_000;
const LINGER = 1_500;

/**
 * Closes all windows of an application as a person would, through the window manager, the topmost first, and waits
 * until they are gone. Never kills. What it asks about unsaved work is answered as `unsaved` says. Rejects with
 * `quit_blocked`, naming the dialog that stays open and its buttons, or the windows that stayed.
 */
export async function closeWindows(
  desktop: Desktop,
  running: Running,
  deadline: Deadline,
  unsaved: Unsaved = "fail",
): Promise<void> {
  if (running.windows.length === 0) {
    throw new BackstepError(
      "unsupported",
      `Cannot quit ${running.bundleId}: this desktop does not report its windows`,
      {
        hint: "Close it through its own menu.",
      },
    );
  }
  const identity = identify(running.processId);
  const watch = desktop.watch();
  try {
    let standing: { dialog: OpenDialog; since: number; answered: boolean } | undefined;
    let asked: number | undefined;
    while (!await isGone(desktop, running, identity, deadline)) {
      const [dialog] = await openDialogs(desktop, running.application, deadline);
      const now = performance.now();
      // A question that stands already is answered: closed with the windows behind it, it leaves some of them running.
      const waits = dialog !== undefined && !dialog.takesText && answerOf(dialog, unsaved) !== undefined;
      if (asked === undefined ? !waits : dialog === undefined && now - asked >= AGAIN) {
        for (const window of await ownWindows(desktop, running, deadline)) {
          await requestClose(desktop, window.id, deadline);
        }
        asked = now;
      } else if (dialog === undefined) standing = undefined;
      else if (standing?.dialog.key !== dialog.key) standing = { dialog, since: now, answered: false };
      else if (now - standing.since >= (standing.answered ? CLOSES : STANDS)) {
        const answer = standing.answered
          ? undefined
          : await answerUnsaved(desktop, running.application, unsaved, deadline);
        if (answer === undefined) throw blockedBy(running.bundleId, dialog, unsaved);
        standing = { dialog, since: performance.now(), answered: true };
      }
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

/** Its windows, the topmost first. */
async function ownWindows(desktop: Desktop, running: Running, deadline: Deadline): Promise<Window[]> {
  const before = new Set(running.windows.map(({ id }) => id));
  const windows = await desktop.windows(look(deadline));
  return windows.filter(({ id, pid, popup }) => !popup && (pid === running.processId || before.has(id)))
    .reverse();
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
  if ((await ownWindows(desktop, running, deadline)).length > 0) return false;
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
export function blockedBy(id: string, dialog: OpenDialog, unsaved: Unsaved = "fail"): BackstepError {
  const buttons = dialog.buttons.map((name) => `"${name}"`).join(", ");
  const says = dialog.says === dialog.title ? "" : ` (${dialog.says})`;
  return new BackstepError("quit_blocked", `Cannot quit ${id}: a dialog stays open: ${dialog.title}${says}`, {
    hint: buttons === "" ? "Answer the dialog, then quit again." : `${hintOf(dialog, unsaved)}: ${buttons}`,
    details: { dialog: dialog.title, says: dialog.says, buttons: dialog.buttons },
  });
}

function hintOf(dialog: OpenDialog, unsaved: Unsaved): string {
  if (unsaved === "save" && dialog.takesText) {
    return "It asks where to save: save it in a step of its own, or answer with one of its buttons";
  }
  const existing = (["discard", "save"] as const).some((one) => answerOf(dialog, one) !== undefined);
  return unsaved === "fail" && existing && !dialog.takesText
    ? "Say `unsaved: discard` or `unsaved: save`, or answer it with one of its buttons"
    : "Answer it with one of its buttons";
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
      hint: "Look at the application, or use a longer timeout.",
      details: { windows: titles, processId: running.processId },
    },
  );
}
