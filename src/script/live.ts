import { catalogue } from "../catalogue.ts";
import { Deadline } from "../base/call.ts";
import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import type { RunEvent, RunListener, RunResult } from "../contract/events.ts";
import type { AuditPort, PolicyPort } from "../contract/gate.ts";
import { FinalReads } from "../engine/rollback/final-reads.ts";
import type { UndoEntry } from "../engine/rollback/undo-log.ts";
import type { Standing } from "../engine/run/standing.ts";
import type { Program } from "../engine/run/program.ts";
import { releaseInput } from "../engine/rollback/release.ts";
import type { RunContext } from "../engine/run/run-context.ts";
import { stoppedAt } from "../engine/model/flow-stopped.ts";
import { runProgram } from "../engine/run/run.ts";
import { newRunId } from "../engine/run/run-id.ts";
import type { Inside, RunOptions } from "../engine/run/run-options.ts";
import { runStep } from "../engine/run/flow.ts";
import { Scope } from "../engine/model/scope.ts";
import { toJson } from "../base/json.ts";
import type { Invocation } from "../contract/operation.ts";
import type { Step } from "../engine/model/step.ts";
import { literal } from "../engine/model/template.ts";
import { CALLS, parseToolCalls } from "../workflow/tool-calls.ts";
import { CallFailed, type LiveAnswer } from "./call-failed.ts";

export { CallFailed, type LiveAnswer } from "./call-failed.ts";

/** Actions that `ax_undo` can reach, where nobody says otherwise. */
const KEPT_ACTIONS = 500;
/** Milliseconds for one call, its waiting for a person included; who wants less says so or gives a signal. */
const CALL = 3_600_000;
/** A timer's longest time: the run itself has no end of its own. */
const ENDLESS = 2 ** 31 - 1;

/** What a live run is given: as for any run, with defaults. */
export interface LiveOptions extends
  Pick<RunOptions, "session" | "folder">,
  Partial<
    Pick<
      RunOptions,
      | "operations"
      | "state"
      | "run"
      | "keptRuns"
      | "budgets"
      | "updateBaselines"
      | "elements"
      | "vision"
      | "onInterference"
      | "listener"
    >
  >,
  Pick<Inside, "sink"> {
  /** As `backstep runs` lists it. */
  readonly name: string;
  /** Actions that an `ax_undo` can reach; default `KEPT_ACTIONS`. */
  readonly kept?: number;
}

/** How one call is made. */
export interface LiveCall {
  /** Fires: the call ends as cancelled; inside `ax_workflow` what its steps did is rolled back. */
  readonly signal?: AbortSignal;
  /** Milliseconds for all of it; default an hour. */
  readonly timeout?: number;
  /** The application that it is about, where its arguments name only one: a process id. */
  readonly app?: string;
  /** Hears the events of this call. */
  readonly listener?: RunListener;
  /** Judges its acts, beside what judges all of the run's. */
  readonly admission?: readonly PolicyPort[];
  /** Hears of its acts. */
  readonly audit?: AuditPort;
}

/**
 * A run whose steps are calls of tools that come while it runs, one after another: they share one journal and one rollback.
 * A call that fails takes nothing back by itself and ends nothing. `end` ends the run as passed: what it did stays, and
 * `backstep undo` can undo it later. Of a process that dies, `backstep recover` undoes only the call that was cut off.
 *
 * @example
 * ```ts
 * import { mkdtempSync, rmSync } from "node:fs";
 * import { openSession } from "../session/open-session.ts";
 * import { LiveRun } from "./live.ts";
 * const session = await openSession({ kind: "simulated" });
 * await session.launcher.launch("sim.settings");
 * const state = mkdtempSync("/tmp/backstep-live-");
 * const live = await LiveRun.begin({ session, folder: ".", state, name: "trial" });
 * await live.call("ax_set_value", { app: "sim.settings", query: 'textfield[name="Name"]', value: "Grace" });
 * const { output } = await live.call("ax_undo", {});
 * if (!JSON.stringify(output).includes('"undone":1')) throw new Error(JSON.stringify(output));
 * await live.end();
 * await session.close();
 * rmSync(state, { recursive: true });
 * ```
 */
export class LiveRun {
  /** The run's id, as `backstep runs` lists it. */
  readonly run: string;
  readonly #options: LiveOptions;
  readonly #at: Omit<Standing, "path">;
  readonly #context: RunContext;
  readonly #callListener: CallListener;
  readonly #finish: () => Promise<RunResult>;
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;
  #finished: Promise<RunResult> | undefined;

  private constructor(
    run: string,
    options: LiveOptions,
    inside: { at: Omit<Standing, "path">; run: RunContext },
    callListener: CallListener,
    finish: () => Promise<RunResult>,
  ) {
    this.run = run;
    this.#options = options;
    this.#at = inside.at;
    this.#context = inside.run;
    this.#callListener = callListener;
    this.#finish = finish;
  }

