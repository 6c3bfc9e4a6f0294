import { toBackstepError } from "../base/error.ts";
import type { Operation } from "../contract/operation.ts";
import { describeRow } from "../desktop/describe.ts";
import type { Application, Desktop } from "../desktop/desktop.ts";
import type { ButtonInput, InputEvent, InputRecording, WheelInput } from "../desktop/input-events.ts";
import type { Session } from "../session/session.ts";
import { Acts } from "./acts.ts";
import { Clock } from "./clock.ts";
import { type Gesture, Gestures, type Heard, type Point } from "./gestures.ts";
import type { Look } from "./look.ts";
import { Made } from "./made.ts";
import type { MakerOptions } from "./maker.ts";
import { Observer } from "./observer.ts";
import type { Recording } from "./output/model.ts";
import { OwnTerminal } from "./own-terminal.ts";
import { Presses } from "./presses.ts";
import { shownAt } from "./shown-at.ts";
import type { OnStep } from "./steps.ts";
import { takeLast, type Undone, type UndoStep } from "./undo-last.ts";
import { Texts } from "./texts.ts";

/** How to record. */
export interface RecorderOptions {
  /** Name of the recording. */
  readonly name: string;
  /** What a step can be: the catalogue. */
  readonly operations: Iterable<Operation>;
  /** The application that steps are about where they name none, as `launch` takes it. */
  readonly app?: string;
  /** A step came, or the last one became another or none. */
  readonly onStep?: OnStep;
  /** A step names an element by a selector. */
  readonly onTarget?: NonNullable<MakerOptions["onTarget"]>;
}

/** Milliseconds of one wait for input. */
const WAIT = 1_000;

/** Milliseconds in which a button that is held must be let go before a recording pauses. */
const HELD = 5_000;

/** Makes steps of a workflow of what a person does on a desktop. */
export class Recorder {
  readonly #desktop: Desktop;
  readonly #inputs: InputRecording;
  readonly #observer: Observer;
  readonly #acts: Acts;
  readonly #options: RecorderOptions;
  readonly #gestures = new Gestures();
  readonly #clock = new Clock();
  readonly #presses: Presses;
  readonly #stop = new AbortController();
  readonly #failure = Promise.withResolvers<never>();
  #queue: Promise<void> = Promise.resolve();
  #pump: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #texts: Texts;
  readonly #made: Made;
  /** What the act that is made a step of began with. */
  #look: Look | undefined;
  /** Only what is done from one moment to the other is recorded. */
  #span = { from: -Infinity, until: Infinity };
  readonly #own: OwnTerminal;
  #released = Promise.withResolvers<void>();

