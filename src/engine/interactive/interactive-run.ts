import { Deadline } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { RunEvent, RunListener, RunResult, StepResult, WentBack } from "../../contract/events.ts";
import type { Difference } from "../../contract/participant.ts";
import type { Session } from "../../session/session.ts";
import { FlowStopped, stoppedAt } from "../model/flow-stopped.ts";
import { Scope } from "../model/scope.ts";
import type { OperationStep } from "../model/step.ts";
import type { TreeSnapshot } from "../model/tree-snapshot.ts";
import { treeSnapshotFor } from "../model/unstable.ts";
import { stillAsLeft } from "../rollback/as-left.ts";
import { releaseInput } from "../rollback/release.ts";
import { UndoLog } from "../rollback/undo-log.ts";
import { endRun } from "../run/end-run.ts";
import { afterwards } from "../run/flow.ts";
import { type OpenRun, openRun } from "../run/open-run.ts";
import { perform } from "../run/perform.ts";
import { rollBackSteps } from "../run/roll-back-steps.ts";
import type { RunContext } from "../run/run-context.ts";
import { softFailure } from "../run/soft-failure.ts";
import { type Branch, type Fork, forked, mustFork } from "./fork.ts";
import type { FileNow, GoOn, InteractiveOptions, ReachedStep, Stop } from "./steering.ts";
import { LookLater } from "./look-later.ts";
import { differencesFrom } from "./looks-as.ts";
import { mustFit } from "./must-fit.ts";
import { outwardOf } from "./outward.ts";
import { Pass } from "./pass.ts";
import { replaceDesktop } from "./replace-desktop.ts";
import type { DesktopState, Rebuild } from "./go-back.ts";
import { type Point, Track } from "./track.ts";

/** The time of a flow that a person stops and lets go on: a timer's longest. */
const ENDLESS = 2 ** 31 - 1;
/** Milliseconds for looking at the application where the flow stops. */
const LOOK = 5_000;

/**
 * A run whose desktop stays. It goes on and stops, goes back to before any step that it has reached, and goes on from there with
 * the same steps or with others. Going back is a rollback by the run's own undo log, read back; where that cannot be, the private
 * desktop is replaced and the steps before are run again. Each method is called once those before it are over.
 */
export class InteractiveRun {
  readonly run: string;
  readonly options: InteractiveOptions;
  #file: FileNow;
  readonly #opened: OpenRun;
  readonly #started = performance.now();
  readonly #track = new Track();
  readonly #later: LookLater;
  #was: DesktopState = { entries: [], history: [], tree: undefined };
  #stop: Stop | undefined;
  /** What the files that were left in the middle still have to do. */
  #unfinished: FlowStopped | undefined;
  #scope: Scope;
  #tried = 0;
  #last: Promise<unknown> = Promise.resolve();
  #finished = false;

  private constructor(options: InteractiveOptions, opened: OpenRun) {
    this.options = options;
    this.#file = options.file;
    this.#opened = opened;
    this.run = opened.context.run;
    this.#scope = opened.at.scope;
    this.#later = new LookLater(opened.context);
  }

  /** Begins a run before its first step. @throws {BackstepError} `io` where the journal cannot be written. */
  static async begin(options: InteractiveOptions): Promise<InteractiveRun> {
    const { file, ...rest } = options;
    return new InteractiveRun(options, await openRun(file.workflow, { ...rest, vars: file.vars }));
  }

  get session(): Session {
    return this.#opened.context.session;
  }

  get file(): FileNow {
    return this.#file;
  }

  /** Where it stands; undefined: it has not begun, or runs. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Every step that it has reached and that stands, in order. */
  get steps(): readonly ReachedStep[] {
    return this.#track.points.map((point) => shown(point, this.#track.doneAt(point.path)?.result));
  }

  /**
   * Goes on from where it stands. The steps that are the same as they were are not done again; at the first that is another one
   * the desktop goes back to before it. What was tried beside the steps is undone first.
   *
   * @throws {BackstepError} `barrier`, `unsupported` or `drift` where it cannot go back; `unsupported` where the file now says
   * something that only a new run can do. Nothing was done then, but for `drift`.
   */
  goOn(options: GoOn = {}): Promise<Stop> {
    return this.#inTurn(() => this.#goOn(options));
  }

