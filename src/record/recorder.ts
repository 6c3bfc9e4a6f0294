import { toBackstepError } from "../base/error.ts";
import type { Application, Desktop } from "../desktop/desktop.ts";
import type { ButtonInput, InputEvent, InputRecording, WheelInput } from "../desktop/input-events.ts";
import type { Session } from "../session/session.ts";
import { Acts } from "./acts.ts";
import { Clock } from "./clock.ts";
import { type Gesture, Gestures, type Heard, WHEEL_ENDS } from "./gestures.ts";
import type { Recording } from "./output/model.ts";
import type { OnStep } from "./steps.ts";
import { Observer } from "./observer.ts";
import { notePress, type Press, type Rest, rest } from "./press.ts";

/** How to record. */
export interface RecorderOptions {
  /** Name of the recording. */
  readonly name: string;
  /** The application that steps are about where they name none, as `launch` takes it. */
  readonly app?: string;
  /** A step came, or the last one became another or none. */
  readonly onStep?: OnStep;
}

/** Milliseconds of one wait for input. */
const WAIT = 1_000;
/** Presses whose witness is kept. */
const PRESSES = 16;
/** Pixels that a pointer moves during a click. */
const STILL = 8;

/** Makes steps of a workflow of what a person does on a desktop. */
export class Recorder {
  readonly #desktop: Desktop;
  readonly #inputs: InputRecording;
  readonly #observer: Observer;
  readonly #acts: Acts;
  readonly #options: RecorderOptions;
  readonly #gestures = new Gestures();
  readonly #clock = new Clock();
  readonly #presses: Press[] = [];
  /** When the wheel was turned last. */
  #wheeled = -Infinity;
  #rest: Rest | undefined;
  readonly #stop = new AbortController();
  readonly #failure = Promise.withResolvers<never>();
  #queue: Promise<void> = Promise.resolve();
  #pump: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(session: Session, inputs: InputRecording, options: RecorderOptions) {
    this.#desktop = session.desktop;
    this.#inputs = inputs;
    this.#options = options;
    this.#failure.promise.catch(() => {}); // reported by `failed` to whoever asks
    this.#observer = new Observer(this.#desktop, {
      appeared: (application) => this.#came(application),
      gone: (application) => this.#acts.gone(application),
      failed: (error) => this.#fail(error),
    });
    this.#acts = new Acts(session, this.#observer, options);
  }

  /** Begins to record; resolves when every application was looked at once. */
  static async start(
    session: Session,
    inputs: InputRecording,
    options: RecorderOptions,
  ): Promise<Recorder> {
    const recorder = new Recorder(session, inputs, options);
    await recorder.#observer.start({});
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

  /** Ends: what was done so far becomes steps; then nothing is watched any more. */
  async stop(): Promise<Recording> {
    this.#take();
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#pump;
    await this.#inputs.close();
    for (const gesture of this.#gestures.flush()) this.#enqueue(gesture);
    await this.idle();
    await this.#acts.end();
    await this.#observer.close();
    return this.#acts.recording(this.#options.name);
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
    for (const event of this.#inputs.take()) this.#heard(this.#clock.own(event, now));
    this.#schedule();
  }

  /** Everything that has to be known at once is asked here: a moment later the application shows something else. */
  #heard(event: InputEvent): void {
    if (event.what === "rest") {
      void this.#observer.refresh();
      this.#rest = rest(this.#desktop, this.#observer, event, event.time);
      return;
    }
    this.#observer.acted(performance.now());
    if (event.what === "text") {
      this.#observer.typedAt = event.time;
      this.#acts.typed(event.time);
    }
    const edit = event.what === "key" && this.#acts.editsField(event);
    if (event.what === "button" || event.what === "wheel") this.#point(event);
    else if (event.what === "key" && !edit) this.#acts.leaveField();
    const heard: Heard = edit ? { what: "text", time: event.time } : event;
    for (const gesture of this.#gestures.push(heard)) this.#enqueue(gesture);
  }

  #point(event: ButtonInput | WheelInput): void {
    const last = this.#presses.at(-1);
    if (event.what === "button" && event.down) this.#acts.leaveField();
    // Where it is let go counts only when that is elsewhere.
    const same = last !== undefined && Math.abs(last.point.x - event.x) <= STILL &&
      Math.abs(last.point.y - event.y) <= STILL;
    const turns = event.what === "wheel" && event.time - this.#wheeled <= WHEEL_ENDS;
    if (event.what === "wheel") this.#wheeled = event.time;
    if (same && (event.what === "wheel" ? turns : !event.down)) return;
    const windows = event.what === "button" && !event.down ? last?.windows : undefined;
    this.#presses.push(
      notePress(this.#desktop, this.#observer, event, event.time, this.#rest, windows),
    );
    this.#presses.splice(0, Math.max(0, this.#presses.length - PRESSES));
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
    const at = (wanted: number) => this.#presses.findLast(({ time }) => time <= wanted);
    const act = this.#acts.prepare(gesture, at(gesture.from), at(gesture.until));
    this.#queue = this.#queue.then(act).catch((error) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#failure.reject(toBackstepError(error));
    this.#stop.abort();
  }
}
