import type { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import { ACTION, isActionWhat, whatText } from "../../contract/rollback-what.ts";
import type { Enrolled, RollbackResult, RollbackStep, RollbackVerdict } from "../../contract/events.ts";
import type { Difference, Image } from "../../contract/participant.ts";
import type { Desktop } from "../../desktop/desktop.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import type { Compensation } from "./compensation.ts";
import type { AskConflict } from "./conflicts.ts";
import { FinalRead, type LaterLook } from "./final-read.ts";
import { LastWrite } from "./last-write.ts";
import { isIrreversible, type UndoEntry, UndoLog } from "./undo-log.ts";
import { Patience } from "./patience.ts";
import { isIncidental, restore, type RestoreContext, sameIncidentals } from "./restore.ts";

/** What undoing needs from the run around it. */
export interface RollbackPorts {
  readonly desktop: Desktop;
  readonly deadline: Deadline;
  /** Runs the author's `undo:` or the opposite action through the gate, or says why it was not done. */
  compensate(entry: UndoEntry): Promise<Compensation>;
  /** Closes what an observed action was seen to open, or says why not; undefined: it was not seen to open anything. */
  closeOpened(entry: UndoEntry): Promise<RollbackStep | undefined>;
  /** Whether what somebody else changed is overwritten. */
  readonly conflict: AskConflict;
  /** The application as it was at the savepoint; absent: nobody looked at it then. */
  readonly savepoint?: Snapshot | undefined;
  /** Hears that something is about to be undone: an opposite action, or a participant. */
  doing(entry: UndoEntry, what: string): void;
  /** Hears of the last look, which can be taken once more. */
  looked?(look: FinalRead): void;
  /** Hears of each thing rolled back, as it happens: the journal and the reports. */
  reported(step: RollbackStep, entry: UndoEntry | undefined): void;
}

/**
 * Undoes an undo log's actions, last first, and says what came of it. `restored` means that every protected property of
 * every enrolled participant was read back, after a quiet window, equal to the savepoint. It goes back to the last
 * barrier when `toBarrier` is set, and past barriers, naming each, when it is not.
 */
export async function rollBack(
  undoLog: UndoLog,
  options: { readonly toBarrier: boolean },
  ports: RollbackPorts,
): Promise<RollbackResult> {
  const lastBarrier = options.toBarrier ? undoLog.entries.findLastIndex(stopsAt) : -1;
  const barrier = undoLog.entries[lastBarrier];
  const end = barrier ? { barrier: { path: barrier.path, name: barrier.name } } : {};
  const from = lastBarrier + 1;
  const patience = new Patience(ports.deadline);
  const steps: RollbackStep[] = [];
  const tell = (step: RollbackStep, entry?: UndoEntry) => {
    steps.push(step);
    ports.reported(step, entry);
  };
  const lastWrite = new LastWrite();
  const shared = { patience, lastWrite, conflicts: new Map<string, Image>() };
  const contextFor = (path: string) => contextOf(path, shared, ports);
  const context = contextFor("");
  const last = new FinalRead(undoLog, from, context, ports.savepoint);
  for (const [index, entry] of [...undoLog.entries.entries()].slice(from).reverse()) {
    await last.beforeItGoes(index, entry);
    // What later steps enrolled may leave with the window or the application that this closes: look at it before.
    const forget = entry.undo || entry.inverse ? await last.before(index) : undefined;
    const own = {
      ...contextFor(entry.path),
      writing: (what: string) => ports.doing(entry, what),
      unproved: (key: string) => last.unproved(key),
    };
    for (const [what, verdict] of entry.undone ?? []) steps.push({ path: entry.path, what, verdict });
    // A menu may go with the expansion of what opened it: only what still stands then is closed.
    const first = entry.effect === "observed" ? await participantsBack(entry, own) : [];
    for (const step of first) tell(step, entry);
    const action = await actionBack(entry, ports);
    if (action) lastWrite.mark();
    if (action) tell(action, entry);
    if (action?.verdict !== "compensated") forget?.();
    if (entry.effect === "observed") continue;
    for (const step of await participantsBack(entry, own)) tell(step, entry);
  }
  for (const step of await restoreIncidentals(undoLog, from, context)) tell(step);
  if (steps.length === 0) return { verdict: "none", steps, drift: [], enrolled: [], ...end };
  await last.finish();
  ports.looked?.(last);
  const drift = [...last.drift, ...steps.flatMap(actionLeft)];
  return { verdict: verdictOf(steps, drift, last.enrolled), steps, drift, enrolled: last.enrolled, ...end };
}

/** What a step needs that is to run again. */
export interface RewindPorts extends Pick<RollbackPorts, "desktop" | "deadline" | "conflict" | "reported"> {
  /** Its keys go where the focus is: else it may run again with the focus elsewhere, as it gives it to its target. */
  readonly followsFocus: boolean;
}

/** Undoes what one try of a step may have done, before it is tried again; answers whether all is as before. */
export async function rewind(entry: UndoEntry, ports: RewindPorts): Promise<boolean> {
  const patience = new Patience(ports.deadline);
  const shared = { patience, lastWrite: new LastWrite(), conflicts: new Map<string, Image>() };
  const context = contextOf(entry.path, shared, ports);
  const steps = await participantsBack(entry, context);
  const undoLog = new UndoLog();
  undoLog.entries.push(entry);
  steps.push(...await restoreIncidentals(undoLog, 0, context));
  for (const step of steps) ports.reported(step, entry);
  const free = ports.followsFocus
    ? []
    : entry.beforeImages.flatMap(({ participant: { kind, label } }) => kind === "focus" ? [label] : []);
  return steps.every(({ verdict, what }) => isRewound(verdict) || free.includes(what));
}

/** What a step may have changed reads as before it, so that it may run again. */
export function isRewound(verdict: RollbackStep["verdict"]): boolean {
  return verdict === "restored" || verdict === "already";
}

function contextOf(
  path: string,
  shared: Pick<RestoreContext, "patience" | "lastWrite" | "conflicts">,
  { desktop, conflict }: Pick<RollbackPorts, "desktop" | "conflict">,
): RestoreContext {
  return { ...shared, desktop, overwrite: (what, found) => conflict({ path, what, ...found }) };
}

/** Everything is as it was at the savepoint. */
export function isClean(verdict: RollbackVerdict): boolean {
  return verdict === "none" || verdict === "restored" || verdict === "rebuilt";
}

/** The undo of a file ends at it. */
export function stopsAt(entry: UndoEntry): boolean {
  return isIrreversible(entry) && !entry.passable;
}

/** The action itself: its opposite is done, or it stays and is named. */
async function actionBack(entry: UndoEntry, ports: RollbackPorts): Promise<RollbackStep | undefined> {
  const { path, outcome } = entry;
  const what = `${ACTION}${entry.name}`;
  if (entry.undone?.has(what)) return undefined;
  if (entry.undo || entry.inverse) {
    if (outcome === "failed") return { path, verdict: "already", what, reason: "it did not happen" };
    try {
      ports.doing(entry, what);
      return { path, what, ...await ports.compensate(entry) };
    } catch (thrown) {
      return { path, verdict: "failed", what, reason: toBackstepError(thrown).message };
    }
  }
  // Where what it changes is held, that is looked at and restored: an application that runs is quit.
  const held = entry.beforeImages.some((one) => !isIncidental(one.before));
  if (outcome === "unknown" && (entry.barrier || (entry.effect === "compensable" && !held))) {
    return { path, verdict: "unknown", what, reason: "whether it happened is not known" };
  }
  const closed = entry.effect === "observed" && outcome !== "failed"
    ? await ports.closeOpened(entry)
    : undefined;
  if (closed) return { ...closed, what: `${ACTION}${entry.name}` };
  if (
    entry.effect === "observed" && outcome !== "failed" &&
    entry.beforeImages.every((e) => isIncidental(e.before))
  ) {
    return {
      path,
      verdict: "unrestorable",
      what,
      reason: "what it opened is not known, and may still stand",
    };
  }
  if (!isIrreversible(entry)) return undefined;
  return {
    path,
    verdict: "unrestorable",
    what,
    reason: entry.passable ? "it is irreversible" : "it is declared irreversible",
  };
}

async function participantsBack(entry: UndoEntry, context: RestoreContext): Promise<RollbackStep[]> {
  const steps: RollbackStep[] = [];
  for (const image of [...entry.beforeImages].reverse()) {
    const undone = entry.undone?.get(image.participant.label);
    if (undone === "conflict") context.conflicts.set(image.participant.key, image.before);
    if (isIncidental(image.before) || undone !== undefined) continue;
    steps.push({ path: entry.path, ...await restore(image, entry.outcome, context) });
  }
  return steps;
}

/** Focus and the like: restored once, as far as it goes; it never decides the verdict. */
async function restoreIncidentals(
  undoLog: UndoLog,
  from: number,
  context: RestoreContext,
): Promise<RollbackStep[]> {
  const { desktop, patience } = context;
  const steps: RollbackStep[] = [];
  for (const { beforeImage: image, index } of undoLog.savepoint(from).values()) {
    if (!isIncidental(image.before)) continue;
    const { participant, before } = image;
    const path = undoLog.entries[index]?.path ?? "";
    const step = { path, what: participant.label, incidental: true } as const;
    try {
      const now = await patience.with((call) => participant.capture(desktop, call));
      if (sameIncidentals(before, now)) continue;
      const done = await patience.with((call) => participant.restore(before, desktop, call));
      context.lastWrite.mark();
      const method = typeof done === "string" ? done : done.method;
      steps.push({ ...step, verdict: "restored", method });
    } catch (thrown) {
      steps.push({ ...step, verdict: "unrestorable", reason: toBackstepError(thrown).message });
    }
  }
  return steps;
}

/** An action that stays, or may, is a difference, by name. */
function actionLeft({ what, verdict, incidental }: RollbackStep): Difference[] {
  if (incidental || !isActionWhat(what) || verdict === "compensated" || verdict === "already") return [];
  return [{
    participant: whatText(what),
    property: "effect",
    expected: "not done",
    actual: verdict === "unknown" ? "not known" : "done",
  }];
}

/** The same rollback, with what a look a second after its last write found otherwise. */
export function lookedAgain(back: RollbackResult, { drift, enrolled }: LaterLook): RollbackResult {
  if (drift.length === 0) return back;
  const all = [...back.drift, ...drift];
  return { ...back, verdict: verdictOf(back.steps, all, enrolled), drift: all, enrolled };
}

/** The gravest wins: what could not be done or seen, then what is known to differ. */
function verdictOf(
  steps: readonly RollbackStep[],
  drift: readonly Difference[],
  enrolled: readonly Enrolled[],
): RollbackVerdict {
  const verdicts = [
    ...steps.filter((s) => !s.incidental).map((s) => s.verdict),
    ...enrolled.filter((e) => e.verdict === "unknown").map((e) => e.verdict),
  ];
  if (verdicts.includes("failed") || verdicts.includes("unknown")) return "failed";
  if (drift.length > 0 || verdicts.includes("conflict") || verdicts.includes("unrestorable")) return "drift";
  return "restored";
}
