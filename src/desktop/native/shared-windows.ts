import { type Call, Deadline } from "../../base/call.ts";
import type { NativeWindow } from "./replies.ts";

/** Milliseconds for which an answer does for places: less than a frame, so that two readings a frame apart have one each. */
const SHARED = 10;
/** The same for what one step asks of windows before it acts. */
export const OF_A_STEP = 50;
/** Milliseconds that an answer under way may take longer than who waits for it has. */
const LONGER = 50;

interface Asked {
  readonly answer: Promise<NativeWindow[]>;
  /** By when it is there, by `performance.now`. */
  readonly until: number;
  /** When it was there. */
  came?: number;
  /** Something was reported to have moved since it was asked. */
  moved?: true;
}

/** One list of the windows for all who ask for places in the same moment: some toolkits' places need it for each reading. */
export class SharedWindows {
  readonly #ask: (call: Call) => Promise<NativeWindow[]>;
  #last: Asked | undefined;

  constructor(ask: (call: Call) => Promise<NativeWindow[]>) {
    this.#ask = ask;
  }

  /** As they are now; bottom to top. */
  async fresh(call: Call): Promise<NativeWindow[]> {
    const asked: Asked = { answer: this.#ask(call), until: Deadline.of(call, Infinity).at };
    this.#last = asked;
    try {
      const windows = await asked.answer;
      asked.came = performance.now();
      return windows;
    } catch (thrown) {
      if (this.#last === asked) this.#last = undefined;
      throw thrown;
    }
  }

  /** As they were a moment ago, where nothing was sent and no window told anything since. */
  async recent(call: Call, age = SHARED): Promise<NativeWindow[]> {
    const asked = this.#last;
    if (asked === undefined || !mayWaitFor(asked, Deadline.of(call, Infinity).at, age)) {
      return await this.fresh(call);
    }
    try {
      return await asked.answer;
    } catch {
      // Whoever asked had less time, or was called off.
      return await this.fresh(call);
    }
  }

  /** Something was reported to have moved, a window or what is in one: who wants to know where exactly asks again. */
  moved(): void {
    if (this.#last) this.#last.moved = true;
  }

  /** Something was sent, or a window told something. */
  forget(): void {
    this.#last = undefined;
  }
}

function mayWaitFor({ until, came, moved }: Asked, end: number, age: number): boolean {
  if (moved && age <= SHARED) return false;
  return came === undefined ? until <= end + LONGER : performance.now() - came <= age;
}
