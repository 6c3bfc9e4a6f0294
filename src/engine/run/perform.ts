import { pause } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { BackstepError, type Json, toBackstepError } from "../../base/error.ts";
import { isMap, toJson } from "../../base/json.ts";
import type { Effect } from "../../contract/effect.ts";
import type { StepResult } from "../../contract/events.ts";
import type { Act, GatePorts } from "../../contract/gate.ts";
import type { ForeignInput } from "../../desktop/desktop.ts";
import type { StepObserver } from "../evidence/observer.ts";
import { holds } from "../model/condition.ts";
import { fill } from "../model/fill.ts";
import { FlowStopped, stoppedAt } from "../model/flow-stopped.ts";
import { judged } from "../model/judged-effect.ts";
import { nameOf } from "../model/step-name.ts";
import type { Changes, Condition, OperationStep } from "../model/step.ts";
import { stillAsLeft } from "../rollback/as-left.ts";
import { stillRolledBack } from "../rollback/final-reads.ts";
import type { UndoEntry } from "../rollback/undo-log.ts";
import { beginTaking, keepWithheld, type Taking } from "../secrets/giving-secret.ts";
import type { TreeSnapshot } from "../model/tree-snapshot.ts";
import { checkChanges } from "./changes.ts";
import { claimPort } from "./claim-port.ts";
import { isClaimed } from "./claims.ts";
import type { EarlierStep } from "./earlier-steps.ts";
import { enter, enterAnew, finishEntry } from "./enter.ts";
import { endsRun } from "./interference.ts";
import { mayBeRepeated } from "./repeatable.ts";
import type { RunContext } from "./run-context.ts";
import { isSoft } from "./soft-failure.ts";
import { changeOf } from "./step-change.ts";
import { healingStep, suggest } from "./suggest.ts";
import type { Standing } from "./standing.ts";
import { treeSnapshotFor } from "../model/unstable.ts";

/** What one try came to. */
interface Attempt {
  readonly effect: Effect;
  readonly entry: UndoEntry | undefined;
  /** What it acts on, once that is known. */
  readonly subject?: string | undefined;
  readonly output?: unknown;
  /** Filled in. */
  readonly input?: Json;
  readonly error?: BackstepError | undefined;
  /** What somebody else did meanwhile. */
  readonly interference?: ForeignInput | undefined;
}

/**
 * Performs one operation step: tries it, again where that is safe, and records the result. Throws `FlowStopped` when it
 * failed and nothing says that the flow goes on.
 */
export async function perform(step: OperationStep, at: Standing, run: RunContext): Promise<StepResult> {
  const existing = run.memory?.step(at.path);
  if (existing) return recall(existing, step, at, run);
  const name = step.name ?? step.id ?? step.operation;
  const since = { entries: at.undoLog.entries.length, history: run.history.length };
  run.emit({ event: "step-started", path: at.path, name, operation: step.operation });
  const seen = await run.observer?.step(at.path, at.app);
  const started = performance.now();
  const done = await wasDone(step, at, run);
  const tried = done ? { attempt: done, tries: 1 } : await tryRepeatedly(step, at, run, seen);
  const took = Math.round(performance.now() - started);
  const { tries } = tried;
  const { attempt, remains } = await withSuggestion(tried.attempt, step, at, run);
  const output = attempt.output === undefined ? undefined : answerOf(step, toJson(attempt.output));
  const lenient = step.optional === true || step.onFail === "skip";
  keepWithheld(at.path, run);
  const result: StepResult = run.mask.apply({
    path: at.path,
    ...defined({ id: step.id }),
    name: step.name ?? nameOf(step.operation, attempt.subject),
    operation: step.operation,
    effect: attempt.effect,
    status: !attempt.error ? "passed" : lenient ? "skipped" : "failed",
    duration_ms: took,
    ...(tries > 1 ? { attempts: tries } : {}),
    ...defined({ output }),
    ...(attempt.error ? { error: attempt.error.toJSON() } : {}),
    ...(attempt.interference ? { interference: attempt.interference } : {}),
    ...(attempt.error && isSoftHere(step, at, attempt.error) ? { soft: true as const } : {}),
  });
  run.steps.push(result);
  run.journal.write({
    kind: "step",
    path: at.path,
    status: result.status,
    ...(result.output === undefined ? {} : { encrypted: run.encryption.encrypt(result.output) }),
  });
  const evidence = await seen?.after(result);
  run.emit({ event: "step-finished", step: result, ...(evidence ? { evidence } : {}) });
  const warning = isMap(result.output) ? result.output["warning"] : undefined;
  if (typeof warning === "string") note(warning, at, run);
  if (output !== undefined) remember(step, at, output);
  run.guide?.over(at.path, {
    status: result.status,
    output,
    input: attempt.input ?? null,
    entries: at.undoLog.entries.slice(since.entries),
    passed: run.history.slice(since.history),
    result,
  });
  if (attempt.error && isSoftHere(step, at, attempt.error)) {
    run.soft.push({ path: at.path, name: result.name, error: attempt.error });
    return result;
  }
  if (attempt.error && (!lenient || endsRun(attempt.error))) {
    // What ends a flow from outside is no failure of the step: what it says of one does not count.
    const finished = attempt.error.code === "cancelled" || run.deadline.passed;
    const policy = finished
      ? undefined
      : step.onFail === "rollback"
      ? "rollback"
      : step.onFail === "abort"
      ? "stop"
      : undefined;
    const stopped = new FlowStopped(at.path, attempt.error, policy);
    stopped.remains = remains;
    throw stopped;
  }
  if (!attempt.error && step.waitAfter) await letPass(step.waitAfter, at, run);
  return result;
}

