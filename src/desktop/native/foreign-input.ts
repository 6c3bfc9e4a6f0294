import { type Call, cancelled } from "../../base/call.ts";
import type { BackstepError } from "../../base/error.ts";
import type { InputRecord, PersonRecord } from "../../ffi/records.ts";
import type { InputWatch } from "../desktop.ts";
import type { InputEvent, InputRecording } from "../input-events.ts";
import { inputEventOf } from "./input-event.ts";
import { NativeInputWatch } from "./input-watch.ts";
import { NoticeQueue } from "./notice-queue.ts";

/** How much the core is to report of others' input: nothing, how much it was, or each thing. */
export type InputLevel = 0 | 1 | 2;

const WHAT = "record what a person does";

/** Who wants to know of input that is not the desktop's own, and what they were told of it. */
export class ForeignInputs {
  readonly #ask: (level: InputLevel, call: Call, what?: string) => Promise<void>;
  readonly #watches = new Set<NativeInputWatch>();
  readonly #recordings = new Set<NoticeQueue<InputEvent>>();

  /** `ask` has the core report so much from then on; resolves when it does. */
  constructor(ask: (level: InputLevel, call: Call, what?: string) => Promise<void>) {
    this.#ask = ask;
  }

  async watch(call: Call): Promise<InputWatch> {
    const watch = new NativeInputWatch((closed) => this.#remove(this.#watches, closed));
    await this.#add(this.#watches, watch, call);
    return watch;
  }

  async record(call: Call): Promise<InputRecording> {
    const queue = new NoticeQueue<InputEvent>(WHAT);
    await this.#add(this.#recordings, queue, call, WHAT);
    return {
      next: (wait) => queue.next(wait),
      take: () => queue.take(),
      close: async () => {
        queue.end(cancelled(WHAT, "the recording was closed"));
        await this.#remove(this.#recordings, queue);
      },
    };
  }

  /** The core reported something. */
  notice(record: InputRecord | PersonRecord): void {
    if (record.kind === "input") {
      const { keys, buttons, wheel, motions } = record;
      for (const watch of this.#watches) watch.push({ keys, buttons, wheel, motions });
      return;
    }
    if (record.lost > 0) this.lose();
    const event = inputEventOf(record);
    if (event !== undefined) { for (const recording of this.#recordings) recording.push(event); }
  }

  /** The core could not keep what it had to report. */
  lose(): void {
    for (const recording of this.#recordings) recording.lose();
  }

  /** Nothing will be reported any more. */
  end(why: BackstepError): void {
    for (const recording of this.#recordings) recording.end(why);
  }

  get #level(): InputLevel {
    return this.#recordings.size > 0 ? 2 : this.#watches.size > 0 ? 1 : 0;
  }

  async #add<T>(to: Set<T>, one: T, call: Call, what?: string): Promise<void> {
    to.add(one);
    try {
      await this.#ask(this.#level, call, what);
    } catch (error) {
      to.delete(one);
      throw error;
    }
  }

  async #remove<T>(from: Set<T>, one: T): Promise<void> {
    const before = this.#level;
    if (from.delete(one) && this.#level !== before) await this.#ask(this.#level, {});
  }
}
