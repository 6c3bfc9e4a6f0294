import { BackstepError } from "../../base/error.ts";
import type { RollbackResult, WentBack } from "../../contract/events.ts";
import { bounded } from "../model/bounded.ts";
import { FlowStopped } from "../model/flow-stopped.ts";
import type { Step } from "../model/step.ts";
import { treeSnapshotFor } from "../model/unstable.ts";
import type { DueLook } from "../rollback/final-reads.ts";
import { type UndoEntry, UndoLog } from "../rollback/undo-log.ts";
import type { EarlierStep } from "../run/earlier-steps.ts";
import type { Guide } from "../run/guide.ts";
import type { RunContext } from "../run/run-context.ts";
import type { Standing } from "../run/standing.ts";
import { differencesFrom } from "./looks-as.ts";
import { meaningOf } from "./same-step.ts";
import { backTo, CannotGoBack, type DesktopState, type Rebuild } from "./go-back.ts";
import type { Point, Track } from "./track.ts";

/** Milliseconds for looking at the application before a step. */
const LOOK = 5_000;

/**
 * What toolkits say of items otherwise after the same steps (Qt of those of a combo box that was open once): no reason to refuse
 * a new desktop, but named.
 */
const OF_THE_VIEW: ReadonlySet<string> = new Set(["selected", "expanded"]);
/** Differences that are named. */
const MOST_NAMED = 20;

/** What a pass of the flow is to do. */
export interface Goal {
  /** What came after this point of the track is undone. */
  readonly limit: number | undefined;
  /** It stops before the step of this path. */
  readonly until: string | undefined;
  /** Asked before each step that is about to be done. */
  readonly asked: ((point: Point) => Promise<"go" | "stop">) | undefined;
  readonly keepsFailures: boolean;
  /** It runs on a new desktop, which is to come to this. */
  readonly expects: Rebuild | undefined;
}

/** Guides one pass of the flow: along the way that it came, to the first step that is another one now, and on from there. */
export class Pass implements Guide {
  readonly keepsFailures: boolean;
  readonly preparation: UndoLog = new UndoLog();
  readonly steps: UndoLog = new UndoLog(0, undefined, "");
  /** The flow goes the way that it came, and does nothing. */
  recalling: boolean;
  /** Before which step it stopped, and why. */
  stopped: { readonly point: Point; readonly why: "until" | "stopped" } | undefined;
  rebuild: Rebuild | undefined;
  refused: CannotGoBack | undefined;
  went: WentBack | undefined;
  due: DueLook | undefined;
  #cursor = 0;
  #expects: Rebuild | undefined;
  readonly #track: Track;
  readonly #goal: Goal;
  readonly #was: DesktopState;
  #run: RunContext | undefined;

  constructor(track: Track, was: DesktopState, goal: Goal) {
    this.#track = track;
    this.#was = was;
    this.#goal = goal;
    this.keepsFailures = goal.keepsFailures;
    this.#expects = goal.expects;
    this.recalling = track.points.length > 0 || was.entries.length > 0;
  }

  /** What stands, when the flow is at no step. */
  get standing(): readonly UndoEntry[] {
    return [...this.preparation.entries, ...this.steps.entries];
  }

  /** Whether the pass finished the flow by itself, and nothing failed. */
  get finished(): boolean {
    return this.stopped !== undefined || this.rebuild !== undefined || this.refused !== undefined;
  }

  /** With the context that the flow has, which has this pass. */
  guides(run: RunContext): void {
    this.#run = run;
  }