/** What its locator may have meant, where that found nothing; of one that passed it is kept what it changed. */
async function withSuggestion(
  attempt: Attempt,
  step: OperationStep,
  at: Standing,
  run: RunContext,
): Promise<{ readonly attempt: Attempt; readonly remains: boolean }> {
  if (attempt.error) {
    const { error, remains } = await suggest(attempt.error, step, at, run);
    return { attempt: { ...attempt, error }, remains };
  }
  const about = attempt.input === undefined ? undefined : healingStep(step, at, attempt.input);
  if (about) run.healing?.passed(about, attempt.entry && changeOf(attempt.entry, run.mask));
  return { attempt, remains: false };
}

/** What the step answers; that `done_when` answered for it is told as it is. */
function answerOf({ answers, doneWhen }: OperationStep, output: Json): Json {
  return answers && !(doneWhen && isMap(output) && output["done_when"] === true) ? answers(output) : output;
}

/** A rollback is checked strictly: what it says decides a verdict. */
function isSoftHere(step: OperationStep, { file }: Standing, error: BackstepError): boolean {
  return step.soft === true && file !== undefined && isSoft(error);
}

/** A step that was over before the run was cut off: it is not done again, and rolled back with the rest if need be. */
function recall(existing: EarlierStep, step: OperationStep, at: Standing, run: RunContext): StepResult {
  at.undoLog.entries.push(...existing.entries);
  const [entry] = existing.entries;
  const { status, output } = existing;
  const result: StepResult = existing.result ?? {
    path: at.path,
    ...defined({ id: step.id }),
    name: step.name ?? entry?.name ?? step.operation,
    operation: step.operation,
    effect: entry?.effect ?? "read",
    status,
    duration_ms: 0,
    ...defined({ output }),
  };
  run.steps.push(result);
  if (status === "failed") {
    const error = new BackstepError("assertion", "It failed before the run was cut off");
    if (!isSoftHere(step, at, error)) throw new FlowStopped(at.path, error, undefined);
    run.soft.push({ path: at.path, name: result.name, error });
    return result;
  }
  if (existing.passed) run.history.push(...existing.passed);
  else if (status === "passed" && entry) {
    run.history.push({ operation: step.operation, input: existing.input, app: at.app, effect: entry.effect });
  }
  if (output !== undefined) remember(step, at, output);
  return result;
}

/** A step whose `done_when` holds before it begins is done already; where that cannot be told, it is not. */
async function wasDone(step: OperationStep, at: Standing, run: RunContext): Promise<Attempt | undefined> {
  if (!step.doneWhen || run.deadline.passed || run.deadline.signal?.aborted) return undefined;
  try {
    if (!await holds(step.doneWhen, at.scope, run, at.app, { once: true })) return undefined;
    return { effect: "read", entry: undefined, output: { done_when: true, already: true } };
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (error.code === "cancelled") return { effect: "read", entry: undefined, error };
    note(`done_when cannot say whether it was done before: ${error.message}`, at, run);
    return undefined;
  }
}

