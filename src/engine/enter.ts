import { Deadline } from "../base/call.ts";
import { type BackstepError, type ErrorCode, toBackstepError } from "../base/error.ts";
import type { Effect } from "../contract/effect.ts";
import type { Act, ActOutcome } from "../contract/gate.ts";
import { guardDigest, quietDigest } from "./guard.ts";
import { type Enrolment, imageJson, type LedgerEntry } from "./ledger.ts";
import type { Standing } from "./perform.ts";
import { type RunContext, toJson } from "./run-context.ts";
import type { OperationStep } from "./step.ts";
import { sealedWords } from "./sealed-words.ts";
import { wordsOf } from "./words.ts";

/** "click button "Save" of gedit": the deed and what it acts on, bounded. */
export function nameOf(operation: string, subject: string | undefined): string {
  const name = subject === undefined ? operation : `${operation} ${subject}`;
  return name.length > 120 ? `${name.slice(0, 119)}…` : name;
}

/** Captures what the deed may change and writes the intent: both before the deed, since one that times out may land. */
export async function enter(
  act: Act,
  effect: Effect,
  step: OperationStep,
  at: Standing,
  run: RunContext,
): Promise<LedgerEntry> {
  const limit = run.budgets.resolve ?? act.operation.timeout;
  const deadline = run.deadline.within(Math.min(limit, step.timeout ?? Infinity));
  const enrolments: Enrolment[] = [];
  for (const participant of [...run.always, ...act.resolved.participants]) {
    const before = await participant.capture(run.session.desktop, deadline.call());
    const enrolment: Enrolment = { participant, before, after: undefined };
    if (participant.late) follow(enrolment, run);
    enrolments.push(enrolment);
  }
  const subject = act.resolved.subject;
  const watched = effect === "observed" || (step.undo !== undefined && step.undo.guard === undefined);
  const stood = watched ? await guardDigest(run.session, at.app, deadline) : undefined;
  // As late as it can be: after this comes the deed.
  run.guard?.check(at.path, step.operation);
  const name = run.mask.text(nameOf(step.operation, subject));
  const barrier = effect === "irreversible";
  const passable = barrier && step.raw === true && step.irreversible !== true;
  const intent = run.journal.write({
    kind: "intent",
    path: at.path,
    operation: step.operation,
    effect,
    ledger: at.ledger.owner ?? null,
    ...(passable ? { passable } : {}),
    sealed: run.seal.seal(sealedWords({
      ...wordsOf(step, at, run.sealing),
      // What goes into a password field is written down nowhere, not even under a key.
      input: enrolments.some((e) => e.before.secure) ? null : toJson(act.input),
      subject: subject ?? null,
      name,
      app: at.app ?? null,
      stood: stood ?? null,
      before: enrolments.map(({ participant, before }) => ({
        participant: participant.describe(),
        key: participant.key,
        image: imageJson(before),
      })),
    }, run)),
    // What outlives a power cut must not do so without its way back.
  }, { sync: barrier || run.always.length > 0 });
  const entry: LedgerEntry = {
    path: at.path,
    name,
    operation: step.operation,
    ...(step.tool === undefined ? {} : { tool: step.tool }),
    effect,
    enrolments,
    undo: step.undo
      ? { declared: step.undo, scope: at.scope, app: at.app, before: stood, left: undefined }
      : undefined,
    opened: effect === "observed" && stood !== undefined
      ? { app: at.app, before: stood, left: undefined }
      : undefined,
    inverse: undefined,
    barrier,
    passable,
    history: run.history.length,
    intent,
    outcome: "pending",
  };
  at.ledger.entries.push(entry);
  return entry;
}

/** What is late is as it is now because of the deed before, unless that is known not to have happened. */
function follow(enrolment: Enrolment, run: RunContext): void {
  const { key } = enrolment.participant;
  const last = run.late.get(key);
  if (last) last.after = enrolment.before;
  run.late.set(key, enrolment);
}

/** Reads what the deed left, and writes the outcome. */
export async function settle(
  entry: LedgerEntry,
  act: Act,
  outcome: ActOutcome,
  step: OperationStep,
  at: Standing,
  run: RunContext,
): Promise<void> {
  entry.outcome = outcome.ok ? "done" : outcome.began ? "unknown" : happened(outcome.error);
  if (outcome.ok) entry.inverse = outcome.inverse;
  if (entry.barrier && entry.outcome === "unknown") run.doubts.add(entry);
  // The act's own time may be over; reading what it left must not depend on it.
  const deadline = Deadline.after(run.budgets.settle, run.hardStop);
  const unread: string[] = [];
  for (const enrolment of entry.enrolments) {
    try {
      enrolment.after = await enrolment.participant.capture(run.session.desktop, deadline.call());
    } catch (thrown) {
      unread.push(`${enrolment.participant.label}: ${toBackstepError(thrown).message}`);
    }
  }
  const guarded = entry.undo !== undefined && step.undo?.guard === undefined;
  if ((guarded || entry.opened) && entry.outcome !== "failed") {
    try {
      const left = await quietDigest(run.session, at.app, deadline);
      if (entry.undo) entry.undo.left = left;
      if (entry.opened) entry.opened.left = left;
    } catch (thrown) {
      unread.push(`windows: ${toBackstepError(thrown).message}`);
    }
  }
  run.journal.write({
    kind: "outcome",
    path: entry.path,
    intent: entry.intent,
    operation: act.operation.name,
    outcome: entry.outcome,
    ...(outcome.ok ? {} : { error: run.mask.json(toJson(outcome.error.toJSON())) }),
    ...(unread.length > 0 ? { unread: run.mask.json(unread) } : {}),
    sealed: run.seal.seal(sealedWords({
      after: entry.enrolments.map((e) => e.after ? imageJson(e.after) : null),
      inverse: entry.inverse ? toJson(entry.inverse) : null,
      left: entry.opened?.left ?? entry.undo?.left ?? null,
      // What can be put back exactly is done again where its answer was lost; of the rest the answer is kept.
      output: outcome.ok && entry.effect !== "restorable" ? toJson(outcome.output) : null,
    }, run)),
  });
}

/** Errors that say that nothing was done. */
const NOT_HAPPENED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "invalid",
  "unsupported",
  "refused",
  "stale",
  "not_found",
  "ambiguous",
  "not_actionable",
  "needs_focus",
  "app_not_found",
  "app_not_running",
  "launch_failed",
  "quit_blocked",
  "secure",
  "policy",
  "limit",
]);

function happened(error: BackstepError): "failed" | "unknown" {
  // It runs although no window came in time.
  if (error.code === "launch_failed" && error.details?.processId !== undefined) return "unknown";
  if (error.details?.outcome === "not_sent") return "failed";
  if (error.details?.outcome === "unknown") return "unknown";
  return NOT_HAPPENED.has(error.code) ? "failed" : "unknown";
}
