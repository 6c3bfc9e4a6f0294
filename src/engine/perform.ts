import { Deadline, pause } from "../base/call.ts";
import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import type { Effect } from "../contract/effect.ts";
import type { StepResult } from "../contract/events.ts";
import type { Act, ActOutcome, GatePorts } from "../contract/gate.ts";
import { holds } from "./condition.ts";
import { guardDigest } from "./guard.ts";
import { type Enrolment, imageJson, type Ledger, type LedgerEntry } from "./ledger.ts";
import { FlowStopped, type RunContext, toJson } from "./run-context.ts";
import type { Scope } from "./scope.ts";
import type { OperationStep } from "./step.ts";
import { fill } from "./template.ts";

/** Where a step stands: its file's scope and default application, and the ledger its deeds go into. */
export interface Standing {
  readonly scope: Scope;
  readonly app: string | undefined;
  readonly ledger: Ledger;
  /** Inside `transaction:` a barrier is refused unless declared. */
  readonly inTransaction: boolean;
  readonly path: string;
}

/** What one try came to. */
interface Attempt {
  readonly effect: Effect;
  readonly entry: LedgerEntry | undefined;
  readonly output?: unknown;
  readonly error?: BackstepError;
}

/**
 * Performs one operation step: tries it, again where that is safe, and records the result. Throws `FlowStopped` when it
 * failed and nothing says that the flow goes on.
 */
export async function perform(step: OperationStep, at: Standing, run: RunContext): Promise<StepResult> {
  const started = performance.now();
  const name = step.name ?? step.id ?? step.operation;
  run.emit({ event: "step-started", path: at.path, name, operation: step.operation });
  const attempts = 1 + (step.retry ?? 0);
  let attempt: Attempt | undefined;
  let tries = 0;
  while (tries < attempts) {
    tries++;
    attempt = await tryOnce(step, at, run);
    if (!attempt.error) break;
    if (attempt.error.code === "timeout" && step.doneWhen && await holdsQuietly(step, at, run)) {
      attempt = { effect: attempt.effect, entry: attempt.entry, output: { done_when: true } };
      if (attempt.entry) attempt.entry.outcome = "done";
      break;
    }
    if (tries === attempts || !await maybeRepeated(step, attempt, at, run)) break;
    run.emit({ event: "step-retried", path: at.path, attempt: tries, error: attempt.error.toJSON() });
  }
  const last: Attempt = attempt ?? { effect: "read", entry: undefined };
  if (!last.error && step.waitAfter) await pause(step.waitAfter, run.deadline.signal);

  const output = last.output === undefined ? undefined : toJson(last.output);
  const lenient = step.optional === true || step.onFail === "skip";
  const result: StepResult = run.mask.apply({
    path: at.path,
    name: step.name ?? step.id ?? last.entry?.name ?? name,
    operation: step.operation,
    effect: last.effect,
    status: !last.error ? "passed" : lenient ? "skipped" : "failed",
    duration_ms: Math.round(performance.now() - started),
    ...(tries > 1 ? { attempts: tries } : {}),
    ...(output === undefined ? {} : { output }),
    ...(last.error ? { error: last.error.toJSON() } : {}),
  });
  run.steps.push(result);
  run.emit({ event: "step-finished", step: result });
  if (output !== undefined) remember(step, at, output);
  if (last.error && (!lenient || last.error.code === "cancelled")) {
    const policy = step.onFail === "rollback" ? "rollback" : step.onFail === "abort" ? "stop" : undefined;
    throw new FlowStopped(at.path, last.error, policy);
  }
  return result;
}

function remember(step: OperationStep, at: Standing, output: Json): void {
  if (step.id !== undefined) at.scope.steps[step.id] = output;
  if (/^\d+$/.test(at.path)) at.scope.numbered[Number(at.path)] = output;
}

async function tryOnce(step: OperationStep, at: Standing, run: RunContext): Promise<Attempt> {
  let effect: Effect = run.gate.operation(step.operation).hints.readOnly ? "read" : "irreversible";
  let entry: LedgerEntry | undefined;
  const ports: GatePorts = {
    policy: [{
      admit(act) {
        effect = judged(act, step);
        if (effect === "irreversible" && at.inTransaction && step.irreversible !== true) {
          throw barrier(act, step);
        }
      },
    }],
    journal: {
      async intent(act) {
        if (effect === "read") return;
        entry = await enter(act, effect, step, at, run);
      },
      async outcome(act, outcome) {
        if (entry) await settle(entry, act, outcome, step, at, run);
      },
    },
    audit: { record: () => {} },
  };
  const timeout = Math.min(
    step.timeout ?? run.gate.operation(step.operation).timeout,
    Math.max(1, run.deadline.remaining()),
  );
  try {
    run.deadline.check(step.operation);
    if (run.deadline.passed) {
      throw new BackstepError("timeout", `Cannot ${step.operation}: the workflow's time is over`, {
        details: { outcome: "not_sent" },
      });
    }
    const done = await run.gate.with(ports).dispatch(
      { operation: step.operation, input: fill(step.input, at.scope) },
      {
        timeout,
        ...(at.app === undefined ? {} : { app: at.app }),
        ...(run.deadline.signal ? { signal: run.deadline.signal } : {}),
        progress: (message) =>
          run.emit({ event: "step-progress", path: at.path, message: run.mask.text(message) }),
      },
    );
    return { effect, entry, output: done.output };
  } catch (thrown) {
    return { effect, entry, error: toBackstepError(thrown) };
  }
}

