import { oneLine } from "../report/style.ts";
import { toBackstepError } from "../base/error.ts";
import type { Io } from "./io.ts";

/**
 * Ends the private desktops of processes that died without ending them, before there is another one, and says which. Those stay
 * that a run which has not ended was on. One that cannot be ended keeps nothing from beginning.
 */
export async function endAbandoned(io: Pick<Io, "note">): Promise<void> {
  const { listDesktops, reapAbandoned } = await import("../session/reap.ts");
  try {
    // The journals are read only where it matters.
    if (!listDesktops().some(({ status }) => status === "abandoned" || status === "dead")) return;
    const { neededDesktops } = await import("../engine/journal/needed-desktops.ts");
    const { stateFolder } = await import("../session/lease.ts");
    const needed = neededDesktops(stateFolder());
    for (const { id, owner } of await reapAbandoned({ needed }, { stillRunning: true })) {
      io.note(`Ended private desktop ${id}: process ${owner.pid}, which had started it, is gone`);
    }
  } catch (thrown) {
    io.note(oneLine(toBackstepError(thrown).message));
  }
}