  async before(step: Step, at: Standing): Promise<void> {
    const run = this.#context();
    // What finished the flow is not made up for by an `after:` that goes on.
    if (this.finished) throw halt(at.path, "the run stops here");
    const meaning = meaningOf(step, at.scope, at.app);
    const chain = this.#chain(at);
    if (this.recalling) {
      const same = this.#isSame(at.path, meaning);
      if (same === "over" || (same === "begun" && !this.#moved(chain.entries))) {
        this.#cursor++;
        // Of one that was begun and did nothing yet, what is inside comes now.
        if (same === "begun") this.recalling = false;
        return;
      }
      await this.#backHere(at, chain.entries, run);
    }
    const point = await this.#pointOf(step, at, meaning, chain, run);
    await this.#arrived(point, run);
    if (this.#expects === undefined) {
      if (this.#goal.until === at.path) throw this.#stop(point, "until");
      if (await this.#goal.asked?.(point) === "stop") throw this.#stop(point, "stopped");
    }
    this.#track.reached(point);
  }

  /** The flow is at its end: what the way that it came had more was deleted. */
  async end(at: Omit<Standing, "path">, run: RunContext): Promise<void> {
    if (this.recalling && (this.#cursor < this.#track.points.length || this.#moved(this.standing))) {
      await this.#backHere({ ...at, path: "end" }, this.standing, run);
    }
    this.recalling = false;
    if (this.#expects === undefined) return;
    throw this.#refuse(this.#notBuilt(this.#expects, "it has no such step any more"));
  }

  over(path: string, done: EarlierStep): void {
    // What failed and finished the flow is done again when it goes on.
    if (done.status !== "failed" || done.result?.soft === true) this.#track.over(path, done);
  }

  chose(path: string, what: "if" | "branch" | "until", value: boolean): void {
    this.#track.chose(path, what, value);
  }

  committed(path: string, attempt: number): void {
    // On the way that it came nothing is committed once more.
    if (!this.recalling) this.#track.committed(path, attempt);
  }

  triedAgain(path: string): void {
    this.#track.triedAgain(path);
  }

  rolledBackTo(path: string, back: RollbackResult): void {
    this.#track.rolledBackTo(path, back);
  }

  /** Whether it was here, and the step is the same: it was over, or begun and others came after it, or only begun. */
  #isSame(path: string, meaning: string): "over" | "begun" | undefined {
    const { points } = this.#track;
    const recorded = points[this.#cursor];
    if (recorded === undefined || this.#cursor === this.#goal.limit) return undefined;
    if (recorded.path !== path || recorded.meaning !== meaning) return undefined;
    if (recorded.acts) return this.#track.doneAt(path) === undefined ? undefined : "over";
    return this.#cursor < points.length - 1 ? "over" : "begun";
  }

  async #backHere(at: Standing, entries: readonly UndoEntry[], run: RunContext): Promise<void> {
    const index = this.#cursor;
    const recorded = this.#track.points[index];
    const tree = recorded ? recorded.tree : this.#was.tree;
    this.recalling = false;
    // Nothing was done since, and no step that was reached is passed over: the flow just goes on.
    const rests = recorded === undefined && !this.#moved(entries);
    if (rests) return;
    try {
      const undone = await backTo(
        { path: at.path, app: at.app, index, entries, tree },
        this.#was,
        this.#track,
        run,
      );
      if ("rebuild" in undone) {
        this.rebuild = undone.rebuild;
        throw halt(at.path, "the desktop is built anew");
      }
      this.#track.cut(index);
      this.went = undone.went;
      this.due = undone.due;
      run.emit({ event: "went-back", ...undone.went });
    } catch (thrown) {
      if (!(thrown instanceof CannotGoBack)) throw thrown;
      if (thrown.broken) this.#track.cut(index);
      throw this.#refuse(thrown);
    }
  }

  #moved(entries: readonly UndoEntry[]): boolean {
    return this.#was.entries.length !== entries.length;
  }

  async #pointOf(
    step: Step,
    at: Standing,
    meaning: string,
    { entries, loose }: { readonly entries: readonly UndoEntry[]; readonly loose: boolean },
    run: RunContext,
  ): Promise<Point> {
    const operation = step.kind === "operation" ? step.operation : step.kind;
    return {
      path: at.path,
      name: run.mask.text(step.name ?? step.id ?? operation),
      operation,
      place: step.place,
      meaning,
      entries: entries.length,
      tree: await this.#track.treeAt(at.path, () => treeSnapshotFor(run, at.app, LOOK)),
      app: at.app,
      breaks: step.kind === "operation" && run.gate.traitsOf(step.operation).breaks === true,
      acts: step.kind === "operation",
      loose,
      irreversible: step.kind === "operation" && step.irreversible === true,
    };
  }

  /** A new desktop has come to where it is to be, and must look so. */
  async #arrived(point: Point, run: RunContext): Promise<void> {
    const expects = this.#expects;
    if (expects?.path !== point.path) return;
    this.#expects = undefined;
    const found = await differencesFrom(expects.tree, expects.app, run);
    const drift = found.filter(({ property }) => !OF_THE_VIEW.has(property));
    if (drift.length > 0) {
      const { participant, property } = drift[0] ?? { participant: "", property: "" };
      const error = this.#notBuilt(expects, `the new one differs in ${property} of ${participant}`, {
        drift: drift.slice(0, 10).map((one) => ({ ...one })),
      });
      throw this.#refuse(error);
    }
    const { path, why, started, actions } = expects;
    const duration_ms = Math.round(performance.now() - started);
    const beside = bounded(found.slice(0, MOST_NAMED));
    this.went = {
      path,
      verdict: "rebuilt",
      why,
      duration_ms,
      actions,
      ...(beside.length > 0 ? { beside } : {}),
    };
    run.emit({ event: "went-back", ...this.went });
  }

  #notBuilt({ path, why }: Rebuild, but: string, details?: BackstepError["details"]): CannotGoBack {
    return new CannotGoBack(
      "drift",
      `Cannot go back to before step ${path}: ${why}; the desktop was built anew, and ${but}`,
      {
        hint: "The run stands where the new desktop is. Go on from there, or begin anew.",
        ...(details ? { details } : {}),
      },
    );
  }

  #refuse(error: CannotGoBack): FlowStopped {
    this.refused = error;
    return halt(error.message, "it cannot go back");
  }

  #stop(point: Point, why: "until" | "stopped"): FlowStopped {
    this.stopped = { point, why };
    return halt(point.path, "the run stops here");
  }

  #context(): RunContext {
    if (this.#run) return this.#run;
    throw new BackstepError("internal", "Cannot guide a flow that has not begun");
  }

  /** What stands where the flow is, and whether a step here is outside of that. */
  #chain(at: Standing): { readonly entries: readonly UndoEntry[]; readonly loose: boolean } {
    const levels: UndoLog[] = [];
    for (let log: UndoLog | undefined = at.undoLog; log; log = log.parent) levels.unshift(log);
    const loose = levels[0] !== this.preparation && levels[0] !== this.steps;
    const first = levels[0] === this.preparation ? [] : this.preparation.entries;
    const own = loose ? this.steps.entries : levels.flatMap(({ entries }) => entries);
    return { entries: [...first, ...own], loose };
  }
}

/** Ends the flow without a failure: nothing is rolled back for it, and nothing makes up for it. */
function halt(path: string, why: string): FlowStopped {
  return new FlowStopped(path, new BackstepError("cancelled", `Cannot go on: ${why}`), "stop");
}
