import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Stop, Walk } from "../checks/audit/walk.ts";
import type { Application, Desktop } from "../desktop/desktop.ts";
import { focus } from "../desktop/actions/focus.ts";
import { raise } from "../desktop/actions/window.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { isWeb } from "../desktop/toolkits.ts";

/** Presses of Tab at most: a window with more stops is not walked to its end. */
const MOST = 150;
/** Milliseconds that the focus is given to move; what has not moved by then has not. */
const MOVE = 400;
/** The same for the press that decides. */
const LATE = 2_000;
/** Milliseconds kept for the rollback and for judging: what was walked by then is judged. */
const RESERVE = 8_000;
/** Presses in the other direction once the focus does not move any more. */
const BACK = 4;

/**
 * Presses Tab until the focus is where it went first, or stays where it is; in that case Shift+Tab, too. The focus is given
 * back where it was, as best effort. Errors: `needs_focus` in the background.
 */
export async function walkKeyboard(
  desktop: Desktop,
  application: Application,
  snapshot: Snapshot,
  deadline: Deadline,
): Promise<Walk> {
  if (desktop.mode !== "focus" || !desktop.capabilities.input) {
    throw new BackstepError(
      "needs_focus",
      `Cannot walk ${application.name} with the keyboard: it moves the focus`,
      {
        hint: "Run it on a private desktop (--session isolated), or with --mode focus.",
      },
    );
  }
  await raise(desktop, application, deadline);
  const watch = desktop.watch(application);
  let at: string | undefined;
  let before = -1;
  /** Notes where the focus went by what was told; true: it moved. */
  const follow = (): boolean => {
    const moved = watch.take().findLast(({ kind, detail1, bus }) =>
      kind === "object:state-changed:focused" && detail1 === 1 && bus === application.bus
    );
    if (moved !== undefined) at = moved.path;
    return moved !== undefined;
  };
  /** Where the focus is; a window that has just come up may have taken it after it was looked at, or be about to. */
  const begin = async (): Promise<Stop> => {
    at = focusedPath(await desktop.snapshot(application, { ...deadline.call(), fields: [] }));
    const first = deadline.within(MOVE);
    while (at === undefined && !first.passed) {
      if (await watch.next(first.call()) !== "event" || follow()) break;
    }
    before = at === undefined ? -1 : rowOf(snapshot, at);
    return { path: at };
  };
  const press = async (backwards: boolean, patience: number): Promise<Stop> => {
    // What was told late counts, too.
    follow();
    // In a text of several lines Tab is a character; GTK and Qt leave it with Control.
    const row = at === undefined ? -1 : rowOf(snapshot, at);
    const types = row >= 0 && snapshot.has(row, "multiLine") && snapshot.has(row, "editable") &&
      !isWeb(application);
    await desktop.pressKeys(
      [...(types ? ["ctrl"] : []), ...(backwards ? ["shift"] : []), "Tab"],
      deadline.call(),
    );
    const limit = deadline.within(patience);
    while (!limit.passed) {
      if (await watch.next(limit.call()) !== "event" || follow()) break;
    }
    return { path: at };
  };
  /** Presses that did not move it are a few before that is believed; the last is given more time. */
  const patienceAfter = (stops: readonly Stop[]) => isStuck(stops, BACK - 1) ? LATE : MOVE;
  const forward: Stop[] = [], backward: Stop[] = [];
  try {
    const start = await begin();
    let round = false;
    while (forward.length < MOST && !round && !isStuck(forward) && deadline.remaining() > RESERVE) {
      const stop = await press(false, patienceAfter(forward));
      round = stop.path !== undefined && forward.length > 1 && stop.path === forward[0]?.path &&
        forward.some(({ path }) => path !== stop.path);
      forward.push(stop);
    }
    if (!round && isStuck(forward)) {
      while (backward.length < BACK && deadline.remaining() > RESERVE / 2) {
        backward.push(await press(true, patienceAfter(backward)));
      }
    }
    return { start, forward, backward, round };
  } finally {
    watch.close();
    if (before >= 0) await giveBack(desktop, snapshot, before, deadline);
  }
}

async function giveBack(
  desktop: Desktop,
  snapshot: Snapshot,
  row: number,
  deadline: Deadline,
): Promise<void> {
  try {
    await focus(desktop, snapshot.element(row), deadline.within(1_500));
  } catch (thrown) {
    // Best effort, as everywhere: what held the focus may be gone, or take none.
    if (!(thrown instanceof BackstepError) || thrown.code === "cancelled") throw thrown;
  }
}

function isStuck(stops: readonly Stop[], presses = BACK): boolean {
  const last = stops.slice(-presses);
  return last.length === presses && last.every(({ path }) => path === last[0]?.path);
}

function focusedPath(snapshot: Snapshot): string | undefined {
  let found: string | undefined;
  for (let row = 0; row < snapshot.size; row++) if (snapshot.has(row, "focused")) found = snapshot.path(row);
  return found;
}

function rowOf(snapshot: Snapshot, path: string): number {
  for (let row = 0; row < snapshot.size; row++) if (snapshot.path(row) === path) return row;
  return -1;
}
