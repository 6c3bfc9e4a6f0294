import { type Call, Deadline } from "../../base/call.ts";
import type { BackstepError } from "../../base/error.ts";

/** Notices that wait to be taken; more, and they count as lost. */
const MOST = 4_096;
/** Characters of their texts. */
const MOST_TEXT = 4 * 1024 * 1024;
/** Milliseconds `next` waits when it is not told. */
const DEFAULT_TIMEOUT = 30_000;

/** A bounded queue of what the core reported, for one reader. */
export class NoticeQueue<T> {
  readonly #what: string;
  readonly #textOf: (notice: T) => number;
  #notices: T[] = [];
  #text = 0;
  #lost = false;
  /** Something arrived that `next` has not told yet. */
  #fresh = false;
  #finished: BackstepError | undefined;
  readonly #sleepers = new Set<() => void>();

  /** `what` is waited for, as in "Cannot …"; a notice holds so many characters of text. */
  constructor(what: string, textOf: (notice: T) => number = () => 0) {
    this.#what = what;
    this.#textOf = textOf;
  }

  /** As `Watch.next`. */
  async next(call: Call): Promise<"event" | "lost" | "timeout"> {
    const deadline = Deadline.of(call, DEFAULT_TIMEOUT);
    for (;;) {
      deadline.check(this.#what);
      if (this.#finished) throw this.#finished;
      if (this.#fresh) {
        this.#fresh = false;
        return this.#lost ? "lost" : "event";
      }
      if (deadline.passed) return "timeout";
      await this.#sleep(deadline);
    }
  }

  /** As `Watch.take`. */
  take(): readonly T[] {
    const notices = this.#lost ? [] : this.#notices;
    this.#notices = [];
    this.#text = 0;
    this.#lost = false;
    this.#fresh = false;
    return notices;
  }

  /** One arrived. */
  push(notice: T): void {
    if (this.#finished) return;
    if (!this.#lost) {
      this.#notices.push(notice);
      this.#text += this.#textOf(notice);
      if (this.#notices.length > MOST || this.#text > MOST_TEXT) this.#drop();
    }
    this.#wake();
  }

  /** Some were dropped on the way. */
  lose(): void {
    if (this.#finished) return;
    this.#drop();
    this.#wake();
  }

  /** None will arrive any more. */
  end(why: BackstepError): void {
    if (this.#finished) return;
    this.#finished = why;
    this.#drop();
    this.#wake();
  }

  #drop(): void {
    this.#lost = true;
    this.#notices = [];
    this.#text = 0;
  }

  #wake(): void {
    this.#fresh = true;
    for (const wake of [...this.#sleepers]) wake();
  }

  /** Until something arrives, the deadline passes, or the signal fires. */
  #sleep(deadline: Deadline): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        deadline.signal?.removeEventListener("abort", wake);
        this.#sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(deadline.remaining(), 2 ** 31 - 1));
      deadline.signal?.addEventListener("abort", wake, { once: true });
      this.#sleepers.add(wake);
    });
  }
}