  /** Begins the run: its journal stands when this resolves. Rejects with what a run cannot begin with. */
  static async begin(options: LiveOptions): Promise<LiveRun> {
    const run = options.run ?? newRunId();
    const begun = Promise.withResolvers<{ at: Omit<Standing, "path">; run: RunContext }>();
    const over = Promise.withResolvers<void>();
    const program: Program = {
      async run(part, at, run) {
        if (part !== "steps") return;
        begun.resolve({ at, run });
        await over.promise;
      },
      plan: () => Promise.resolve("its steps are calls that come while it runs"),
    };
    const { name, kept: _, listener, ...rest } = options;
    const callListener: CallListener = { own: undefined };
    const empty = parseToolCalls([], { operations: [], name });
    const result = runProgram({ ...empty, file: "calls of tools", timeout: ENDLESS }, {
      operations: catalogue,
      ...rest,
      run,
      vars: {},
      surroundings: NOTHING,
      listener: (event) => {
        tell(callListener, event);
        listener?.(event);
      },
    }, program);
    result.catch(begun.reject);
    const finish = () => {
      over.resolve();
      return result;
    };
    return new LiveRun(run, options, await begun.promise, callListener, finish);
  }

  /** Actions that an `ax_undo` can reach. */
  get depth(): number {
    return this.#at.undoLog.entries.length;
  }

  /** Calls a tool once those before it are over. Rejects with `CallFailed`. */
  call(tool: string, args: Json, options: LiveCall = {}): Promise<LiveAnswer> {
    const { operations = catalogue } = this.#options;
    return this.#next(tool, () => parseToolCalls([{ tool, args }], { operations }).steps[0], options);
  }

  /** Does an operation by its neutral name once the calls before it are over. Rejects with `CallFailed`. */
  do({ operation, input }: Invocation, options: LiveCall = {}): Promise<LiveAnswer> {
    const place = { file: CALLS, line: 1, column: 1 };
    // Nobody has a word for `irreversible` here: what cannot be undone counts as declared.
    const step: Step = { kind: "operation", place, operation, input: literal(toJson(input)), raw: true };
    return this.#next(operation, () => step, options);
  }

  #next(what: string, read: () => Step | undefined, options: LiveCall): Promise<LiveAnswer> {
    const answer = this.#last.then(() => this.#call(what, read, options));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Ends the run as passed, once its last call is over. A second time answers the same. */
  end(): Promise<RunResult> {
    this.#finished ??= this.#last.then(this.#finish);
    return this.#finished;
  }

  async #call(what: string, read: () => Step | undefined, options: LiveCall): Promise<LiveAnswer> {
    if (this.#finished) {
      throw new CallFailed(new BackstepError("cancelled", `Cannot ${what}: its run is over`), undefined);
    }
    const path = String(++this.#count);
    const { admission, audit } = this.#context;
    // What a run keeps of every step is kept for one call: it may live for weeks.
    const run: RunContext = {
      ...this.#context,
      deadline: Deadline.after(options.timeout ?? CALL, options.signal),
      steps: [],
      rollbacks: [],
      history: [],
      doubts: new Set(),
      soft: [],
      finalReads: new FinalReads(),
      // Who called was told at once; nobody would hear of it at the end of the run.
      asLeft: undefined,
      admission: [...admission, ...(options.admission ?? [])],
      audit: options.audit ?? audit,
    };
    let failure: BackstepError | undefined;
    this.#callListener.own = options.listener;
    try {
      const step = read();
      if (!step) throw new BackstepError("internal", `Cannot ${what}: it is no step`);
      const app = options.app === undefined ? {} : { app: options.app };
      await runStep(step, { ...this.#at, ...app, scope: new Scope({}, NOTHING), path }, run);
    } catch (thrown) {
      const stopped = stoppedAt(path, thrown);
      failure = stopped.error;
      if (failure.code === "cancelled") await releaseInput(run);
      await stopped.finish();
    } finally {
      this.#callListener.own = undefined;
      this.#markReturned(path);
    }
    const step = run.steps.findLast((one) => one.path === path);
    const answer = step && {
      output: step.output ?? null,
      effect: step.effect,
      step,
      rollbacks: run.rollbacks,
    };
    if (failure) throw new CallFailed(failure, answer);
    if (!answer) {
      throw new CallFailed(new BackstepError("internal", `Cannot tell what ${what} came to`), undefined);
    }
    return answer;
  }

  /** Its caller knows what became of it: from here on it stays, whatever happens to this process. */
  #markReturned(path: string): void {
    const { journal, late, emit } = this.#context;
    const { entries } = this.#at.undoLog;
    const happened = entries.filter(({ outcome }) => outcome !== "failed");
    const kept: UndoEntry[] = happened.slice(-(this.#options.kept ?? KEPT_ACTIONS));
    entries.splice(0, entries.length, ...kept);
    const enrolled = new Set(kept.flatMap(({ beforeImages: images }) => images));
    for (const [key, image] of late) if (!enrolled.has(image)) late.delete(key);
    try {
      journal.write({ kind: "settled", path });
    } catch (thrown) {
      emit({ event: "note", level: "warning", message: toBackstepError(thrown).message });
    }
  }
}

/** Who hears the call that is under way. */
interface CallListener {
  own: RunListener | undefined;
}

/** Whoever fails to listen is told no more: the call goes on, and those after it are heard. */
function tell(callListener: CallListener, event: RunEvent): void {
  try {
    callListener.own?.(event);
  } catch {
    callListener.own = undefined;
  }
}

/** A client's calls may name neither variables of the environment nor secrets. */
const NOTHING = { env: () => undefined, secret: () => undefined };