/** Tries a step, and again where that is safe and asked for. */
async function tryRepeatedly(
  step: OperationStep,
  at: Standing,
  run: RunContext,
  seen: StepObserver | undefined,
): Promise<{ attempt: Attempt; tries: number }> {
  let effect: Effect = "read";
  for (let tries = 1;; tries++) {
    const tried = await tryOnce(step, at, run, seen);
    // A try that did not get as far says nothing about those before it.
    if (tried.effect !== "read") effect = tried.effect;
    const attempt = { ...tried, effect };
    const { entry, error } = attempt;
    if (!error) return { attempt, tries };
    const landed = entry?.outcome === "unknown" && error.code !== "cancelled" && step.doneWhen
      ? await seemsDone(step.doneWhen, at, run)
      : undefined;
    if (entry && (landed || (landed === false && !isClaimed(error)))) resolveDoubt(entry, landed, run);
    if (landed) return { attempt: { ...attempt, error: undefined, output: { done_when: true } }, tries };
    if (tries > (step.retry ?? 0) || !await mayBeRepeated(attempt, step, at.path, run)) {
      return { attempt, tries };
    }
    run.emit({ event: "step-retried", path: at.path, attempt: tries, error: error.toJSON() });
  }
}

/** What `done_when` says; undefined when it cannot be told. */
async function seemsDone(doneWhen: Condition, at: Standing, run: RunContext): Promise<boolean | undefined> {
  try {
    return await holds(doneWhen, at.scope, run, at.app, { alive: true });
  } catch (thrown) {
    note(`done_when cannot say whether it happened: ${toBackstepError(thrown).message}`, at, run);
    return undefined;
  }
}

function resolveDoubt(entry: UndoEntry, landed: boolean, run: RunContext): void {
  const outcome = landed ? "done" : "failed";
  entry.outcome = outcome;
  run.doubts.delete(entry);
  run.claims?.finished(entry.path, outcome);
  run.journal.write({
    kind: "action-end",
    path: entry.path,
    begin: entry.intent,
    operation: entry.operation,
    outcome,
  });
}

/** The pause that a step asks for after it, within the time of the flow. */
async function letPass(milliseconds: number, at: Standing, run: RunContext): Promise<void> {
  try {
    await pause(Math.min(milliseconds, run.deadline.remaining()), run.deadline.signal);
  } catch (thrown) {
    throw stoppedAt(at.path, thrown);
  }
}

function note(message: string, at: Standing, run: RunContext): void {
  run.emit({ event: "note", level: "warning", message: `Step ${at.path}: ${message}` });
}

function remember(step: OperationStep, at: Standing, output: Json): void {
  if (step.id !== undefined) at.scope.steps[step.id] = output;
  const { file, path, scope } = at;
  if (file === undefined || !path.startsWith(file)) return;
  const number = path.slice(file.length);
  if (/^\d+$/.test(number)) scope.numbered[Number(number)] = output;
}

/** Tries a step once nobody interferes; where somebody does in the last moment and the run waits for them, it waits again. */
async function tryOnce(
  step: OperationStep,
  at: Standing,
  run: RunContext,
  seen: StepObserver | undefined,
): Promise<Attempt> {
  const { guard } = run;
  if (!guard || run.gate.operation(step.operation).hints.readOnly) return await attempt(step, at, run, seen);
  for (;;) {
    try {
      await guard.before(at.path, step.operation, run.deadline);
    } catch (thrown) {
      return { effect: "read", entry: undefined, error: toBackstepError(thrown) };
    }
    const done = await attempt(step, at, run, seen);
    const interference = guard.after(at.path);
    if (!done.entry && done.error?.code === "interference" && guard.policy === "pause") continue;
    const error = done.error ?? guard.verdict;
    return { ...done, interference, error, ...(error ? { output: undefined } : {}) };
  }
}

