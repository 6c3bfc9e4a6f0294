import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Frame } from "../../desktop/desktop.ts";
import type { Encryption } from "../journal/encryption.ts";
import type { LogEntry } from "./log.ts";
import type { LogAnswer, LogRequest } from "./log-messages.ts";

/** Bytes of pictures that a run keeps; the oldest go first. */
const MOST_SCREENSHOTS = 32 * 1024 * 1024;
/** Bytes of pictures that wait to be packed: who makes more of them waits. */
const MOST_WAITING = 48 * 1024 * 1024;
/** Milliseconds that the end of a run waits for what is still to be packed. */
const PACKS = 20_000;

/** Beside this file, and in the same language: what is emitted lies beside what is emitted. */
const THREAD = new URL(`./log-thread${extname(import.meta.url)}`, import.meta.url);

/** A thread whose log is at its end, for the next run of this process: to start one stops everything for 25 ms. It keeps no process alive. */
let idle: Worker | undefined;

/** Has what is seen of a run packed, encrypted and written on a thread of its own, while the run goes on. */
export class LogWriter {
  readonly #thread: Worker;
  readonly #onMessage = (answer: LogAnswer) => this.#take(answer);
  readonly #onError = (thrown: Error) => this.#take({ failed: thrown.message });
  /** Not 0: nothing is packed any more. */
  readonly #stop = new Int32Array(new SharedArrayBuffer(4));
  /** Each picture that waits. */
  readonly #waiting = new Map<number, { readonly bytes: number; packed(): void }>();
  #failed: BackstepError | undefined;
  #released = false;
  #finished: Extract<LogAnswer, { done: "finish" }> | undefined;
  /** Woken by each answer. */
  #wake: () => void = () => {};

  constructor(folder: string, encryption: Encryption, most = MOST_SCREENSHOTS) {
    this.#thread = idle ?? new Worker(THREAD);
    idle = undefined;
    this.#thread.on("message", this.#onMessage);
    this.#thread.on("error", this.#onError);
    // Whoever forgets to end it is not kept alive by it.
    this.#thread.unref();
    this.#ask({ do: "open", folder, key: encryption.key, most, stop: this.#stop });
  }

  /** Keeps a picture, whose pixels lie in memory that threads share, and must not be changed before it is `packed`. */
  async picture(number: number, { width, height, rgba }: Frame, packed: () => void): Promise<void> {
    this.#waiting.set(number, { bytes: rgba.length, packed });
    this.#ask({ do: "picture", number, width, height, pixels: rgba.buffer });
    const deadline = Deadline.after(PACKS);
    while (this.#failed === undefined && this.#bytesWaiting() > MOST_WAITING) await this.#answer(deadline);
  }

  entry(entry: LogEntry): void {
    this.#ask({ do: "entry", entry: JSON.stringify(entry) });
  }

  /** Resolves when all of it is on the disk. Throws `io` when it is not, or not in time. */
  async finish(): Promise<{ readonly bytes: number; readonly dropped: number }> {
    return await this.#end({ do: "finish" });
  }

  /** Removes all that was written, and packs no more. Throws `io` when that failed. */
  async discard(): Promise<void> {
    Atomics.store(this.#stop, 0, 1);
    await this.#end({ do: "discard" });
  }

  /** Ends the thread, unless its log is at its end: what was not written by then is lost. */
  async close(): Promise<void> {
    if (!this.#released) await this.#thread.terminate();
    this.#released = true;
  }

  /** The thread is free for another run. */
  async #release(): Promise<void> {
    this.#thread.off("message", this.#onMessage);
    this.#thread.off("error", this.#onError);
    this.#thread.unref();
    if (idle === undefined) idle = this.#thread;
    else await this.#thread.terminate();
    this.#released = true;
  }

  async #end(request: LogRequest): Promise<{ readonly bytes: number; readonly dropped: number }> {
    const deadline = Deadline.after(PACKS);
    this.#thread.ref();
    this.#ask(request);
    while (this.#finished === undefined && this.#failed === undefined) await this.#answer(deadline);
    if (this.#failed !== undefined) {
      await this.close();
      throw this.#failed;
    }
    await this.#release();
    const { bytes = 0, dropped = 0 } = this.#finished ?? {};
    return { bytes, dropped };
  }

  #ask(request: LogRequest): void {
    // By then the thread may be at another run.
    if (!this.#released) this.#thread.postMessage(request);
  }

  #take(answer: LogAnswer): void {
    if ("failed" in answer) {
      this.#failed = new BackstepError("io", `Cannot keep what was seen: ${answer.failed}`);
    } else if (answer.done === "finish") this.#finished = answer;
    else {
      this.#waiting.get(answer.number)?.packed();
      this.#waiting.delete(answer.number);
    }
    this.#wake();
  }

  #bytesWaiting(): number {
    return [...this.#waiting.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Resolves at the next answer; at the deadline it is given up. */
  async #answer(deadline: Deadline): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, Math.max(1, deadline.remaining()));
    });
    clearTimeout(timer);
    if (deadline.passed && this.#failed === undefined && this.#finished === undefined) {
      this.#failed = new BackstepError(
        "io",
        `Cannot keep what was seen: it was not packed within ${PACKS / 1_000} s`,
      );
    }
  }
}
