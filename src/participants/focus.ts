import { type Call, Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import { focus } from "../desktop/actions/focus.ts";
import { hasFocus } from "../desktop/actions/has-focus.ts";
import type { Application, Desktop, ElementRef, ReadCall } from "../desktop/desktop.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { isGtk } from "../desktop/toolkits.ts";
import { followTrail, trailOf, type TrailStep } from "./trail.ts";

/** Milliseconds that it is given to come back: it is best effort, and the rollback waits for it. */
const COMES_BACK = 600;

/** Where the focus is looked for. */
export interface FocusIn {
  readonly application: Application;
  /** Its tree as it was a moment ago, where somebody has it. */
  readonly snapshot?: Snapshot;
}

/**
 * Which element of an application has the keyboard focus. Best effort: it is restored and reported, and never decides
 * whether a rollback counts as restored.
 */
export function focusOf(
  { application, snapshot: found }: FocusIn,
  existing?: readonly TrailStep[],
): Participant {
  let trail = existing;
  let seen = found;
  const label = `focus of ${application.name}`;
  return {
    kind: "focus",
    key: `focus ${application.bus}`,
    label,
    async capture(desktop, call): Promise<Image> {
      const { snapshot, row: focused } = await focusedIn(desktop, application, seen, call);
      // What the tree said then it says once.
      seen = undefined;
      trail ??= focused < 0 ? [] : trailOf(snapshot, focused);
      const now: Json = focused < 0 ? null : trailOf(snapshot, focused).map((s) => [s.role, s.nth]);
      return { properties: {}, incidental: { focused: now } };
    },
    async restore(_image, desktop, call) {
      // In the background nothing took it from anywhere.
      if (!trail || trail.length === 0 || desktop.mode === "background") return "none";
      const element = await foundAgain(desktop, application, trail, call);
      if (element === undefined) return "none";
      const deadline = Deadline.after(COMES_BACK, call.signal);
      try {
        return (await focus(desktop, element, deadline, { acted: true })).method;
      } catch (thrown) {
        // What was being read when its time was over is not to blame.
        if (!deadline.passed || call.signal?.aborted) throw thrown;
        const doing = `Cannot restore the ${label}: it did not come within ${COMES_BACK} ms`;
        throw new BackstepError("timeout", doing, { cause: thrown });
      }
    },
    describe: (): Json => ({
      kind: "focus",
      application: application.id ?? application.name,
      pid: application.pid,
      trail: (trail ?? []).map((step) => ({ ...step })),
    }),
  };
}

/** What a trail leads to: in what is kept of the application, which whoever acts on it verifies, else in its tree. */
async function foundAgain(
  desktop: Desktop,
  application: Application,
  trail: readonly TrailStep[],
  call: Call,
): Promise<ElementRef | undefined> {
  for (const source of ["held", "application"] as const) {
    const snapshot = await desktop.snapshot(application, { ...call, fields: ["id"], source });
    const row = followTrail(snapshot, trail);
    if (row >= 0) return snapshot.element(row);
    if (snapshot.origin.source === "application") return undefined;
  }
  return undefined;
}

/** What has the focus, as a tree that is there already says and it confirms itself, else as the tree says now; row -1: nothing has. */
async function focusedIn(
  desktop: Desktop,
  application: Application,
  seen: Snapshot | undefined,
  call: ReadCall,
): Promise<{ readonly snapshot: Snapshot; readonly row: number }> {
  if (desktop.verify) {
    const whole = seen?.role(0) === Role.application ? seen : undefined;
    const snapshot = whole ??
      await desktop.snapshot(application, { ...call, fields: ["id"], source: "held" });
    const row = focusedRow(snapshot);
    // A tree that was read just now is as good as another; what is kept may have missed who has it.
    const asRead = snapshot.origin.source === "application" && (row < 0 || whole === undefined);
    if (asRead || (row >= 0 && await hasFocus(desktop, snapshot.element(row), call))) {
      return { snapshot, row };
    }
    // What the application keeps of itself tells of every state at once; what differed was read.
    if (isGtk(application)) {
      const proven = await desktop.snapshot(application, { ...call, fields: ["id"], source: "proven" });
      return { snapshot: proven, row: focusedRow(proven) };
    }
  }
  const snapshot = await desktop.snapshot(application, { ...call, fields: ["id"] });
  return { snapshot, row: focusedRow(snapshot) };
}

/** The innermost one that says so. */
function focusedRow(snapshot: Snapshot): number {
  for (let row = snapshot.size - 1; row >= 0; row--) if (snapshot.has(row, "focused")) return row;
  return -1;
}
