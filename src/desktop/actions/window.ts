import type { Deadline } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { Desktop, Window } from "../desktop.ts";
import type { Application } from "../element.ts";
import { contains } from "../rect.ts";
import { isMac } from "../toolkits.ts";
import { watchUntil } from "./read-back.ts";

/**
 * Brings the window of an application that holds a point (any of its windows without one) to the front, since synthetic
 * input reaches what is on top and nothing else. Without a window manager there is nothing to raise, and nothing done. Answers
 * whether a window was raised.
 */
export async function raise(
  desktop: Desktop,
  application: Application,
  deadline: Deadline,
  point?: { readonly x: number; readonly y: number },
  /** What is in front is looked at once more before anything is sent. */
  how: { readonly recent?: true } = {},
): Promise<boolean> {
  if (!desktop.capabilities.windows) return false;
  const window = windowAt(await desktop.windows({ ...deadline.call(), ...how }), application, point);
  return await activate(desktop, window, application.name, deadline);
}

/** The same for one window, by its id; one that is no longer there is not raised. */
export async function raiseWindow(desktop: Desktop, id: number, deadline: Deadline): Promise<boolean> {
  if (!desktop.capabilities.windows) return false;
  const window = (await desktop.windows(deadline.call())).find((one) => one.id === id);
  return await activate(desktop, window, window?.windowClass, deadline);
}

async function activate(
  desktop: Desktop,
  window: Window | undefined,
  whose: string | undefined,
  deadline: Deadline,
): Promise<boolean> {
  if (window === undefined || window.active || window.popup) return false;
  try {
    await desktop.window(window.id, { do: "activate" }, deadline.call());
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (error.code === "unsupported") return false;
    throw error;
  }
  const seen = await watchUntil(
    desktop,
    async () => (await desktop.windows(deadline.call())).find((w) => w.id === window.id),
    (now) => now === undefined || now.active,
    deadline,
  );
  if (seen.held) return true;
  throw new BackstepError(
    "no_effect",
    `Cannot bring window ${JSON.stringify(window.title)} of ${whose} to the front`,
    { hint: "A modal dialog may prevent it, or no window manager is running." },
  );
}

function windowAt(
  windows: readonly Window[],
  application: Application,
  point: { readonly x: number; readonly y: number } | undefined,
): Window | undefined {
  // There a menu takes no keys while its application is behind another.
  const keys = point === undefined && isMac(application);
  const own = windows.filter((w) => w.pid === application.pid && !(keys && w.popup));
  const there = point === undefined ? own : own.filter((w) => contains(w.rect, point.x, point.y));
  return there.find((w) => w.popup) ?? there.find((w) => w.active) ?? there.at(-1);
}