/** A declared way back makes an irreversible deed compensable. */
function judged(act: Act, step: OperationStep): Effect {
  return act.resolved.effect === "irreversible" && step.undo ? "compensable" : act.resolved.effect;
}

function barrier(act: Act, step: OperationStep): BackstepError {
  const subject = act.resolved.subject ?? step.operation;
  return new BackstepError(
    "barrier",
    `Cannot ${step.operation} inside a transaction: ${subject} cannot be taken back`,
    {
      place: step.place,
      hint:
        "Give the step an `undo:`, or say `irreversible: true` if it may stay when the transaction fails.",
      details: { operation: step.operation, subject },
    },
  );
}

/** Captures what the deed may change and writes the intent: both before the deed, since one that times out may land. */
async function enter(
  act: Act,
  effect: Effect,
  step: OperationStep,
  at: Standing,
  run: RunContext,
): Promise<LedgerEntry> {
  const call = act.context.deadline.call();
  const enrolments: Enrolment[] = [];
  for (const participant of act.resolved.participants) {
    enrolments.push({
      participant,
      before: await participant.capture(run.session.desktop, call),
      after: undefined,
    });
  }
  const subject = act.resolved.subject;
  const entry: LedgerEntry = {
    path: at.path,
    name: run.mask.text(subject === undefined ? step.operation : `${step.operation} ${subject}`),
    operation: step.operation,
    effect,
    enrolments,
    undo: step.undo ? { declared: step.undo, scope: at.scope, app: at.app, left: undefined } : undefined,
    inverse: undefined,
    barrier: effect === "irreversible",
    outcome: "pending",
  };
  run.journal.write({
    kind: "intent",
    path: at.path,
    operation: step.operation,
    effect,
    sealed: run.seal.seal(run.mask.json({
      input: toJson(act.input),
      subject: subject ?? null,
      undo: step.undo !== undefined,
      before: enrolments.map((e) => ({ participant: e.participant.describe(), image: imageJson(e.before) })),
    })),
  }, { sync: entry.barrier });
  at.ledger.entries.push(entry);
  return entry;
}

/** Reads what the deed left, and writes the outcome. */
async function settle(
  entry: LedgerEntry,
  act: Act,
  outcome: ActOutcome,
  step: OperationStep,
  at: Standing,
  run: RunContext,
): Promise<void> {
  entry.outcome = outcome.ok ? "done" : happened(outcome.error);
  if (outcome.ok) entry.inverse = outcome.inverse;
  if (entry.barrier && entry.outcome === "unknown") run.doubt.open = true;
  // The act's own time may be over; reading what it left must not depend on it.
  const deadline = Deadline.after(2_000);
  const unread: string[] = [];
  for (const enrolment of entry.enrolments) {
    try {
      enrolment.after = await enrolment.participant.capture(run.session.desktop, deadline.call());
    } catch (thrown) {
      unread.push(`${enrolment.participant.label}: ${toBackstepError(thrown).message}`);
    }
  }
  if (entry.undo && outcome.ok && step.undo?.guard === undefined) {
    entry.undo.left = await guardDigest(run.session, at.app, deadline);
  }
  run.journal.write({
    kind: "outcome",
    path: entry.path,
    operation: act.operation.name,
    outcome: entry.outcome,
    ...(outcome.ok ? {} : { error: run.mask.json(toJson(outcome.error.toJSON())) }),
    ...(unread.length > 0 ? { unread: run.mask.json(unread) } : {}),
    sealed: run.seal.seal(run.mask.json({
      after: entry.enrolments.map((e) => e.after ? imageJson(e.after) : null),
      inverse: entry.inverse ? toJson(entry.inverse) : null,
    })),
  });
}

const NOT_HAPPENED = new Set([
  "invalid",
  "unsupported",
  "refused",
  "stale",
  "not_found",
  "ambiguous",
  "not_actionable",
  "app_not_found",
  "app_not_running",
  "launch_failed",
  "secure",
  "policy",
  "limit",
]);

function happened(error: BackstepError): "failed" | "unknown" {
  if (error.details?.outcome === "not_sent") return "failed";
  return NOT_HAPPENED.has(error.code) ? "failed" : "unknown";
}

async function holdsQuietly(step: OperationStep, at: Standing, run: RunContext): Promise<boolean> {
  return step.doneWhen !== undefined &&
    await holds(step.doneWhen, at.scope, run, at.app, run.deadline.signal);
}

/**
 * Whether a failed try may be repeated: nothing was done, doing it twice is doing it once, what it did could be taken
 * back first, or `done_when` says that it did not happen. Input is never repeated blindly.
 */
async function maybeRepeated(
  step: OperationStep,
  attempt: Attempt,
  at: Standing,
  run: RunContext,
): Promise<boolean> {
  const { error, entry } = attempt;
  if (!error || error.code === "cancelled" || error.code === "barrier" || error.code === "invalid") {
    return false;
  }
  if (run.deadline.passed) return false;
  if (!entry || entry.outcome === "failed" || run.gate.operation(step.operation).hints.idempotent) {
    return true;
  }
  if (step.doneWhen) return !await holdsQuietly(step, at, run);
  if (entry.effect !== "restorable" || entry.enrolments.length === 0) return false;
  for (const { participant, before } of entry.enrolments) {
    if (before.unrestorable) return false;
    await participant.restore(before, run.session.desktop, run.deadline.call());
  }
  return true;
}
