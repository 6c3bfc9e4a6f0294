import type { Call } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { Leases } from "../../session/lease.ts";
import { openSession } from "../../session/open-session.ts";
import { stopDesktop } from "../../session/reap.ts";
import type { Session } from "../../session/session.ts";
import { isWayland } from "../../session/wayland/variables.ts";
import type { PastRun } from "../journal/past-run.ts";

/** Finds the desktop of a run again. Throws `no_desktop` or `not_found` when it is gone. */
export type Reattach = (pastRun: PastRun, how: { readonly adopt: boolean }, call: Call) => Promise<Session>;

/**
 * The desktop that a run was on: a private one by its lease, which this process takes over unless it was to be kept, or the
 * user's own.
 */
export function reattachIn(state: string): Reattach {
  return async (pastRun, { adopt }, call) => {
    const { kind, mode, label } = pastRun.head.desktop;
    // The label begins with the display; one of Wayland's is not looked for unless it was used.
    const own = isWayland(label) ? { settings: { display: "wayland" } as const } : {};
    if (kind === "attached") return await openSession({ kind: "attach", mode, ...own }, call);
    if (kind === "simulated" || pastRun.desktop === undefined) {
      throw vanished(pastRun.head.run, "it was in memory");
    }
    const lease = new Leases(state).read(pastRun.desktop);
    return await openSession({
      kind: "attach",
      id: pastRun.desktop,
      state,
      adopt: adopt && lease?.kept === false,
    }, call);
  };
}

/** Whether an error says that the desktop is no more. */
export function isGone(thrown: unknown): boolean {
  const { code } = toBackstepError(thrown);
  return code === "no_desktop" || code === "not_found";
}

/** Removes what is left of a desktop that died. */
export async function removeRemains(pastRun: PastRun, state: string): Promise<void> {
  const { desktop } = pastRun;
  if (desktop === undefined || new Leases(state).read(desktop) === undefined) return;
  await stopDesktop(desktop, { state });
}

/** The error of a run whose desktop is no more. */
export function vanished(run: string, why: string): BackstepError {
  return new BackstepError("no_desktop", `Cannot find the desktop of run ${run} again: ${why}`, {
    hint:
      "What was on it went with it. Desktops stay that were started by `backstep session start` or with --keep.",
    details: { run },
  });
}
