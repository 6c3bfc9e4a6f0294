import type { Deadline } from "../base/call.ts";
import { toBackstepError } from "../base/error.ts";
import type { Enrolled, RollbackResult, RollbackStep, RollbackVerdict } from "../contract/events.ts";
import type { Difference } from "../contract/participant.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { Compensation } from "./compensate.ts";
import type { AskConflict } from "./conflicts.ts";
import { LastLook, type LaterLook } from "./last-look.ts";
import { LastWrite } from "./last-write.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";
import { Patience } from "./patience.ts";
import { isIncidental, putBack, sameIncidentals, type Workbench } from "./put-back.ts";

/** What taking back needs from the run around it. */
export interface RollbackPorts {
  readonly desktop: Desktop;
  readonly deadline: Deadline;
  /** Runs the author's `undo:` or the opposite deed through the gate, or says why it was not done. */
  compensate(entry: LedgerEntry): Promise<Compensation>;
  /** Closes what an observed deed was seen to open, or says why not; undefined: it was not seen to open anything. */
  closeOpened(entry: LedgerEntry): Promise<RollbackStep | undefined>;
  /** Whether what somebody else changed is overwritten. */
  readonly conflict: AskConflict;
  /** Hears that something is about to be taken back: an opposite deed, or a participant. */
  doing(entry: LedgerEntry, what: string): void;
  /** Hears of the last look, which can be taken once more. */
  looked?(look: LastLook): void;
  /** Hears of each thing taken back, as it happens: the journal and the reports. */
  told(step: RollbackStep, entry: LedgerEntry | undefined): void;
}

/** How a step of the way back names a deed, in contrast to a participant. */
const DEED = "deed ";

/**
 * Takes back a ledger's deeds, last first, and says what came of it. `restored` means that every protected property of
 * every enrolled participant was read back, after a quiet window, equal to the savepoint. It goes back to the last
 * barrier when `toBarrier` is set, and past barriers, naming each, when it is not.
 */
export async function rollBack(
  ledger: Ledger,
  options: { readonly toBarrier: boolean },
  ports: RollbackPorts,
): Promise<RollbackResult> {
  const lastBarrier = options.toBarrier ? ledger.entries.findLastIndex(stopsAt) : -1;
  const barrier = ledger.entries[lastBarrier];
  const end = barrier ? { barrier: { path: barrier.path, name: barrier.name } } : {};
  const from = lastBarrier + 1;
  const patience = new Patience(ports.deadline);
  const steps: RollbackStep[] = [];
  const tell = (step: RollbackStep, entry?: LedgerEntry) => {
    steps.push(step);
    ports.told(step, entry);
  };
  const lastWrite = new LastWrite();
  const benchFor = (path: string) => benchOf(path, patience, lastWrite, ports);
  const bench = benchFor("");
  const last = new LastLook(ledger, from, bench);
  for (const [index, entry] of [...ledger.entries.entries()].slice(from).reverse()) {
    // What later steps enrolled may leave with the window or the application that this closes: look at it before.
    const forget = entry.undo || entry.inverse ? await last.before(index) : undefined;
    const own = {
      ...benchFor(entry.path),
      writing: (what: string) => ports.doing(entry, what),
      unproved: (key: string) => last.unproved(key),
    };
    for (const [what, verdict] of entry.undone ?? []) steps.push({ path: entry.path, what, verdict });
    // A menu may go with the expansion of what opened it: only what still stands then is closed.
    const first = entry.effect === "observed" ? await participantsBack(entry, own) : [];
    for (const step of first) tell(step, entry);
    const deed = await deedBack(entry, ports);
    if (deed) lastWrite.mark();
    if (deed) tell(deed, entry);
    if (deed?.verdict !== "compensated") forget?.();
    if (entry.effect === "observed") continue;
    for (const step of await participantsBack(entry, own)) tell(step, entry);
  }
  for (const step of await putBackIncidentals(ledger, from, bench)) tell(step);
  if (steps.length === 0) return { verdict: "none", steps, drift: [], enrolled: [], ...end };
  await last.finish();
  ports.looked?.(last);
  const drift = [...last.drift, ...steps.flatMap(deedLeft)];
  return { verdict: verdictOf(steps, drift, last.enrolled), steps, drift, enrolled: last.enrolled, ...end };
}

