import type { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Desktop, DesktopEvent } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { actionMethod } from "./action.ts";
import type { Done } from "./attempts.ts";
import { applicationOf } from "./place.ts";

/** Milliseconds that an action may take before anybody looks what it is waiting for. */
const PROMPT = 250;
/** Milliseconds between two looks for a window that it opened. */
const LOOK = 100;
/** Milliseconds that an application which answers nobody meanwhile is given to answer all the same. */
const STALLED = 1_500;

/**
 * Does an action, and answers how: Qt 5 answers an action that opens a modal dialog when that is closed again. A window
 * that the application did not have before is as good an answer, and the method says that it was one, or that nothing has
 * been heard of the application since.
 */
export async function doAction(
  desktop: Desktop,
  element: ElementRef,
  name: string,
  deadline: Deadline,
): Promise<string> {
  const method = actionMethod(name);
  const before = new Set(await windowsOf(desktop, element, deadline));
  const stop = new AbortController();
  const { signal } = deadline;
  const call = {
    ...deadline.call(),
    signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
  };
  const openings = await openingsOf(desktop, element, deadline);
  const act = desktop.act(element, { do: "action", name }, call);
  const stalls = deadline.within(STALLED);
  const opened = async () => {
    for (let wait = PROMPT;; wait = LOOK) {
      if (await finishedBy(act, deadline.within(wait))) return false;
      if (deadline.passed) return false;
      if (await openings?.seen()) return true;
      if (stalledBy(desktop, element) !== undefined && !stalls.passed) continue;
      try {
        if ((await windowsOf(desktop, element, deadline)).some((window) => !before.has(window))) return true;
      } catch {
        // It is under way: whether it landed is for its own answer to say, not for a look that failed.
        return false;
      }
    }
  };
  try {
    if (!await opened()) {
      await act.catch(async (thrown) => {
        // AppKit says of some acts that open something that they failed.
        if (toBackstepError(thrown).details?.["outcome"] !== "unknown" || !await openings?.seen()) {
          throw thrown;
        }
      });
      return stalledBy(desktop, element) === undefined ? method : `${method}, not answered since`;
    }
    stop.abort();
    // It was answered in the meantime, or is called off: the window is there in either case.
    await act.catch((thrown) => {
      if (toBackstepError(thrown).code !== "cancelled") throw thrown;
    });
  } finally {
    openings?.close();
  }
  return stalledBy(desktop, element) === undefined
    ? `${method}, answered by a window`
    : `${method}, not answered since`;
}

/** Whether an application of macOS has told of a menu, a sheet or a window that came: it answers the action that opened one only when that is closed. */
interface Openings {
  seen(): Promise<boolean>;
  close(): void;
}

async function openingsOf(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
): Promise<Openings | undefined> {
  if (desktop.capabilities.display !== "macos") return undefined;
  const watch = desktop.watch(await applicationOf(desktop, element, deadline));
  let seen = false;
  return {
    async seen() {
      if (!seen && await watch.next({ timeout: 0 }) === "event") seen = watch.take().some(isOpening);
      return seen;
    },
    close: () => watch.close(),
  };
}

function isOpening({ kind, detail1 }: DesktopEvent): boolean {
  return kind === "window:create" || (kind === "object:state-changed:showing" && detail1 === 1);
}

/** What may come of an action after which the application does not answer. */
export function warningOf(desktop: Desktop, element: ElementRef): Pick<Done, "warning"> {
  if (stalledBy(desktop, element) === undefined) return {};
  return {
    warning:
      "the application has not answered since: a dialog that the action opened keeps it from that, and a key would " +
      "lock it up for good. Close the dialog with the pointer (click_at) or its window (window: close)",
  };
}

function stalledBy(desktop: Desktop, { bus }: ElementRef): string | undefined {
  return desktop.stalledBy?.(bus);
}

/** Has it come to an end, well or not, before the deadline? */
async function finishedBy(act: Promise<unknown>, deadline: Deadline): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(1, Math.ceil(deadline.remaining())));
  });
  const done = () => true;
  try {
    return await Promise.race([act.then(done, done), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ids of the application's windows; menus and tooltips are none. */
async function windowsOf(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<number[]> {
  if (!desktop.capabilities.windows) return [];
  const { pid } = await applicationOf(desktop, element, deadline);
  const windows = await desktop.windows(deadline.call());
  return windows.filter((window) => window.pid === pid && !window.popup).map((window) => window.id);
}
