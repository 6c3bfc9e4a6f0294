import { Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { RunEvent, RunResult } from "../../contract/events.ts";
import type { InteractiveRun } from "../../engine/interactive/interactive-run.ts";
import type { FileNow, Stop } from "../../engine/interactive/steering.ts";
import type { Session } from "../../session/session.ts";
import { harmless } from "../../report/style.ts";
import type { Io } from "../io.ts";
import type { LoadedFile } from "../workflow-file.ts";
import type { Debugger, Pace } from "./debugger.ts";
import { fileOf } from "./file-of.ts";
import { HELP, type Order } from "./orders.ts";
import type { Save } from "./watch-files.ts";

/** Milliseconds for looking at the desktop for a person. */
const LOOK = 10_000;

/** What a steered run is given. */
export interface Steered {
  readonly run: InteractiveRun;
  readonly session: Session;
  readonly loaded: LoadedFile;
  readonly debugger: Debugger;
  readonly io: Io;
  /** Reads the file anew, after a save. */
  reload?(): Promise<LoadedFile>;
  /** Reads another file, for a fork. */
  load(file: string): Promise<LoadedFile>;
  /** A new private desktop of the same kind, for a fork. */
  open(): Promise<Session>;
  /** What the run's events go to, beside this. */
  readonly report: (event: RunEvent) => void;
  /** It ends when all steps passed. */
  readonly endsAtTheEnd: boolean;
}

/** Steers a run by what a person types and saves, until it is to end. */
export class Steering {
  readonly #given: Steered;
  readonly #io: Io;
  #loaded: LoadedFile;
  #running: { readonly over: Promise<void>; readonly off: AbortController } | undefined;
  #queue: Promise<void> = Promise.resolve();
  readonly #over = Promise.withResolvers<void>();
  #save: Save | undefined;
  /** What is done now leads a new desktop to where the old one was. */
  #building = false;
  #failure: unknown;
  #finished = false;
  /** The file says something now that only a new run can do. */
  anew: LoadedFile | undefined;

  constructor(given: Steered) {
    this.#given = given;
    this.#io = given.io;
    this.#loaded = given.loaded;
  }

  /** Begins at the pace of the debugger. */
  begin(): void {
    this.#then(() => this.#go());
  }

  /** Resolves when it is to end. */
  async until(stop: AbortSignal): Promise<void> {
    const end = () => this.heard({ do: "quit" });
    stop.addEventListener("abort", end);
    try {
      await this.#over.promise;
      this.#running?.off.abort();
      await this.#running?.over;
      if (this.#failure !== undefined) throw this.#failure;
    } finally {
      stop.removeEventListener("abort", end);
    }
  }

  /** The result, once it is to end. */
  async end(rollback: boolean): Promise<RunResult> {
    return await this.#given.run.end({ rollback });
  }

  heard(order: Order): void {
    // These are heard while the run goes; what else is typed waits until it stops.
    if (order.do === "stop" || order.do === "quit") this.#running?.off.abort();
    if (order.do === "quit") return this.#finish();
    this.#then(async () => {
      await this.#running?.over;
      if (!this.#finished) await this.#follow(order);
    });
  }

  saved(save: Save): void {
    this.#running?.off.abort();
    this.#then(async () => {
      await this.#running?.over;
      if (!this.#finished) await this.#reload(save);
    });
  }

  /** Hears the run's events: what a save led to is reported with how long that took. */
  event(event: RunEvent): void {
    // The end of a run that watches says nothing: how far it came was seen.
    if (event.event !== "run-finished" || this.#given.endsAtTheEnd) this.#given.report(event);
    this.#io.json(event);
    if (event.event === "rebuilding") this.#building = true;
    if (event.event === "went-back") this.#building = false;
    if (event.event !== "step-finished" || this.#save === undefined || this.#building) return;
    const ms = Math.round(Date.now() - this.#save.at);
    this.#save = undefined;
    const { path } = event.step;
    this.#io.json({ event: "live", path, ms });
    this.#io.text(this.#io.style.dim(`  step ${path} is live ${ms} ms after the save\n`));
  }

  #finish(): void {
    this.#finished = true;
    this.#over.resolve();
  }

  /** Whatever comes after its end is not done. */
  #then(action: () => Promise<void>): void {
    const unlessOver = () => this.#finished ? Promise.resolve() : action();
    this.#queue = this.#queue.then(unlessOver).catch((thrown: unknown) => this.#tell(thrown));
  }

  #tell(thrown: unknown): void {
    const error = toBackstepError(thrown);
    if (error.code === "unsupported" && error.details?.["key"] !== undefined) {
      this.#io.note(`${error.message}: a new run begins`);
      this.anew = this.#loaded;
      return this.#finish();
    }
    if (error.code === "internal") {
      this.#failure = thrown;
      return this.#finish();
    }
    this.#io.error(error.toJSON());
  }

  async #reload(save: Save): Promise<void> {
    const { reload } = this.#given;
    if (!reload) return;
    this.#io.json({ event: "saved", path: save.path });
    this.#loaded = await reload();
    this.#save = save;
    this.#building = false;
    await this.#go(fileOf(this.#loaded));
  }

  /** Goes on; answers when it has begun, so that a save can stop it. */
  #go(file?: FileNow, pace?: Pace): Promise<void> {
    const { run, debugger: debug } = this.#given;
    const from = run.stop?.next?.path;
    if (pace) debug.goOn(pace, from);
    const off = new AbortController();
    const asked = (step: Parameters<Debugger["asked"]>[0]) => Promise.resolve(debug.asked(step));
    const over = run.goOn({ signal: off.signal, asked, ...defined({ file }) })
      .then((stop) => this.#stopped(stop), (thrown: unknown) => this.#tell(thrown));
    this.#running = { over, off };
    return Promise.resolve();
  }

  /** Tells a program where it stands now. */
  #stands(): void {
    const { stop } = this.#given.run;
    if (stop) this.#tellStop(stop);
  }

  #tellStop(stop: Stop): void {
    this.#io.json({
      event: "stopped",
      why: stop.why,
      ...defined({ next: stop.next?.path, went: stop.went }),
      ...(stop.error ? { error: stop.error.toJSON() } : {}),
    });
  }

  #stopped(stop: Stop): void {
    this.#tellStop(stop);
    if (stop.why === "end") {
      if (this.#given.endsAtTheEnd) return this.#finish();
      this.#io.text(`${this.#io.style.good("✓")} all steps passed; the desktop stays\n`);
    }
    this.#save = undefined;
  }

  async #follow(order: Order): Promise<void> {
    const { run, session } = this.#given;
    switch (order.do) {
      case "go":
        return await this.#go(undefined, order.pace);
      case "back":
        await run.goBack(order.to ?? this.#lastDone());
        return this.#stands();
      case "again": {
        const first = run.steps[0]?.path;
        if (first !== undefined) await run.goBack(first);
        return await this.#go(undefined, "continue");
      }
      case "undo": {
        const at = run.stop?.next?.path;
        if (at !== undefined) await run.goBack(at);
        return this.#stands();
      }
      case "try":
        return await this.#try(order.step);
      case "fork":
        return await this.#fork(order.at, order.files);
      case "steps":
        return this.#list();
      case "help":
        for (const [what, why] of HELP) this.#io.text(`  ${what.padEnd(20)} ${this.#io.style.dim(why)}\n`);
        return;
      case "explain": {
        const { explained } = await import("../commands/explain.ts");
        const { app } = this.#loaded.workflow;
        return void await explained(session, app, order.selector, Deadline.after(LOOK), this.#io);
      }
      case "match":
        return await this.#match(order.selector);
      case "end":
        return this.#finish();
      case "stop":
      case "quit":
      case "nothing":
        return;
    }
  }

  #lastDone(): string {
    const { steps, stop } = this.#given.run;
    const at = steps.findLastIndex(({ path, result }) => result !== undefined && path !== stop?.next?.path);
    const step = steps[at];
    if (step) return step.path;
    throw new BackstepError("not_found", "Cannot go back: no step was done");
  }

  async #match(selector: string): Promise<void> {
    const { matches } = await import("../commands/selector.ts");
    const { applicationFor } = await import("../../operations/application.ts");
    const { session } = this.#given;
    const deadline = Deadline.after(LOOK);
    const { app } = this.#loaded.workflow;
    const where = { session, desktop: session.desktop, deadline, app };
    await matches(session, await applicationFor(where, undefined), selector, deadline, this.#io);
  }

  async #try(text: string): Promise<void> {
    const { typedStep } = await import("./try-step.ts");
    const result = await this.#given.run.try(await typedStep(text, this.#loaded));
    if (result.status === "passed") {
      this.#io.text(this.#io.style.dim("  it is undone before the run goes on, or by `undo`\n"));
    }
  }

  #list(): void {
    for (const { path, name, result } of this.#given.run.steps) {
      const { style } = this.#io;
      const mark = result === undefined
        ? style.dim("·")
        : result.status === "passed"
        ? style.good("✓")
        : style.dim("–");
      this.#io.text(`  ${mark} ${path.padEnd(8)} ${harmless(name)}\n`);
    }
    this.#io.json({ event: "steps", steps: this.#given.run.steps });
  }

  async #fork(at: string, files: readonly string[]): Promise<void> {
    const { forkInto } = await import("./forks.ts");
    const { load, open, run } = this.#given;
    const names = files.length === 0 ? [this.#loaded.workflow.file] : files;
    const branches = [];
    for (const name of names) branches.push({ name, loaded: await load(name) });
    await forkInto(run, at, branches, open, this.#io);
  }
}
