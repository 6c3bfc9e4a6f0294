import { BackstepError } from "../../base/error.ts";
import type { WentBack } from "../../contract/events.ts";
import { bounded } from "../model/bounded.ts";
import type { Passed } from "../model/passed.ts";
import type { TreeSnapshot } from "../model/tree-snapshot.ts";
import type { DueLook } from "../rollback/final-reads.ts";
import { isClean, stopsAt } from "../rollback/rollback.ts";
import { type UndoEntry, UndoLog } from "../rollback/undo-log.ts";
import { rollBackSteps } from "../run/roll-back-steps.ts";
import type { RunContext } from "../run/run-context.ts";
import { outwardOf } from "./outward.ts";
import type { Point, Track } from "./track.ts";

/** How the desktop is: what was done on it and stands. */
export interface DesktopState {
  readonly entries: readonly UndoEntry[];
  readonly history: readonly Passed[];
  /** How the application was when the flow stopped. */
  readonly tree: TreeSnapshot | undefined;
}

/** Where the desktop is to go back to. */
export interface Here {
  readonly path: string;
  readonly app: string | undefined;
  /** How many points are before it. */
  readonly index: number;
  /** What stands here, as the flow that went the way once more entered it. */
  readonly entries: readonly UndoEntry[];
  readonly tree: TreeSnapshot | undefined;
}

/** A desktop that is to be replaced, and what the new one is to come to. */
export interface Rebuild {
  readonly path: string;
  readonly app: string | undefined;
  readonly tree: TreeSnapshot | undefined;
  readonly why: string;
  /** Of `performance.now`. */
  readonly started: number;
  readonly actions: number;
}

/** What going back came to: it is there, or a new desktop is needed for it. */
export type Undone =
  | { readonly went: WentBack; readonly due: DueLook | undefined }
  | { readonly rebuild: Rebuild };

/** Why one cannot go back. */
export class CannotGoBack extends BackstepError {
  /** A rollback did not come to its end: what stands is not known in full. */
  readonly broken: boolean;

  constructor(
    code: "barrier" | "unsupported" | "drift",
    message: string,
    options: { hint: string; details?: BackstepError["details"]; broken?: boolean },
  ) {
    const { hint, details, broken = false } = options;
    super(code, message, { hint, ...(details ? { details } : {}) });
    this.broken = broken;
  }
}

/** Undoes what was done since the flow was here, last first. Throws `CannotGoBack`. */
export async function backTo(
  here: Here,
  was: DesktopState,
  track: Track,
  run: RunContext,
): Promise<Undone> {
  const started = performance.now();
  const since = was.entries.slice(here.entries.length);
  const standing = since.filter(({ outcome }) => outcome !== "failed");
  const beyond = track.points.slice(here.index);
  const wentBack = (verdict: WentBack["verdict"]): WentBack => ({
    path: here.path,
    verdict,
    duration_ms: Math.round(performance.now() - started),
    actions: standing.length,
  });
  let why = whyNot(here, was, beyond, track);
  let broken = false;
  if (why === undefined) {
    if (since.length === 0) return { went: wentBack("none"), due: undefined };
    const log = new UndoLog(run.history.length);
    log.entries.push(...since);
    const savepoint = `before step ${here.path}`;
    // The rollback forgets of the history what is not before it; the flow has only what is.
    const scope = { toBarrier: false, savepoint, ends: true };
    const back = await rollBackSteps(log, here.path, scope, { ...run, way: "restore" });
    const due = run.finalReads.take();
    if (isClean(back.verdict)) return { went: wentBack(standing.length === 0 ? "none" : "restored"), due };
    const first = back.drift[0] ?? back.steps.find(({ verdict }) => verdict !== "restored");
    const what = first === undefined ? "" : `: ${"participant" in first ? first.participant : first.what}`;
    why = `the rollback ended in ${back.verdict}${what}`;
    broken = true;
  }
  const outward = outwardOf(track.points, was.entries, track, run.gate);
  const cannot = `Cannot go back to before step ${here.path}: ${why}`;
  if (run.session.rebuild === undefined) {
    throw new CannotGoBack(
      broken ? "drift" : "unsupported",
      `${cannot}, and this desktop cannot be replaced`,
      {
        hint: "Use a new private desktop (--session isolated): that one can be built anew.",
        broken,
      },
    );
  }
  if (outward !== undefined) {
    throw new CannotGoBack("barrier", `${cannot}, and the desktop is not built anew: ${outward}`, {
      hint: "Go back to a step after that one, or begin anew.",
      details: bounded({ why, outward }),
      broken,
    });
  }
  const { path, app, tree } = here;
  return { rebuild: { path, app, tree, why, started, actions: standing.length } };
}

/** Why what was done since cannot be rolled back; undefined: it can. */
function whyNot(
  here: Here,
  was: DesktopState,
  beyond: readonly Point[],
  track: Track,
): string | undefined {
  const { entries } = here;
  const recorded = beyond[0]?.entries;
  const kept = entries.every((entry, index) => entry === was.entries[index]);
  if (!kept || (recorded !== undefined && recorded !== entries.length)) {
    return "what stood there was undone since";
  }
  const barrier = was.entries.slice(entries.length).findLast(stopsAt);
  if (barrier) return `step ${barrier.path} (${barrier.name}) cannot be rolled back`;
  const loose = beyond.find((one) => one.loose && (track.doneAt(one.path)?.entries.length ?? 0) > 0);
  return loose && `step ${loose.path} is in the \`after:\` of another file, which is not rolled back`;
}