/** Takes back what one try of a step may have done, before it is tried again; answers whether all is as before. */
export async function rewind(
  entry: LedgerEntry,
  ports: Pick<RollbackPorts, "desktop" | "deadline" | "conflict" | "told">,
): Promise<boolean> {
  const bench = benchOf(entry.path, new Patience(ports.deadline), new LastWrite(), ports);
  const steps = await participantsBack(entry, bench);
  // Where the focus and the caret are decides where keys go.
  const ledger = new Ledger();
  ledger.entries.push(entry);
  steps.push(...await putBackIncidentals(ledger, 0, bench));
  for (const step of steps) ports.told(step, entry);
  return steps.every(({ verdict }) => verdict === "restored" || verdict === "already");
}

function benchOf(
  path: string,
  patience: Patience,
  lastWrite: LastWrite,
  { desktop, conflict }: Pick<RollbackPorts, "desktop" | "conflict">,
): Workbench {
  return { desktop, patience, lastWrite, overwrite: (what, found) => conflict({ path, what, ...found }) };
}

/** Everything is as it was at the savepoint. */
export function isClean(verdict: RollbackVerdict): boolean {
  return verdict === "none" || verdict === "restored" || verdict === "rebuilt";
}

/** The way back of a file ends at it. */
export function stopsAt(entry: LedgerEntry): boolean {
  return isBarrier(entry) && !entry.passable;
}

/** Nothing leads back past it, unless it is known not to have happened. */
export function isBarrier(entry: LedgerEntry): boolean {
  return entry.barrier && entry.outcome !== "failed";
}

/** The deed itself: its opposite is done, or it stays and is named. */
async function deedBack(entry: LedgerEntry, ports: RollbackPorts): Promise<RollbackStep | undefined> {
  const { path, outcome } = entry;
  const what = `${DEED}${entry.name}`;
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
  // Where what it changes is held, that is looked at and put back: an application that runs is quit.
  const held = entry.enrolments.some((one) => !isIncidental(one.before));
  if (outcome === "unknown" && (entry.barrier || (entry.effect === "compensable" && !held))) {
    return { path, verdict: "unknown", what, reason: "whether it happened is not known" };
  }
  const closed = entry.effect === "observed" && outcome !== "failed"
    ? await ports.closeOpened(entry)
    : undefined;
  if (closed) return { ...closed, what: `${DEED}${entry.name}` };
  if (
    entry.effect === "observed" && outcome !== "failed" &&
    entry.enrolments.every((e) => isIncidental(e.before))
  ) {
    return {
      path,
      verdict: "unrestorable",
      what,
      reason: "what it opened is not known, and may still stand",
    };
  }
  if (!isBarrier(entry)) return undefined;
  return {
    path,
    verdict: "unrestorable",
    what,
    reason: entry.passable ? "it is irreversible" : "it is irreversible and was declared so",
  };
}

async function participantsBack(entry: LedgerEntry, bench: Workbench): Promise<RollbackStep[]> {
  const steps: RollbackStep[] = [];
  for (const enrolment of [...entry.enrolments].reverse()) {
    if (isIncidental(enrolment.before) || entry.undone?.has(enrolment.participant.label)) continue;
    steps.push({ path: entry.path, ...await putBack(enrolment, entry.outcome, bench) });
  }
  return steps;
}

/** Focus and the like: put back once, as far as it goes; it never decides the verdict. */
async function putBackIncidentals(ledger: Ledger, from: number, bench: Workbench): Promise<RollbackStep[]> {
  const { desktop, patience } = bench;
  const steps: RollbackStep[] = [];
  for (const { enrolment, index } of ledger.savepoint(from).values()) {
    if (!isIncidental(enrolment.before)) continue;
    const { participant, before } = enrolment;
    const path = ledger.entries[index]?.path ?? "";
    const step = { path, what: participant.label, incidental: true } as const;
    try {
      const now = await patience.with((call) => participant.capture(desktop, call));
      if (sameIncidentals(before, now)) continue;
      const done = await patience.with((call) => participant.restore(before, desktop, call));
      bench.lastWrite.mark();
      const method = typeof done === "string" ? done : done.method;
      steps.push({ ...step, verdict: "restored", method });
    } catch (thrown) {
      steps.push({ ...step, verdict: "unrestorable", reason: toBackstepError(thrown).message });
    }
  }
  return steps;
}

/** A deed that stays, or may, is a difference, by name. */
function deedLeft({ what, verdict, incidental }: RollbackStep): Difference[] {
  if (incidental || !what.startsWith(DEED) || verdict === "compensated" || verdict === "already") return [];
  return [{
    participant: what.slice(DEED.length),
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