  private constructor(session: Session, inputs: InputRecording, options: RecorderOptions) {
    this.#desktop = session.desktop;
    this.#inputs = inputs;
    this.#options = options;
    this.#failure.promise.catch(() => {}); // reported by `failed` to whoever asks
    this.#observer = new Observer(this.#desktop, {
      focused: (focus) => {
        // What stands there is read before anything can be typed.
        this.#texts.note(focus).catch((error: unknown) => this.#fail(error));
      },
      appeared: (application) => this.#came(application),
      gone: (application) => this.#acts.gone(application),
      failed: (error) => this.#fail(error),
    });
    this.#own = new OwnTerminal(this.#observer);
    this.#presses = new Presses(this.#desktop, this.#observer);
    this.#texts = new Texts(this.#desktop, this.#observer);
    this.#made = new Made(options.operations, this.#texts);
    this.#acts = new Acts(session, this.#observer, {
      ...options,
      onStep: (step, replaces) => {
        this.#made.heard(step, replaces, this.#look);
        options.onStep?.(step, replaces);
      },
    });
  }

  /** Begins to record; resolves when every application was looked at once. */
  static async start(
    session: Session,
    inputs: InputRecording,
    options: RecorderOptions,
  ): Promise<Recorder> {
    const recorder = new Recorder(session, inputs, options);
    try {
      await recorder.#observer.start({});
      await recorder.#texts.note(recorder.#observer.reported.focus());
    } catch (error) {
      await recorder.abandon();
      throw error;
    }
    recorder.#acts.begin();
    recorder.#pump = recorder.#listen();
    return recorder;
  }

  /** Rejects when the recording cannot go on. */
  get failed(): Promise<never> {
    return this.#failure.promise;
  }

  /** Resolves when everything that was done so far is a step. */
  async idle(): Promise<void> {
    for (let queue = undefined; queue !== this.#queue;) {
      queue = this.#queue;
      await queue;
    }
  }

  /** Nothing is recorded at the moment. */
  get paused(): boolean {
    return this.#span.until !== Infinity;
  }

  /**
   * What was done so far becomes steps, with the text that is being typed; what is done from here on does not, until
   * `resume`. A button that is held is let go first.
   */
  async pause(): Promise<void> {
    if (this.paused) return;
    await this.#flush(performance.now());
    this.#acts.pause();
  }

  /** Records on from here, in what there is now. */
  async resume(): Promise<void> {
    if (!this.paused || this.#stop.signal.aborted) return;
    await this.#lookAgain();
    this.#take();
    this.#acts.begin();
    this.#span = { from: performance.now(), until: Infinity };
  }

  /** Everything until a moment becomes steps, once the applications have shown what came of it. */
  async #flush(until: number): Promise<void> {
    this.#span = { from: this.#span.from, until };
    const focus = this.#observer.reported.focus();
    // The last key may be on its way still: what it types is read once it stands there.
    if (focus !== undefined) await this.#observer.atRest(focus.bus, until);
    this.#take();
    await this.#letGo();
    for (const gesture of this.#gestures.flush()) this.#enqueue(gesture);
    await this.idle();
  }

  async #letGo(): Promise<void> {
    if (!this.#gestures.pressed) return;
    this.#released = Promise.withResolvers();
    const limit = setTimeout(() => this.#released.resolve(), HELD);
    try {
      await Promise.race([this.#released.promise, this.failed]);
    } finally {
      clearTimeout(limit);
      this.#gestures.forget();
    }
  }

  async #lookAgain(): Promise<void> {
    const now = performance.now();
    await Promise.all(this.#observer.applications.map(({ bus }) => this.#observer.atRest(bus, now)));
    await this.#texts.note(this.#observer.reported.focus());
  }

  /**
   * Undoes the last step: on the desktop by `undo`, and takes it out of the recording. Where it cannot be undone it stays,
   * and why is said; `recordOnly` takes it out of the recording alone.
   */
  async undoLast(undo: UndoStep, { recordOnly = false } = {}): Promise<Undone> {
    const paused = this.paused;
    if (!paused) await this.pause();
    try {
      return await takeLast(this.#made, () => this.#acts.takeLast(), undo, recordOnly);
    } finally {
      if (!paused) await this.resume();
    }
  }

  /** Adds an assertion of the element at a place of the screen; answers what is there, undefined: nothing that can be named. */
  async check(at: Point): Promise<string | undefined> {
    await this.idle();
    const shown = await shownAt(this.#desktop, this.#observer, at);
    if (shown === undefined) return undefined;
    const { look, row, holds } = shown;
    return await this.#acts.check(look, row, holds) ? describeRow(look.snapshot, row) : undefined;
  }

  /** Ends: what was done so far becomes steps; then nothing is watched any more. */
  async stop(): Promise<Recording> {
    // What was done while it paused is no part of it, nor what came since.
    const { paused } = this;
    // A question to the display is answered after all that was done before it.
    await this.#observer.refresh();
    this.#take();
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#pump;
    await this.#inputs.close();
    for (const gesture of this.#gestures.flush()) this.#enqueue(gesture);
    try {
      await this.idle();
      if (!paused) await this.#acts.end();
    } finally {
      await this.#observer.close();
    }
    return { ...this.#acts.recording(this.#options.name), steps: this.#made.steps };
  }

  /** Ends at once, without the steps: nobody wants them any more. */
  async abandon(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await Promise.all([this.#pump, this.#inputs.close(), this.#observer.close()]);
    await this.idle();
  }

  #came(application: Application): void {
    this.#queue = this.#queue.then(() => this.#acts.came(application)).catch((error) => this.#fail(error));
  }

  async #listen(): Promise<void> {
    try {
      while (!this.#stop.signal.aborted) {
        const came = await this.#inputs.next({ timeout: WAIT, signal: this.#stop.signal });
        if (came === "lost") this.#acts.lost();
        this.#take();
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#fail(error);
    }
  }

  #take(): void {
    const now = performance.now();
    for (const event of this.#inputs.take()) {
      const own = this.#clock.own(event, now);
      const { from, until } = this.#span;
      // What lets a button go belongs to what pressed it.
      const ends = own.what === "button" && !own.down && this.#gestures.pressed;
      if (own.time < from || own.time > until && !ends || this.#own.takes(own)) continue;
      this.#heard(own);
    }
    if (!this.#gestures.pressed) this.#released.resolve();
    this.#schedule();
  }

  /** Everything that has to be known at once is asked here: a moment later the application shows something else. */
  #heard(event: InputEvent): void {
    if (event.what === "rest") {
      void this.#observer.refresh();
      this.#presses.rests(event);
      return;
    }
    this.#observer.acted(performance.now());
    if (event.what === "text") {
      this.#observer.typedAt = event.time;
      this.#acts.typed(event.time);
    }
    const edit = event.what === "key" && this.#acts.editsField(event);
    if (event.what === "button" && event.down) this.#acts.leaveField();
    if (event.what === "button" || event.what === "wheel") this.#note(event);
    else if (event.what === "key" && !edit) this.#acts.leaveField();
    const heard: Heard = edit ? { what: "text", time: event.time } : event;
    for (const gesture of this.#gestures.push(heard)) this.#enqueue(gesture);
  }

  #note(event: ButtonInput | WheelInput): void {
    this.#presses.note(event);
    const press = this.#presses.at(event.time);
    if (event.what === "button" && event.down && press) this.#acts.pressed(press);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const due = this.#gestures.due;
    if (due === undefined || this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => {
      for (const gesture of this.#gestures.flushDue(performance.now() + 1)) this.#enqueue(gesture);
      this.#schedule();
    }, Math.max(1, due - performance.now()));
  }

  #enqueue(gesture: Gesture): void {
    const pressed = this.#presses.at(gesture.from);
    const act = this.#acts.prepare(gesture, pressed, this.#presses.at(gesture.until));
    const typed = gesture.do === "key" || gesture.do === "typing";
    const focus = this.#observer.reported.focus();
    const look = !typed ? pressed?.look : focus &&
      (this.#observer.looks.before(focus.bus, gesture.from) ?? this.#observer.looks.latest(focus.bus));
    this.#queue = this.#queue.then(async () => {
      this.#look = look;
      await act();
      // Of what an act empties, or fills in, nobody tells.
      if (!this.#gestures.typing) await this.#texts.note(this.#observer.reported.focus());
    }).catch((error) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#failure.reject(toBackstepError(error));
    this.#stop.abort();
  }
}
