import { randomBytes } from "node:crypto";
import { Deadline } from "../base/call.ts";
import { type BackstepError, type ErrorJson, type Json } from "../base/error.ts";
import type { RunEvent, RunListener, RunResult } from "../contract/events.ts";
import { Gate, OPEN_PORTS } from "../contract/gate.ts";
import type { Operation } from "../contract/operation.ts";
import type { Session } from "../session/session.ts";
import { Artefacts } from "./artefacts.ts";
import { BUDGETS, type Budgets } from "./budgets.ts";
import { pictureFor, Unstable } from "./changing.ts";
import { type AskConflict, conflictPolicy } from "./conflicts.ts";
import { afterwards, flow, runStep } from "./flow.ts";
import { endsRun, InputGuard } from "./interference.ts";
import { Journal } from "./journal.ts";
import { declaredFiles, digestOf } from "./declared.ts";
import { Ledger } from "./ledger.ts";
import { Mask } from "./mask.ts";
import { asExpected, exitCode, merged } from "./outcome.ts";
import type { Standing } from "./perform.ts";
import type { Picture } from "./picture.ts";
import { pruneRuns } from "./prune.ts";
import { releaseInput } from "./release.ts";
import { stopsAt } from "./rollback.ts";
import { type RunContext, stoppedAt } from "./run-context.ts";
import { takeBack } from "./take-back.ts";
import { Scope, type Surroundings } from "./scope.ts";
import { Seal } from "./seal.ts";
import { secretsOf } from "./secrets.ts";
import { stateFolder } from "../session/lease.ts";
import type { OnConflict, OnInterference, Workflow } from "./step.ts";

/** What a run is given. */
export interface RunOptions {
  /** The catalogue: the same that the workflow was parsed with. */
  readonly operations: Iterable<Operation>;
  /** Stays open: whoever opened it closes it. */
  readonly session: Session;
  /** Values of the file's variables, complete and typed. */
  readonly vars: Readonly<Record<string, Json>>;
  /** Where environment variables and secrets come from. */
  readonly surroundings: Surroundings;
  /** The folder that paths are confined to. */
  readonly folder: string;
  /** Default: `stateFolder()`. */
  readonly state?: string;
  /** Default: a new one. */
  readonly run?: string;
  /** What each part of it may take; default `BUDGETS`. */
  readonly budgets?: Partial<Budgets>;
  /** What is done about what somebody else changed meanwhile; default: what the file says, else "stop". */
  readonly onConflict?: OnConflict;
  /** Asks a person, for `ask`; without one that is "stop". */
  readonly askConflict?: AskConflict;
  /** What is done when somebody else uses keyboard or pointer; default: what the file says, else `usualPolicy` of the desktop. */
  readonly onInterference?: OnInterference;
  /** Told every event in order, secrets masked. One that throws is told no more, and its error is thrown at the end. */
  readonly listener?: RunListener;
  /** Fires: stop, and take back. */
  readonly signal?: AbortSignal;
  /** Fires: stop taking back too; the journal stays open. */
  readonly hardStop?: AbortSignal;
}

/** A new run's id: when it began, and six hexadecimal digits: "20261120-233000-c3f9a1". */
export function newRunId(now = new Date()): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}

/**
 * Runs a workflow on a session's desktop and answers what came of it. It rejects only when it could not begin; what
 * fails on the way is in the result.
 */
