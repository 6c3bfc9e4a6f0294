import { type Call, cancelled } from "../../base/call.ts";
import type { DesktopEvent, Watch } from "../desktop.ts";
import type { Clock } from "./clock.ts";
import type { Schedule } from "./schedule.ts";

/** Events a subscription keeps before it says "lost". */
const QUEUE = 4_096;

/** Hands the events of a simulated desktop to its subscriptions. */
export class Events {
  readonly #clock: Clock;
  readonly #schedule: Schedule;
  readonly #watches = new Map<SimulatedQueue<DesktopEvent>, string | undefined>();
  /** Asked for each event: false drops it, "lost" drops it and says so. */
  filter: ((event: DesktopEvent) => boolean | "lost") | undefined;

  constructor(clock: Clock, schedule: Schedule) {
    this.#clock = clock;
    this.#schedule = schedule;
    schedule.onAdd = () => this.#each((watch) => watch.rearm());
  }

  /** Is anybody listening, or is there a fault to be counted? */
  get wanted(): boolean {
    return this.#watches.size > 0 || this.filter !== undefined;
  }

  emit(bus: string, path: string, kind: string, detail1 = 0, detail2 = 0, text = ""): void {
    if (!this.wanted) return;
    const event: DesktopEvent = { bus, path, kind, detail1, detail2, text };
    const verdict = this.filter === undefined ? true : this.filter(event);
    if (verdict === true) {
      this.#each((watch, of) => of === undefined || of === bus ? watch.push(event) : undefined);
    } else if (verdict === "lost") this.#each((watch) => watch.lose());
  }

  watch(bus: string | undefined): Watch {
    const queue = new SimulatedQueue<DesktopEvent>(
      this.#clock,
      this.#schedule,
      () => this.#watches.delete(queue),
    );
    this.#watches.set(queue, bus);
    return queue;
  }

  close(): void {
    this.#each((watch) => watch.close());
  }

  #each(tell: (watch: SimulatedQueue<DesktopEvent>, bus: string | undefined) => void): void {
    for (const [watch, bus] of [...this.#watches]) tell(watch, bus);
  }
}

/** What one reader has not taken yet. */
export class SimulatedQueue<T> {
  readonly #clock: Clock;
  readonly #schedule: Schedule;
  readonly #left: () => void;
  #events: T[] = [];
  #fresh = false;
  #lost = false;
  #closed = false;
  #wake: (() => void) | undefined;
  #rearm: (() => void) | undefined;

  constructor(clock: Clock, schedule: Schedule, left: () => void) {
    this.#clock = clock;
    this.#schedule = schedule;
    this.#left = left;
  }

  push(event: T): void {
    if (this.#events.length >= QUEUE) return this.lose();
    this.#events.push(event);
    this.#fresh = true;
    this.#wake?.();
  }

  lose(): void {
    this.#events = [];
    this.#lost = true;
    this.#wake?.();
  }

  rearm(): void {
    this.#rearm?.();
  }

  async next(call: Call): Promise<"event" | "lost" | "timeout"> {
    const { signal, timeout = 1_000 } = call;
    if (signal?.aborted) throw cancelled("wait for a change", signal.reason);
    const end = this.#clock.now() + timeout;
    for (;;) {
      this.#schedule.run();
      if (this.#lost) {
        this.#lost = false;
        this.#fresh = false;
        return "lost";
      }
      if (this.#fresh) {
        this.#fresh = false;
        return "event";
      }
      const left = end - this.#clock.now();
      if (left <= 0 || this.#closed) return "timeout";
      await this.#wait(left, signal);
    }
  }

  /** Until an event comes, something scheduled is due, or the time is over. */
  async #wait(left: number, signal: AbortSignal | undefined): Promise<void> {
    const due = Math.min(left, this.#schedule.next() ?? left);
    if (this.#clock.virtual) return await this.#clock.sleep(due, signal);
    await new Promise<void>((resolve, reject) => {
      const finish = (done: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        this.#wake = this.#rearm = undefined;
        done();
      };
      const abort = () => finish(() => reject(cancelled("wait for a change", signal?.reason)));
      const timer = setTimeout(() => finish(resolve), Math.ceil(due));
      this.#wake = this.#rearm = () => finish(resolve);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  take(): readonly T[] {
    const events = this.#events;
    this.#events = [];
    this.#fresh = false;
    return events;
  }

  close(): void {
    this.#closed = true;
    this.#left();
    this.#wake?.();
  }
}
