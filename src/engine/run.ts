import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { type BackstepError, type ErrorJson, type Json, toBackstepError } from "../base/error.ts";
import type { UpdateMode } from "../contract/baselines.ts";
import type { RunEvent, RunListener, RunResult } from "../contract/events.ts";
import type { Elements } from "../contract/elements.ts";
import type { Eyes } from "../contract/eyes.ts";
import type { AuditPort, PolicyPort } from "../contract/gate.ts";
import type { Operation } from "../contract/operation.ts";
import type { Session } from "../session/session.ts";
import { baselinesOf, usualUpdateMode } from "../operations/baseline-folder.ts";
import { AsLeft, stillAsLeft } from "./as-left.ts";
import { Artefacts } from "./artefacts.ts";
import type { Budgets } from "./budgets.ts";
import { pictureFor } from "./changing.ts";
import type { AskConflict } from "./conflicts.ts";
import { endsRun, InputGuard } from "./interference.ts";
import type { EvidenceMode } from "./evidence/mode.ts";
import { Observer } from "./evidence/observer.ts";
import { declaredFiles, digestOf } from "./declared.ts";
import { afterwards, flow, runStep } from "./flow.ts";
import { Journal } from "./journal.ts";
import { settleLastLook, stillRolledBack } from "./last-looks.ts";
import { Ledger } from "./ledger.ts";
import { lockRun } from "./lock.ts";
import { Mask } from "./mask.ts";
import { listening, makeContext } from "./make-context.ts";
import type { Memory } from "./memory.ts";
import { asExpected, exitCode, merged } from "./outcome.ts";
import type { Standing } from "./perform.ts";
import type { Picture } from "./picture.ts";
import { type AcceptedPlan, mustBe, planProgram } from "./plan.ts";
import type { Program } from "./program.ts";
import { pruneRuns } from "./prune.ts";
import { releaseInput } from "./release.ts";
import { stopsAt } from "./rollback.ts";
import { type RunContext, stoppedAt } from "./run-context.ts";
import { takeBack } from "./take-back.ts";
import { Scope, type Surroundings } from "./scope.ts";
import { Seal } from "./seal.ts";
import { softFailure } from "./soft.ts";
import { withoutSecrets } from "./secret-baselines.ts";
import { secretFiles, secretsOf } from "./secrets.ts";
import type { Durability, Sink } from "./sink.ts";
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
  /** Ended runs that are kept in the state folder when this one begins; default `KEPT_RUNS`. */
  readonly keptRuns?: number;
  /** What each part of it may take; default `BUDGETS`. */
  readonly budgets?: Partial<Budgets>;
  /** What is done about what somebody else changed meanwhile; default: what the file says, else "stop". */
  readonly onConflict?: OnConflict;
  /** Asks a person, for `ask`; without one that is "stop". */
  readonly askConflict?: AskConflict;
  /** The plan that was accepted: the run is refused, before its first step, when the desktop or the file is otherwise now. */
  readonly plan?: AcceptedPlan;
  /** When baselines are written; default: `usualUpdateMode` of the environment. */
  readonly updateBaselines?: UpdateMode;
  /** What is done when somebody else uses keyboard or pointer; default: what the file says, else `usualPolicy` of the desktop. */
  readonly onInterference?: OnInterference;
  /** When pictures and trees of each step are kept; default "off". A run that is resumed keeps none. */
  readonly evidence?: EvidenceMode;
  /** Which journal lines are waited for until they are on the disk; default: what the file says, else "barriers". */
  readonly durability?: Durability;
  /** Judges every act of the flow beside the engine itself: a face's security policy. */
  readonly admission?: readonly PolicyPort[];
  /** Hears of every act of the flow: a face's audit log. */
  readonly audit?: AuditPort;
  /** References to elements that live across the calls of a face. */
  readonly elements?: Elements;
  /** Finds in pictures what is described; default: what the environment has set up. */
  readonly eyes?: Eyes;
  /** Told every event in order, secrets masked. One that throws is told no more, and its error is thrown at the end. */
  readonly listener?: RunListener;
  /** Fires: stop, and take back. */
  readonly signal?: AbortSignal;
  /** Fires: stop taking back too; the journal stays open. */
  readonly hardStop?: AbortSignal;
}

