import type { Call } from "../../../base/call.ts";
import { BackstepError } from "../../../base/error.ts";
import type { DesktopEvent } from "../../../desktop/desktop.ts";
import type { Heard } from "./desktop-events.ts";
import type { Timers } from "./timers.ts";

/** Milliseconds without any event after which a subject is looked at once in a while. */
const SILENCE = 5_000;
/** Milliseconds between two such looks. */
const POLL = 1_000;
/** A look that takes long is made the less often: it may take a fifth of the time, and a twentieth when nothing is heard. */
const REST = 4, POLL_REST = 19;
/** Milliseconds that a look may take without being made less often. */
const CHEAP = 5;
/** Milliseconds that one look may take. */
const LOOK = 10_000;
/** Events that are kept while a look is under way; more count as lost. */
const MOST = 2_000;
/** Milliseconds that news wait for other news of the same moment. */
const GATHER = 40;

/** One of the things that make up what reading a resource answers, with what tells of its changes. */
export interface Part {
  /** Milliseconds after the first event before it is looked at; what comes in between is told together. */
  readonly debounce: number;
  /** Milliseconds after a look that events asked for, to look once more: what it is about can follow its events. */
  readonly settles?: number;
  /** Takes in what was heard, whether it concerns this part or not. */
  hear?(heard: Heard): void;
  /** May these events mean that reading answers something else now? */
  concerns(events: readonly DesktopEvent[]): boolean;
  /** What reading would answer, in short: another text, another answer. `polled`: no event told of it, trust none. */
  digest(call: Call, polled: boolean): Promise<string>;
}

/** What a topic tells those who follow it. */
export interface Follower {
  /** Reading answers something else now. A promise: nothing more is told before it settles, and then once. */
  changed(): void | Promise<void>;
  /** Nothing has been heard for a while: it is looked at once a second from now on. */
  silent?(): void;
  /** There is nothing to be followed any more. */
  finished?(): void;
}

/** How a topic comes by its news. */
export interface TopicOptions {
  readonly parts: readonly Part[];
  readonly timers: Timers;
  /** "silence": looked at once a second when nothing has been heard for five; "always"; "never". Default "silence". */
  readonly poll?: "silence" | "always" | "never";
  /** What its parts find at the same time is told as one. Default false. */
  readonly gather?: boolean;
  /** Begins to listen; answers how to stop. */
  listen?(heard: (heard: Heard) => void, over: () => void): () => void;
  /** Nobody follows it any more. */
  onEmpty?(): void;
}

/**
 * Something that can be subscribed to. Events make it look again, after a pause that gathers what belongs together; its
 * followers are told when what reading would answer has changed since they were told last.
 */
export class Topic {
  readonly #options: TopicOptions;
  readonly #timers: Timers;
  readonly #runners: readonly Runner[];
  readonly #followers = new Map<Follower, { busy: boolean; again: boolean }>();
  readonly #over = new AbortController();
  #deaf: (() => void) | undefined;
  #cancelPoll: (() => void) | undefined;
  #heardAt = 0;
  #silent = false;
  #began: Promise<void> | undefined;
  #gathering: (() => void) | undefined;