export async function runWorkflow(workflow: Workflow, options: RunOptions): Promise<RunResult> {
  const started = performance.now();
  const { session } = options;
  const state = options.state ?? stateFolder();
  const run = options.run ?? newRunId();
  const mask = new Mask([...secretsOf(workflow)].flatMap((name) => options.surroundings.secret(name) ?? []));
  const told = listening(options.listener, mask);
  const desktop = { kind: session.kind, label: session.label };
  pruneRuns(state);
  const journal = Journal.create(state, run);
  let guard: InputGuard | undefined;
  try {
    const budgets = { ...BUDGETS, ...options.budgets };
    const policy = options.onConflict ?? workflow.onConflict ?? "stop";
    const conflict = conflictPolicy(policy, options.askConflict);
    const seal = Seal.create(state, run);
    const store = new Artefacts(journal.folder, seal);
    const declare = () => declaredFiles(workflow, options, store);
    const wanted = options.onInterference ?? workflow.onInterference;
    guard = await InputGuard.begin(wanted, { session, journal, emit: told.emit });
    const context: RunContext = {
      run,
      session,
      gate: new Gate({ operations: options.operations, session, folder: options.folder, ports: OPEN_PORTS }),
      journal,
      seal,
      mask,
      surroundings: options.surroundings,
      budgets,
      always: await declare(),
      declare,
      history: [],
      way: workflow.rollback ?? "restore",
      late: new Map(),
      unstable: new Unstable(),
      conflict: (question) => conflict(mask.apply(question)),
      guard,
      deadline: Deadline.after(workflow.timeout ?? budgets.flow, options.signal),
      hardStop: options.hardStop,
      emit: told.emit,
      steps: [],
      rollbacks: [],
      doubts: new Set(),
    };
    journal.write({
      kind: "run",
      run,
      workflow: workflow.name,
      file: workflow.file,
      digest: digestOf(workflow),
      desktop: { ...desktop, id: session.id ?? null },
    });
    told.emit({ event: "run-started", run, workflow: workflow.name, file: workflow.file, desktop });

    const at: Omit<Standing, "path"> = {
      scope: new Scope(options.vars, options.surroundings),
      app: workflow.app,
      ledger: new Ledger(),
      inTransaction: false,
      file: "",
    };
    const failure = await main(workflow, at, context);
    if (failure?.code === "cancelled") await releaseInput(context);
    const afterFailure = await afterwards(workflow.after, "after.", at, context);
    const error = failure ?? afterFailure;

    const rollback = merged(context.rollbacks);
    const status = !error ? "passed" : error.code === "cancelled" ? "cancelled" : "failed";
    const exit = exitCode(status, rollback.verdict, context.doubts.size > 0);
    const result: RunResult = {
      run,
      workflow: workflow.name,
      desktop,
      status,
      exit,
      duration_ms: Math.round(performance.now() - started),
      steps: context.steps,
      rollback,
      unstable: context.unstable.labels.map((label) => mask.text(label)),
      ...(guard?.result ? { interference: guard.result } : {}),
      ...(error ? { error: mask.apply<ErrorJson>(error.toJSON()) } : {}),
      ...(workflow.expect ? { expected: asExpected(workflow.expect, status, rollback.verdict) } : {}),
    };
    // An interrupt during the way back leaves the journal open: `recover` finishes what is written there.
    if (!options.hardStop?.aborted) journal.write({ kind: "end", status, exit, rollback: rollback.verdict });
    told.emit({ event: "run-finished", result });
    told.throwIfBroken();
    return result;
  } finally {
    await guard?.close();
    journal.close();
  }
}

/** Tells a listener, masked. One that throws is told no more, and its error waits until the desktop is in order. */
function listening(listener: RunListener | undefined, mask: Mask) {
  let broken: { readonly thrown: unknown } | undefined;
  return {
    emit(event: RunEvent): void {
      if (!listener || broken) return;
      try {
        listener(mask.apply(event));
      } catch (thrown) {
        broken = { thrown };
      }
    },
    throwIfBroken(): void {
      if (broken) throw broken.thrown;
    },
  };
}

/** `before` and `steps`; on failure the way back that the file asks for. Answers the error, if any. */
async function main(
  workflow: Workflow,
  around: Omit<Standing, "path">,
  run: RunContext,
): Promise<BackstepError | undefined> {
  try {
    // What `before:` sets up is undone by `after:`; it is no part of what a failure takes back.
    await flow(workflow.before, "before.", { ...around, ledger: new Ledger() }, run);
  } catch (thrown) {
    const stopped = stoppedAt("before", thrown);
    await stopped.finish();
    return stopped.error;
  }
  const at = { ...around, ledger: new Ledger(run.history.length) };
  // Only where the desktop may be replaced is it compared, element by element, with how it was here.
  const picture = run.way === "rebuild" ? await pictureFor(run, at.app, run.budgets.settle) : undefined;
  try {
    if (workflow.onFailure === "continue") return await allSteps(workflow, at, run);
    await flow(workflow.steps, "", at, run);
    return undefined;
  } catch (thrown) {
    const stopped = stoppedAt("", thrown);
    if ((stopped.policy ?? workflow.onFailure) === "rollback") {
      await toBarrier(at.ledger, stopped.error, picture, run);
    }
    await stopped.finish();
    return stopped.error;
  }
}

/** The way back of a file: to its last irreversible step, which is named. */
async function toBarrier(
  ledger: Ledger,
  error: BackstepError,
  start: Picture | undefined,
  run: RunContext,
): Promise<void> {
  if (ledger.entries.length === 0) return;
  const barrier = ledger.entries.findLast(stopsAt);
  if (barrier) {
    const message = `The way back ends after step ${barrier.path} (${barrier.name}): it is irreversible.`;
    run.emit({ event: "note", level: "warning", message });
  }
  // How it looked after a barrier was not kept.
  const picture = barrier ? undefined : start;
  await takeBack(ledger, "", { toBarrier: true, reason: error, picture }, run, flow);
}

/** `on_failure: continue`: every step is tried; the first error is the run's. */
async function allSteps(
  workflow: Workflow,
  at: Omit<Standing, "path">,
  run: RunContext,
): Promise<BackstepError | undefined> {
  let first: BackstepError | undefined;
  for (const [index, step] of workflow.steps.entries()) {
    const path = String(index + 1);
    try {
      await runStep(step, { ...at, path }, run);
    } catch (thrown) {
      const stopped = stoppedAt(path, thrown);
      first ??= stopped.error;
      if (endsRun(stopped.error) || stopped.policy) throw stopped;
      await stopped.finish();
    }
  }
  return first;
}