  /**
   * Goes back to before a step that it has reached: "3", "2.1", "before.1".
   *
   * @throws {BackstepError} `not_found`: it has not reached that step. `barrier`, `unsupported` or `drift` as `goOn`.
   */
  goBack(path: string, options: Pick<GoOn, "signal"> = {}): Promise<WentBack> {
    return this.#inTurn(async () => {
      const { went } = await this.#pass({ ...options, until: path }, this.#indexOf(path));
      if (went) return went;
      const nothing: WentBack = { path, verdict: "none", duration_ms: 0, actions: 0 };
      return nothing;
    });
  }

  /**
   * Runs the steps before a step again on new desktops, one a branch, compares each with how this one was there, and goes on
   * with the branch's own steps. This run stays as it is. Whoever asked ends and closes each.
   *
   * @throws {BackstepError} `not_found`: it has not reached that step. `barrier`: a step before it reached outside.
   */
  fork(path: string, branches: readonly Branch[]): Promise<Fork<InteractiveRun>[]> {
    return this.#inTurn(async () => {
      const index = this.#indexOf(path);
      const { points } = this.#track;
      const here = points[index] ?? { tree: this.#was.tree, app: this.#file.workflow.app };
      mustFork(
        path,
        outwardOf(points.slice(0, index), this.#was.entries, this.#track, this.#opened.context.gate),
      );
      const { run: _, listener: __, ...rest } = this.options;
      const begin = (session: Session, listener: RunListener | undefined) =>
        InteractiveRun.begin({ ...rest, session, file: this.#file, ...defined({ listener }) });
      return await Promise.all(branches.map((branch) => forked(branch, { path, ...here }, begin)));
    });
  }

  /** In what its application differs from how another one's was, once it had its time. */
  differs(tree: TreeSnapshot | undefined, app: string | undefined): Promise<readonly Difference[]> {
    return this.#inTurn(() => differencesFrom(tree, app, this.#context(ENDLESS, undefined)));
  }

  /** Does something beside the steps, where it stands: it is undone before the run goes on. What it fails with is in the result. */
  try(step: OperationStep): Promise<StepResult> {
    return this.#inTurn(async () => {
      const run = this.#context(ENDLESS, undefined);
      run.history.splice(0, Infinity, ...this.#was.history);
      const undoLog = new UndoLog(run.history.length, undefined, "");
      const at = {
        ...this.#opened.at,
        ...defaultApp(this.#file),
        scope: this.#scope,
        undoLog,
        file: undefined,
      };
      const path = `try.${++this.#tried}`;
      await this.#later.callOff();
      try {
        return await perform(step, { ...at, path }, run);
      } catch (thrown) {
        const result = run.steps.findLast((one) => one.path === path);
        if (!result) throw thrown;
        return result;
      } finally {
        this.#was = { ...this.#was, entries: [...this.#was.entries, ...undoLog.entries] };
      }
    });
  }

  /** Ends the run: `rollback` undoes its steps first. What `after:` says is done in any case. The desktop stays its owner's. */
  end(options: { readonly rollback?: boolean; readonly signal?: AbortSignal } = {}): Promise<RunResult> {
    return this.#inTurn(async () => {
      this.#finished = true;
      try {
        return await this.#end(options);
      } finally {
        await this.#opened.close();
      }
    });
  }

  async #goOn(options: GoOn): Promise<Stop> {
    if (options.file) {
      mustFit(this.#file.workflow, options.file.workflow);
      this.#file = options.file;
    }
    return await this.#pass(options, undefined);
  }

  /** Lets the flow go the way that it came, and on. */
  async #pass(options: GoOn, limit: number | undefined, expects?: Rebuild): Promise<Stop> {
    await this.#later.callOff();
    this.#stop = undefined;
    const { asked } = options;
    const track = this.#track;
    const pass = new Pass(track, this.#was, {
      limit,
      until: options.until,
      asked: asked && ((point) => asked(shown(point, undefined))),
      keepsFailures: this.#file.program === undefined,
      expects,
    });
    const { timeout } = this.#file.workflow;
    const { budgets } = this.#opened.context;
    const time = asked ? ENDLESS : timeout ?? budgets.flow;
    const run: RunContext = {
      ...this.#context(time, options.signal),
      memory: track,
      guide: pass,
      emit: (event: RunEvent) => {
        // A transaction in which the run stops is neither committed nor not: it goes on with it.
        const halfway = event.event === "transaction-finished" && pass.stopped !== undefined;
        if (!pass.recalling && !halfway) this.#opened.context.emit(event);
      },
    };
    pass.guides(run);
    track.begin(this.#was.entries, this.#was.history);
    run.history.length = 0;
    const failure = await this.#flow(pass, run);
    if (pass.rebuild) return await this.#anew(options, pass.rebuild, run);
    if (pass.refused && !pass.refused.broken && expects === undefined) {
      // Nothing was touched: it stands where it stood.
      run.history.splice(0, Infinity, ...this.#was.history);
      throw pass.refused;
    }
    const next = pass.stopped?.point ??
      (failure
        ? track.points.findLast(({ path }) => path === failure.path) ?? track.points.at(-1)
        : undefined);
    const tree = pass.stopped?.point.tree ?? await this.#look(run);
    this.#was = { entries: [...pass.standing], history: [...run.history], tree };
    this.#later.begin(pass.due, pass.went, this.#was.entries);
    if (failure?.error.code === "cancelled" && !pass.finished) await releaseInput(run);
    this.#unfinished = failure;
    const why = pass.stopped?.why ??
      (!failure ? "end" : failure.error.code === "cancelled" ? "cancelled" : "failed");
    this.#stop = {
      why,
      ...(next
        ? { next: { path: next.path, name: next.name, operation: next.operation, place: next.place } }
        : {}),
      ...(failure && !pass.stopped ? { error: pass.refused ?? failure.error } : {}),
      ...(pass.went ? { went: pass.went } : {}),
    };
    this.#tellStop(this.#stop);
    if (pass.refused) throw pass.refused;
    return this.#stop;
  }

  /** All parts but `after:`. Answers what stopped it; undefined: it is at its end. */
  async #flow(pass: Pass, run: RunContext): Promise<FlowStopped | undefined> {
    const { workflow, program, vars } = this.#file;
    this.#scope = new Scope(vars, this.options.surroundings);
    const at = { ...this.#opened.at, ...defaultApp(this.#file), scope: this.#scope };
    try {
      const preparing = { ...at, undoLog: pass.preparation };
      await run.flow(workflow.before, "before.", preparing, run);
      await program?.run("before", preparing, run);
      const own = { ...at, undoLog: pass.steps };
      await run.flow(workflow.steps, "", own, run);
      await program?.run("steps", own, run);
      await pass.end(own, run);
      const soft = softFailure(run);
      if (soft) throw soft;
      await stillAsLeft(run);
      return undefined;
    } catch (thrown) {
      return stoppedAt("", thrown);
    }
  }

  /** On a new desktop, from the first step on. */
  async #anew(options: GoOn, rebuild: Rebuild, run: RunContext): Promise<Stop> {
    await replaceDesktop(rebuild, this.#was, this.#opened.context, run);
    this.#track.cut(0);
    this.#was = { entries: [], history: [], tree: undefined };
    return await this.#pass(options, undefined, rebuild);
  }

  async #end(
    { rollback = false, signal }: { readonly rollback?: boolean; readonly signal?: AbortSignal },
  ): Promise<RunResult> {
    await this.#later.finish();
    const { workflow, program } = this.#file;
    const run = this.#context(this.#opened.context.budgets.flow, signal);
    run.steps.push(...this.steps.flatMap(({ result }) => result ?? []));
    const stop = this.#stop;
    const error = stop?.error ?? (stop?.why === "end" ? undefined : new BackstepError(
      "cancelled",
      `Cannot pass: the run was ended before ${stop?.next ? `step ${stop.next.path}` : "its first step"}`,
    ));
    const entries = this.#was.entries.filter((entry) => !entry.path.startsWith("before."));
    if (rollback && entries.length > 0) {
      const log = new UndoLog(0, undefined, "");
      log.entries.push(...entries);
      await rollBackSteps(log, "", { toBarrier: true, ...(error ? { reason: error } : {}) }, run);
    }
    await this.#unfinished?.finish();
    const at = { ...this.#opened.at, ...defaultApp(this.#file), scope: this.#scope };
    const after = await afterwards(workflow.after, "after.", at, run, program);
    const { file: _, ...rest } = this.options;
    const given = { ...rest, vars: this.#file.vars };
    const result = await endRun(workflow, given, this.#opened, {
      error: error ?? after,
      started: this.#started,
    });
    this.#opened.listener.throwIfBroken();
    return result;
  }

  #context(time: number, signal: AbortSignal | undefined): RunContext {
    const { context } = this.#opened;
    context.steps.length = 0;
    context.soft.length = 0;
    return { ...context, deadline: Deadline.after(time, signal) };
  }

  async #look(run: RunContext): Promise<TreeSnapshot | undefined> {
    const looking = { ...run, deadline: Deadline.after(LOOK) };
    return await treeSnapshotFor(looking, this.#file.workflow.app, LOOK);
  }

  #tellStop({ why, next }: Stop): void {
    if (!next || why === "end") return;
    const { path, name, operation } = next;
    const shownAs = why === "cancelled" ? "stopped" : why;
    this.#opened.context.emit({ event: "paused", path, name, operation, why: shownAs });
  }

  #indexOf(path: string): number {
    const { points } = this.#track;
    const index = points.findIndex((point) => point.path === path);
    if (index >= 0) return index;
    if (this.#stop?.next?.path === path) return points.length;
    const reached = points.map((point) => point.path);
    throw new BackstepError("not_found", `Cannot go to step ${path}: the run has not reached it`, {
      hint: reached.length === 0
        ? "It has reached none."
        : `It has reached ${reached.slice(-20).join(", ")}.`,
    });
  }

  #inTurn<R>(action: () => Promise<R>): Promise<R> {
    const result = this.#last.then(() => {
      if (this.#finished) {
        throw new BackstepError("cancelled", `Cannot go on with run ${this.run}: it was ended`);
      }
      return action();
    });
    this.#last = result.catch((thrown: unknown) => void toBackstepError(thrown));
    return result;
  }
}

function defaultApp({ workflow }: FileNow): { app: string | undefined } {
  return { app: workflow.app };
}

function shown({ path, name, operation, place, breaks }: Point, result: StepResult | undefined): ReachedStep {
  return { path, name: result?.name ?? name, operation, place, breaks, result };
}