/** A run that was cut off, as `recover` hands it on. Its lock is held by whoever does. */
export interface Resumed {
  readonly journal: Journal;
  readonly seal: Seal;
  readonly memory: Memory;
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
export function runWorkflow(workflow: Workflow, options: RunOptions): Promise<RunResult> {
  return runProgram(workflow, options, undefined);
}

/** What only `recover` and experiments hand to a run. */
export interface Inside {
  /** How its journal reaches the disk; default `DISK`. */
  readonly sink?: Sink;
  /** What a run that was cut off had done: it goes on where that ended, in the same journal. */
  readonly resumed?: Resumed;
}

/** `runWorkflow` for `recover` and for experiments. */
export function runWith(workflow: Workflow, options: RunOptions & Inside): Promise<RunResult> {
  return runProgram(workflow, options, undefined);
}

/** The same, of a workflow whose steps a program makes. */
export async function runProgram(
  workflow: Workflow,
  options: RunOptions & Inside,
  program: Program | undefined,
): Promise<RunResult> {
  const started = performance.now();
  const { session } = options;
  const state = options.state ?? stateFolder();
  const run = options.run ?? newRunId();
  const mask = new Mask([...secretsOf(workflow)].flatMap((name) => options.surroundings.secret(name) ?? []));
  const told = listening(options.listener, mask);
  const desktop = { kind: session.kind, label: session.label };
  const { resumed, sink } = options;
  if (!resumed) pruneRuns(state, options.keptRuns);
  const journal = resumed?.journal ?? Journal.create(state, run, sink);
  let unlock: (() => void) | undefined;
  let guard: InputGuard | undefined;
  const observer = resumed || (options.evidence ?? "off") === "off"
    ? undefined
    : new Observer({ session, mask, emit: told.emit, signal: options.hardStop });
  try {
    if (!resumed) unlock = lockRun(state, run);
    const policy = options.onConflict ?? workflow.onConflict ?? "stop";
    const seal = resumed?.seal ?? Seal.create(state, run);
    const durability = options.durability ?? workflow.durability ?? "barriers";
    if (!resumed) {
      journal.durability = durability;
      journal.rests((sink) => Seal.sync(state, run, sink));
    }
    const store = new Artefacts(journal.folder, seal, sink);
    const declare = () => declaredFiles(workflow, options, store);
    const wanted = options.onInterference ?? workflow.onInterference;
    guard = await InputGuard.begin(wanted, { session, journal, emit: told.emit });
    const context = await makeContext({
      run,
      session,
      operations: options.operations,
      folder: options.folder,
      journal,
      seal,
      baselines: withoutSecrets(
        baselinesOf(
          options.folder,
          options.updateBaselines ?? usualUpdateMode((name) => options.surroundings.env(name)),
        ),
        mask,
        session,
      ),
      evidence: store,
      mask,
      surroundings: options.surroundings,
      guard,
      observer,
      emit: told.emit,
      policy,
      askConflict: options.askConflict,
      budgets: options.budgets,
      declare,
      way: workflow.rollback ?? "restore",
      timeout: workflow.timeout,
      signal: options.signal,
      hardStop: options.hardStop,
      memory: resumed?.memory,
      admission: options.admission,
      audit: options.audit,
      elements: options.elements,
      eyes: options.eyes,
      asLeft: new AsLeft(),
    });
    if (!resumed) {
      journal.write({
        kind: "run",
        run,
        workflow: workflow.name,
        file: resolve(workflow.file),
        digest: digestOf(workflow),
        desktop: { ...desktop, id: session.id ?? null, mode: session.desktop.mode },
        secrets: [...secretsOf(workflow)],
        ...(durability === "full" ? { durability } : {}),
        sealed: seal.seal(mask.json({
          vars: options.vars,
          app: workflow.app ?? null,
          folder: options.folder,
          policy,
          secretFiles: secretFiles(workflow),
        })),
      });
    }
    told.emit({ event: "run-started", run, workflow: workflow.name, file: workflow.file, desktop });

    const at: Omit<Standing, "path"> = {
      scope: new Scope(options.vars, options.surroundings),
      app: workflow.app,
      ledger: new Ledger(),
      inTransaction: false,
      file: "",
    };
    const failure = await main(workflow, at, context, options, program);
    if (failure?.code === "cancelled") await releaseInput(context);
    const afterFailure = await afterwards(workflow.after, "after.", at, context, program);
    const error = failure ?? afterFailure ?? softFailure(context);

    const status = !error ? "passed" : error.code === "cancelled" ? "cancelled" : "failed";
    const evidence = (wanted: boolean) =>
      observer && wanted ? keepEvidence(observer, store, journal, told.emit) : Promise.resolve();
    const always = options.evidence === "on";
    // What is sealed in any case is sealed while the last look of the rollback waits for its time.
    await Promise.all([settleLastLook(context), evidence(always)]);
    const rollback = merged(context.rollbacks);
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
      ...(context.lastLooks.changed.length > 0 ? { changed_afterwards: context.lastLooks.changed } : {}),
      ...(guard?.result ? { interference: guard.result } : {}),
      ...(error ? { error: mask.apply<ErrorJson>(error.toJSON()) } : {}),
      ...(workflow.expect ? { expected: asExpected(workflow.expect, status, rollback.verdict) } : {}),
    };
    const meant = result.expected ?? status === "passed";
    if (!always) await evidence(!meant);
    // An interrupt during the way back leaves the journal open: `recover` finishes what is written there.
    if (!options.hardStop?.aborted) journal.write({ kind: "end", status, exit, rollback: rollback.verdict });
    told.emit({ event: "run-finished", result });
    told.throwIfBroken();
    return result;
  } finally {
    observer?.close();
    await guard?.close();
    journal.close();
    unlock?.();
  }
}

