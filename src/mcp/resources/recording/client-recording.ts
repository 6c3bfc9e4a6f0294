import { cancelled } from "../../../base/call.ts";
import { BackstepError, type Json, toBackstepError } from "../../../base/error.ts";
import { defined } from "../../../base/defined.ts";
import { recordInput } from "../../../desktop/mode.ts";
import type { InputRecording } from "../../../desktop/input-events.ts";
import type { ActionStep, Recording } from "../../../record/output/model.ts";
import type { Recorder } from "../../../record/recorder.ts";
import type { McpCall, McpSession } from "../../server/call.ts";

/** How much one recording may become; then it ends by itself, and its steps wait to be fetched. */
export interface RecordingLimits {
  readonly milliseconds: number;
  readonly steps: number;
  /** Characters of all steps. */
  readonly characters: number;
}

/** What a recording may become where nothing else is said. */
export const RECORDING_LIMITS: RecordingLimits = {
  milliseconds: 30 * 60_000,
  steps: 500,
  characters: 1_000_000,
};

/** Why a recording finished. */
export type Ending = "stopped" | "time" | "steps" | "size" | "failed";

/** A recording that is over. */
export interface Finished {
  readonly why: Ending;
  readonly since: number;
  readonly until: number;
  readonly recording: Recording;
  readonly error: BackstepError | undefined;
}

type State =
  | { readonly is: "none" | "starting" }
  | { readonly is: "recording"; readonly recorder: Recorder; readonly since: number }
  | { readonly is: "ending"; readonly finished: Promise<Finished>; readonly since: number }
  | { readonly is: "finished"; readonly finished: Finished; handedOut: boolean };

/** The recording of one client session: at most one at a time. */
export class ClientRecording {
  readonly #session: McpSession;
  readonly #limits: RecordingLimits;
  readonly #listeners = new Set<() => void>();
  #state: State = { is: "none" };
  #steps: ActionStep[] = [];
  #characters = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #starting: Promise<unknown> = Promise.resolve();

  constructor(session: McpSession, limits: RecordingLimits) {
    this.#session = session;
    this.#limits = limits;
    session.onEnd(() => this.close());
  }

  /** Asks whether it may begin, and begins. Throws `refused` where one is under way or waits to be fetched. */
  async start(call: McpCall, uri: string): Promise<Json> {
    this.#requireFree();
    const before = this.#state;
    this.#state = { is: "starting" };
    try {
      const done = await this.#session.host.recording?.begin(call, uri);
      const starting = this.#begin(call);
      this.#starting = starting.catch(() => {}); // told to whoever asked
      try {
        await starting;
        done?.();
      } catch (error) {
        done?.(error);
        throw error;
      }
    } catch (error) {
      this.#state = before;
      throw error;
    }
    this.#changed();
    return this.status();
  }

  /** Ends it, and answers what was recorded; the same again until the next one. Throws `refused` where there is none. */
  async stop(): Promise<Finished> {
    const finished = this.#state.is === "recording" ? await this.#end("stopped") : await this.#finishedOne();
    if (this.#state.is === "finished") this.#state.handedOut = true;
    return finished;
  }

  /** What is to be told of it. */
  status(): Json {
    const state = this.#state;
    const { milliseconds, steps } = this.#limits;
    const at = (time: number) => new Date(time).toISOString();
    const limits = { seconds: milliseconds / 1_000, steps };
    switch (state.is) {
      case "none":
      case "starting":
        return { recording: false, ...(state.is === "starting" ? { starting: true } : {}), limits };
      case "recording":
      case "ending":
        return {
          recording: state.is === "recording",
          since: at(state.since),
          steps: this.#steps.length,
          limits,
        };
      case "finished": {
        const { why, since, until, error, recording } = state.finished;
        return {
          recording: false,
          reason: why,
          since: at(since),
          until: at(until),
          steps: recording.steps.length,
          ...defined({ error: error?.message }),
          fetched: state.handedOut,
          limits,
        };
      }
    }
  }

  /** Calls when the status is another one; answers how to end that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends it without its steps, also one that is just beginning. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#starting;
    const state = this.#state;
    this.#state = { is: "none" };
    this.#steps = [];
    if (state.is === "recording") await state.recorder.abandon();
    if (state.is === "ending") await state.finished;
    this.#changed();
  }

  async #begin(call: McpCall): Promise<void> {
    const { host, over } = this.#session;
    if (over.aborted) {
      throw new BackstepError("cancelled", "Cannot record: the session of the client is over");
    }
    const { Recorder } = await import("../../../record/recorder.ts");
    const { catalogue } = await import("../../../catalogue.ts");
    const inputs: InputRecording = await recordInput(host.desktop.desktop, { signal: call.signal });
    this.#steps = [];
    this.#characters = 0;
    const recorder = await Recorder.start(host.desktop, inputs, {
      name: "recorded",
      operations: catalogue,
      onStep: (step, replaces) => this.#heard(step, replaces),
    });
    if (call.signal.aborted) {
      await recorder.abandon();
      throw cancelled("record what a person does", call.signal.reason);
    }
    const since = Date.now();
    this.#state = { is: "recording", recorder, since };
    this.#timer = setTimeout(() => void this.#end("time"), this.#limits.milliseconds);
    recorder.failed.catch((error: unknown) => void this.#end("failed", toBackstepError(error)));
  }

  #heard(step: ActionStep | undefined, replaces: boolean): void {
    if (replaces) this.#characters -= sizeOf(this.#steps.pop());
    if (step !== undefined) this.#steps.push(step);
    this.#characters += sizeOf(step);
    this.#changed();
    if (this.#steps.length >= this.#limits.steps) void this.#end("steps");
    else if (this.#characters >= this.#limits.characters) void this.#end("size");
  }

  /** The first who ends it says why; never rejects. */
  #end(why: Ending, error?: BackstepError): Promise<Finished> {
    const state = this.#state;
    if (state.is !== "recording") return this.#finishedOne();
    const { recorder, since } = state;
    clearTimeout(this.#timer);
    const ending = recorder.stop().then(
      (recording): Finished => ({ why, since, until: Date.now(), recording, error }),
      // What came before is kept.
      (failed: unknown): Finished => ({
        why: "failed",
        since,
        until: Date.now(),
        recording: { name: "recorded", settings: {}, vars: {}, before: [], steps: this.#steps, after: [] },
        error: error ?? toBackstepError(failed),
      }),
    );
    const current: State = { is: "ending", finished: ending, since };
    this.#state = current;
    this.#changed();
    return ending.then((finished) => {
      if (this.#state === current) this.#state = { is: "finished", finished, handedOut: false };
      this.#steps = [];
      this.#changed();
      return finished;
    });
  }

  async #finishedOne(): Promise<Finished> {
    const state = this.#state;
    if (state.is === "finished") return state.finished;
    if (state.is === "ending") return await state.finished;
    throw new BackstepError("refused", "Cannot stop: nothing is recorded", {
      hint: "Read axterminator://recording/start first.",
    });
  }

  #requireFree(): void {
    const state = this.#state;
    if (state.is === "none" || (state.is === "finished" && state.handedOut)) return;
    const waits = state.is === "finished";
    throw new BackstepError(
      "refused",
      waits
        ? `Cannot record: a recording of ${state.finished.recording.steps.length} steps waits to be fetched`
        : `Cannot record: a recording is under way already, with ${this.#steps.length} steps`,
      { hint: "Read axterminator://recording/stop first." },
    );
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function sizeOf(step: ActionStep | undefined): number {
  return step === undefined ? 0 : JSON.stringify(step).length;
}
