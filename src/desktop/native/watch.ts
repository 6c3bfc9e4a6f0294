import { type Call, cancelled, Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { DesktopEvent, Watch } from "../desktop.ts";

/** Events, and characters of their texts, that wait to be taken; more, and they count as lost. */
const MOST_EVENTS = 4_096;
const MOST_TEXT = 4 * 1024 * 1024;
/** Milliseconds `next` waits when it is not told. */
const DEFAULT_TIMEOUT = 30_000;

/** A bounded queue of events for one reader. */
export class EventWatch implements Watch {
  readonly #bus: string | undefined;
  readonly #onClose: (watch: EventWatch) => void;
  #events: DesktopEvent[] = [];
  #text = 0;
  #lost = false;
  /** Something arrived that `next` has not told yet. */
  #fresh = false;
  #finished: BackstepError | undefined;
  readonly #sleepers = new Set<() => void>();

  /** Of one application's bus name, or of all applications. */
  constructor(bus: string | undefined, onClose: (watch: EventWatch) => void) {
    this.#bus = bus;
    this.#onClose = onClose;
  }

  async next(call: Call): Promise<"event" | "lost" | "timeout"> {
    const deadline = Deadline.of(call, DEFAULT_TIMEOUT);
    for (;;) {
      deadline.check("wait for an event");
      if (this.#finished) throw this.#finished;
      if (this.#fresh) {
        this.#fresh = false;
        return this.#lost ? "lost" : "event";
      }
      if (deadline.passed) return "timeout";
      await this.#sleep(deadline);
    }
  }

  take(): readonly DesktopEvent[] {
    const events = this.#lost ? [] : this.#events;
    this.#events = [];
    this.#text = 0;
    this.#lost = false;
    this.#fresh = false;
    return events;
  }

  close(): void {
    this.end(cancelled("wait for an event", "the watch was closed"));
    this.#onClose(this);
  }

  /** An event arrived. For the desktop. */
  push(event: DesktopEvent): void {
    if (this.#finished || (this.#bus !== undefined && event.bus !== this.#bus)) return;
    if (!this.#lost) {
      this.#events.push(event);
      this.#text += event.text.length;
      if (this.#events.length > MOST_EVENTS || this.#text > MOST_TEXT) this.#drop();
    }
    this.#wake();
  }

  /** Events were dropped on the way. For the desktop. */
  lose(): void {
    if (this.#finished) return;
    this.#drop();
    this.#wake();
  }

  /** Nothing will arrive any more. For the desktop. */
  end(why: BackstepError): void {
    if (this.#finished) return;
    this.#finished = why;
    this.#drop();
    this.#wake();
  }

  #drop(): void {
    this.#lost = true;
    this.#events = [];
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