/** A full disk is no reason for a run to end otherwise than it did: it is said. */
async function keepEvidence(
  observer: Observer,
  store: Artefacts,
  journal: Journal,
  emit: (event: RunEvent) => void,
): Promise<void> {
  try {
    await observer.keep(store, journal);
  } catch (thrown) {
    const { message } = toBackstepError(thrown);
    emit({ event: "note", level: "warning", message: `The evidence of the run is not kept: ${message}` });
  }
}

/** `before` and `steps`; on failure the way back that the file asks for. Answers the error, if any. */
async function main(
  workflow: Workflow,
  around: Omit<Standing, "path">,
  run: RunContext,
  options: RunOptions,
  program: Program | undefined,
): Promise<BackstepError | undefined> {
  const { plan } = options;
  try {
    if (plan && !plan.prepared) await asPlanned(plan, workflow, options, program);
    // What `before:` sets up is undone by `after:`; it is no part of what a failure takes back.
    const preparing = { ...around, ledger: new Ledger() };
    await flow(workflow.before, "before.", preparing, run);
    await program?.run("before", preparing, run);
    if (plan?.prepared) await asPlanned(plan, workflow, options, program);
  } catch (thrown) {
    const stopped = stoppedAt("before", thrown);
    await stopped.finish();
    return stopped.error;
  }
  const at = { ...around, ledger: new Ledger(run.history.length, undefined, "") };
  // Only where the desktop may be replaced is it compared, element by element, with how it was here.
  const picture = run.way === "rebuild" ? await pictureFor(run, at.app, run.budgets.settle) : undefined;
  try {
    if (workflow.onFailure === "continue") {
      const error = await allSteps(workflow, at, run);
      await stillAsLeft(run);
      return error;
    }
    await flow(workflow.steps, "", at, run);
    await program?.run("steps", at, run);
    await stillRolledBack(run);
    const soft = softFailure(run);
    if (soft) throw soft;
    await stillAsLeft(run);
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

/** Throws `drift` unless what is planned now is what was accepted. */
async function asPlanned(
  accepted: AcceptedPlan,
  workflow: Workflow,
  options: RunOptions,
  program: Program | undefined,
): Promise<void> {
  const { prepared } = accepted;
  mustBe(accepted, await planProgram(workflow, { ...options, ...(prepared ? { prepared } : {}) }, program));
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
  await takeBack(ledger, "", { toBarrier: true, reason: error, picture, ends: true }, run, flow);
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