  constructor(options: TopicOptions) {
    this.#options = options;
    this.#timers = options.timers;
    this.#runners = options.parts.map((part) =>
      new Runner(part, options.timers, this.#over.signal, {
        changed: () => this.#changed(),
        failed: (error) => this.#failed(error),
        looked: () => this.#looked(),
      })
    );
  }

  /** Does it tell of anything still? */
  get finished(): boolean {
    return this.#over.signal.aborted;
  }

  /** How many follow it. */
  get followers(): number {
    return this.#followers.size;
  }

  /** Follows from now on: resolves when it is known what reading answers now. The answer stops it. */
  async follow(follower: Follower): Promise<() => void> {
    this.#followers.set(follower, { busy: false, again: false });
    this.#began ??= this.#begin();
    const stop = () => {
      if (!this.#followers.delete(follower) || this.#followers.size > 0) return;
      this.#close();
      this.#options.onEmpty?.();
    };
    try {
      await this.#began;
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  /** What it is about has gone: its followers are told once more, and that this was the last. */
  end(): void {
    if (this.finished) return;
    this.#close();
    this.#tell();
    const all = [...this.#followers.keys()];
    this.#followers.clear();
    for (const follower of all) follower.finished?.();
    this.#options.onEmpty?.();
  }

  /** Listens first and looks then, so that nothing is missed in between. */
  async #begin(): Promise<void> {
    this.#deaf = this.#options.listen?.((heard) => this.#hear(heard), () => this.end());
    this.#heardAt = this.#timers.now();
    await Promise.all(this.#runners.map((runner) => runner.begin()));
    if (!this.finished && this.#options.poll !== "never") this.#planPoll();
  }

  #close(): void {
    this.#over.abort();
    this.#deaf?.();
    this.#cancelPoll?.();
    this.#gathering?.();
    for (const runner of this.#runners) runner.close();
  }

  #hear(heard: Heard): void {
    if (this.finished) return;
    this.#heardAt = this.#timers.now();
    this.#silent = false;
    for (const runner of this.#runners) runner.hear(heard);
  }

  #planPoll(): void {
    const always = this.#options.poll === "always";
    const quiet = this.#timers.now() - this.#heardAt;
    const slowest = Math.max(...this.#runners.map((runner) => runner.cost));
    const wait = always || this.#silent ? Math.max(POLL, POLL_REST * slowest) : Math.max(1, SILENCE - quiet);
    this.#cancelPoll = this.#timers.after(wait, () => {
      if (this.finished) return;
      if (always || this.#timers.now() - this.#heardAt >= SILENCE) this.#poll(always);
      this.#planPoll();
    });
  }

  #poll(always: boolean): void {
    if (!always && !this.#silent) {
      this.#silent = true;
      for (const follower of this.#followers.keys()) follower.silent?.();
    }
    for (const runner of this.#runners) runner.poll();
  }

  /** One of its parts is another: told at once, or together with what others are just about to find. */
  #changed(): void {
    if (!this.#options.gather || !this.#runners.some((one) => one.looking)) this.#tell();
    else this.#gathering ??= this.#timers.after(GATHER, () => this.#tell());
  }

  #looked(): void {
    if (this.#gathering !== undefined && !this.#runners.some((one) => one.looking)) this.#tell();
  }

  #tell(): void {
    this.#gathering?.();
    this.#gathering = undefined;
    for (const [follower, state] of this.#followers) {
      if (state.busy) state.again = true;
      else this.#tellOne(follower, state);
    }
  }

  #tellOne(follower: Follower, state: { busy: boolean; again: boolean }): void {
    const reported = follower.changed();
    if (reported === undefined) return;
    state.busy = true;
    const done = () => {
      state.busy = false;
      if (!state.again) return;
      state.again = false;
      if (this.#followers.has(follower)) this.#tellOne(follower, state);
    };
    reported.then(done, done);
  }

  /** What cannot be looked at for a moment is looked at again; what is gone is gone. */
  #failed(error: unknown): void {
    if (this.finished) return;
    if (error instanceof BackstepError && (error.code === "app_gone" || error.code === "no_desktop")) {
      this.end();
    }
  }
}

/** What comes of looks: `looked` after each. */
interface Reported {
  changed(): void;
  failed(error: unknown): void;
  looked(): void;
}

/** Looks at one part of a topic, one look at a time. */
class Runner {
  readonly #part: Part;
  readonly #timers: Timers;
  readonly #signal: AbortSignal;
  readonly #reported: Reported;
  #last: string | undefined;
  #planned: (() => void) | undefined;
  #settling: (() => void) | undefined;
  looking = false;
  /** What came during a look: compared with what it found. */
  #meanwhile: DesktopEvent[] = [];
  #lost = false;
  #free = 0;
  /** Looks in a row that events asked for and that found nothing: an application that is noisy is looked at less often. */
  #inVain = 0;
  /** Milliseconds that the last look took. */
  cost = 0;

  constructor(
    part: Part,
    timers: Timers,
    signal: AbortSignal,
    reported: Reported,
  ) {
    this.#part = part;
    this.#timers = timers;
    this.#signal = signal;
    this.#reported = reported;
  }

  async begin(): Promise<void> {
    this.#last = await this.#part.digest(this.#call(), false);
  }

  hear(heard: Heard): void {
    this.#part.hear?.(heard);
    if (heard === "lost") this.#lost = true;
    else if (this.looking) {
      if (this.#meanwhile.length + heard.length > MOST) this.#lost = true;
      else this.#meanwhile.push(...heard);
    }
    if (this.looking) return;
    if (heard === "lost" || this.#part.concerns(heard)) this.#plan();
  }

  /** Looks without having been told to. */
  poll(): void {
    if (!this.looking && this.#planned === undefined) this.#look(true);
  }

  close(): void {
    this.#planned?.();
    this.#settling?.();
  }

  #plan(): void {
    if (this.#planned !== undefined || this.#signal.aborted) return;
    const wait = Math.max(this.#part.debounce, this.#free - this.#timers.now());
    if (wait <= 0) this.#look(false);
    else this.#planned = this.#timers.after(wait, () => this.#look(false));
  }

  #look(polled: boolean): void {
    this.#planned = undefined;
    if (this.#signal.aborted) return;
    this.looking = true;
    this.#lost = false;
    this.#meanwhile = [];
    const began = this.#timers.now();
    const done = (rest = 0) => {
      this.looking = false;
      if (!polled) this.#settle();
      this.cost = this.#timers.now() - began;
      const often = 2 ** Math.min(this.#inVain, 3);
      this.#free = this.#timers.now() + Math.max(rest, this.cost < CHEAP ? 0 : often * REST * this.cost);
      const { concerns } = this.#part;
      const again = this.#lost || (this.#meanwhile.length > 0 && concerns.call(this.#part, this.#meanwhile));
      this.#meanwhile = [];
      if (again) this.#plan();
    };
    this.#part.digest(this.#call(), polled).then((digest) => {
      const differs = digest !== this.#last;
      this.#last = digest;
      if (!polled) this.#inVain = differs ? 0 : this.#inVain + 1;
      done();
      if (differs && !this.#signal.aborted) this.#reported.changed();
      this.#reported.looked();
    }, (error: unknown) => {
      this.#reported.failed(error);
      // What could not be looked at may have changed all the same.
      this.#lost = true;
      done(POLL);
      this.#reported.looked();
    });
  }

  #settle(): void {
    const { settles } = this.#part;
    if (settles === undefined || this.#signal.aborted) return;
    this.#settling?.();
    this.#settling = this.#timers.after(settles, () => this.poll());
  }

  #call(): Call {
    return { timeout: LOOK, signal: this.#signal };
  }
}