async function attempt(
  step: OperationStep,
  at: Standing,
  run: RunContext,
  seen: StepObserver | undefined,
): Promise<Attempt> {
  // Until its target is found nothing is judged, and nothing is done.
  let effect: Effect = "read";
  let entry: UndoEntry | undefined;
  let subject: string | undefined;
  let stood: TreeSnapshot | undefined;
  let taking: Taking | undefined;
  const found = async (act: Act) => {
    const about = run.healing && healingStep(step, at, toJson(act.input));
    if (about) await run.healing?.found(about, act);
  };
  const claims = claimPort(() => effect, step, at, run);
  const ports: GatePorts = {
    ...(claims.port ? { claim: claims.port } : {}),
    policy: [{
      async admit(act) {
        effect = judged(act, step);
        ({ subject } = act.resolved);
        const declared = step.irreversible === true || step.raw === true;
        if (effect === "irreversible" && at.inTransaction && !declared) {
          throw barrier(act, step);
        }
        if (!act.operation.hints.readOnly) await found(act);
      },
    }, ...run.admission],
    journal: {
      async intent(act, before) {
        if (effect === "read") return;
        if (before !== undefined && entry) return await enterAnew(entry, act, effect, step, at, run);
        await seen?.begins();
        // It may change more than it enrols: what the steps before left is read while it is still theirs.
        if (effect !== "restorable") await stillAsLeft(run);
        if (step.changes) stood = await treeSnapshotFor(run, at.app, TREE_BUDGET);
        entry = await enter(act, effect, step, at, run);
      },
      async outcome(act, outcome) {
        await taking?.over();
        keepWithheld(at.path, run);
        if (!entry) return;
        await finishEntry(entry, act, outcome, step, at, run);
        claims.finished(entry.outcome);
        run.asLeft?.took(entry, act, outcome);
      },
    },
    audit: {
      async record(act, outcome) {
        // What only looks finds its target while it does.
        if (act.operation.hints.readOnly && outcome.ok) await found(act);
        await run.audit.record(act, outcome);
      },
    },
    observer: {
      async about(touch) {
        taking?.touched(touch);
        await seen?.about(touch);
      },
    },
  };
  const { resolve, act } = run.budgets;
  try {
    if (!run.gate.operation(step.operation).hints.readOnly) await stillRolledBack(run);
    const timeout = Math.min(step.timeout ?? Infinity, Math.max(1, run.deadline.remaining()));
    run.deadline.check(step.operation);
    if (run.deadline.passed) {
      throw new BackstepError("timeout", `Cannot ${step.operation}: the workflow's time is over`, {
        details: { outcome: "not_sent" },
      });
    }
    const input = fill(step.input, at.scope);
    const secret = run.withheld.holdsSecret(step.input, input);
    seen?.takes(secret);
    const acts = !run.gate.operation(step.operation).hints.readOnly;
    if (acts) taking = await beginTaking(secret, at.app, run);
    const done = await run.gate.with(ports).dispatch(
      { operation: step.operation, input },
      {
        timeout,
        budget: { resolve: resolve ?? step.timeout, act: act ?? step.timeout },
        ...defined({ app: at.app }),
        ...(run.deadline.signal ? { signal: run.deadline.signal } : {}),
        progress: (message) =>
          run.emit({ event: "step-progress", path: at.path, message: run.mask.text(message) }),
      },
    );
    if (step.changes && entry) await asDeclared(step.changes, stood, at, run);
    run.history.push({ operation: step.operation, input, app: at.app, effect });
    return { effect, entry, subject, input, output: done.output };
  } catch (thrown) {
    return { effect, entry, subject, error: toBackstepError(thrown) };
  }
}

/** Milliseconds for looking at a whole application, and for explaining what changed in it. */
const TREE_BUDGET = 5_000;

async function asDeclared(
  changes: Changes,
  before: TreeSnapshot | undefined,
  at: Standing,
  run: RunContext,
): Promise<void> {
  if (before) return await checkChanges(changes, before, at.scope, run, run.deadline.within(TREE_BUDGET));
  throw new BackstepError(
    "assertion",
    "Cannot confirm what the step changed: its application was not to be seen before",
    {
      place: changes.place,
      hint: "Say with `app:` which application the file means.",
    },
  );
}

function barrier(act: Act, step: OperationStep): BackstepError {
  const subject = act.resolved.subject ?? step.operation;
  return new BackstepError(
    "barrier",
    `Cannot ${step.operation} inside a transaction: ${subject} cannot be undone`,
    {
      place: step.place,
      hint:
        "Give the step an `undo:`, or say `irreversible: true` if it may stay when the transaction fails.",
      details: { operation: step.operation, subject },
    },
  );
}
