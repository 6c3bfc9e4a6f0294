import type { Call } from "../../base/call.ts";
import type { ForeignInput, InputWatch } from "../desktop.ts";
import type { Clock } from "./clock.ts";
import type { InputEvent, InputRecording } from "../input-events.ts";
import type { Schedule } from "./schedule.ts";
import { SimulatedQueue } from "./watch.ts";

/** Who else sits at a simulated desktop: what they do with keyboard and pointer, and who notices. */
export class People {
  readonly #clock: Clock;
  readonly #schedule: Schedule;
  readonly #recordings = new Set<SimulatedQueue<InputEvent>>();
  readonly #unseen = new Map<InputWatch, ForeignInput | undefined>();
  /** When the last of it is over, by the clock of the desktop. */
  #until = -Infinity;

  constructor(clock: Clock, schedule: Schedule) {
    this.#clock = clock;
    this.#schedule = schedule;
  }

  /** Somebody uses keyboard or pointer, and goes on for so many milliseconds. */
  touch(input: Partial<ForeignInput>, milliseconds = 0): void {
    this.#until = Math.max(this.#until, this.#clock.now() + milliseconds);
    for (const [watch, seen] of this.#unseen) this.#unseen.set(watch, sum(seen, input));
  }

  /** Somebody does this, as whoever records it is told. */
  feed(event: InputEvent): void {
    for (const recording of this.#recordings) recording.push(event);
  }

  record(): InputRecording {
    const queue = new SimulatedQueue<InputEvent>(
      this.#clock,
      this.#schedule,
      () => this.#recordings.delete(queue),
    );
    this.#recordings.add(queue);
    return {
      next: (call) => queue.next(call),
      take: () => queue.take(),
      close: () => Promise.resolve(queue.close()),
    };
  }

  watch(): InputWatch {
    const watch: InputWatch = {
      take: () => {
        const seen = this.#unseen.get(watch);
        if (seen) this.#unseen.set(watch, undefined);
        return seen;
      },
      quiet: (milliseconds, call) => this.#quiet(milliseconds, call),
      close: () => {
        this.#unseen.delete(watch);
        return Promise.resolve();
      },
    };
    this.#unseen.set(watch, undefined);
    return watch;
  }

  async #quiet(milliseconds: number, { timeout = 10 * milliseconds, signal }: Call): Promise<boolean> {
    const end = this.#clock.now() + timeout;
    for (;;) {
      this.#schedule.run();
      const now = this.#clock.now();
      const left = this.#until + milliseconds - now;
      if (left <= 0) return true;
      if (now >= end) return false;
      await this.#clock.sleep(Math.min(left, end - now, this.#schedule.next() ?? left), signal);
    }
  }
}

function sum(a: ForeignInput | undefined, b: Partial<ForeignInput>): ForeignInput {
  return {
    keys: (a?.keys ?? 0) + (b.keys ?? 0),
    buttons: (a?.buttons ?? 0) + (b.buttons ?? 0),
    wheel: (a?.wheel ?? 0) + (b.wheel ?? 0),
    motions: (a?.motions ?? 0) + (b.motions ?? 0),
  };
}
