import { BackstepError } from "../../base/error.ts";
import type { NeededDesktops } from "../../session/lease.ts";
import { runFolder } from "./journal.ts";
import { lockedBy } from "./lock.ts";
import { lastOf, recordsIn } from "./read-journal.ts";
import { runIds } from "./runs.ts";

/** After these nothing is to be undone: it has ended, or all was answered to whoever called it. */
const AT_REST: ReadonlySet<string | undefined> = new Set(["end", "settled"]);

/**
 * The private desktops that runs of a state folder are on, and those of runs that were cut off: what such a run did may have to be
 * undone there. Of a journal with a broken line counts what stands before it.
 */
export function neededDesktops(state: string): NeededDesktops {
  const needed = new Map<string, string>();
  for (const run of runIds(state)) {
    const folder = runFolder(state, run);
    if (AT_REST.has(lastOf(folder)?.kind) && lockedBy(state, run) === undefined) continue;
    for (const desktop of desktopsOf(folder)) needed.set(desktop, folder);
  }
  return needed;
}

/** Where a run was: a desktop that was rebuilt, and the one that took its place. */
function* desktopsOf(folder: string): Generator<string> {
  try {
    for (const record of recordsIn(folder)) {
      if (record.kind !== "run" && record.kind !== "rebuilt") continue;
      if (record.desktop.id) yield record.desktop.id;
    }
  } catch (thrown) {
    // It had not begun, or a line is broken: `recover` says so.
    if (!(thrown instanceof BackstepError)) throw thrown;
  }
}
