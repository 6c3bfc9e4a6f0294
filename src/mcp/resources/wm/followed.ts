import { Deadline } from "../../../base/call.ts";
import { BackstepError } from "../../../base/error.ts";
import type { WindowManager } from "../../../wm/model.ts";
import type { SharedHost } from "../../server/call.ts";
import { ProtocolError, RESOURCE_NOT_FOUND } from "../../server/wire.ts";
import type { Timers } from "../subscriptions/timers.ts";
import { managerOf, Reading } from "./reading.ts";

/** Milliseconds from the first event to the reading: i3 tells of one window with three events in so long. */
const GATHER = 5;
/** Milliseconds from the end of a reading to the next one: between changes apart, who follows hears at once. */
const APART = 25;
/** A reading that took long is made the less often: twice its time later, at most so many milliseconds. */
const REST = 2, LONGEST = 80;
/** Milliseconds between readings that no event asked for: outputs and layers on niri have none, nor have moves on sway. */
const POLL = 2_000;
/** Milliseconds that one reading may take. */
const READ = 3_000;

/** What is followed: its body as text, as a client would read it. */
export interface Subject {
  /** Its canonical address with its query. */
  readonly key: string;
  render(reading: Reading): Promise<string>;
  /** Read also where no event asks for it. */
  readonly polled: boolean;
  /** What it is while the window manager is away; absent: as it was. */
  readonly away?: string;
}

/** Who is told. A promise: nothing more is told before it settles, and then once. */
export type Changed = () => void | Promise<void>;

interface Topic {
  readonly subject: Subject;
  readonly followers: Map<Changed, { busy: boolean; again: boolean }>;
  last: string;
}

/**
 * What is followed of the window manager of one server, for all of its clients. One round reads each part once for all
 * subjects; who follows a subject is told when its body is another. Nothing is read while nobody follows anything.
 */
export class Followed {
  readonly #host: SharedHost;
  readonly #timers: Timers;
  readonly #topics = new Map<string, Topic>();
  #manager: WindowManager | undefined;
  #deaf: (() => void) | undefined;
  #planned: (() => void) | undefined;
  #cancelPoll: (() => void) | undefined;
  /** Who is about to follow something. */
  #coming = 0;
  #reading = false;
  #again = false;
  /** No reading before this moment. */
  #notBefore = -Infinity;

  constructor(host: SharedHost, timers: Timers) {
    this.#host = host;
    this.#timers = timers;
  }

  /** Subjects that are followed. */
  get topics(): number {
    return this.#topics.size;
  }

  /** Does it hear of events? */
  get listening(): boolean {
    return this.#deaf !== undefined;
  }

  /** Follows a subject; the answer stops it. Rejects where it cannot be read. */
  async follow(subject: Subject, changed: Changed): Promise<() => void> {
    this.#coming++;
    let topic: Topic;
    try {
      const deadline = Deadline.after(READ);
      const manager = await managerOf(this.#host, deadline);
      // Events first: what changes after the reading is heard of.
      this.#listen(manager);
      const body = await subject.render(new Reading(manager, deadline));
      topic = this.#topics.get(subject.key) ?? { subject, followers: new Map(), last: body };
      this.#topics.set(subject.key, topic);
      topic.followers.set(changed, { busy: false, again: false });
      if (topic.last !== body) this.#plan();
    } finally {
      this.#coming--;
      this.#rest();
    }
    this.#planPoll();
    return () => {
      topic.followers.delete(changed);
      if (topic.followers.size === 0 && this.#topics.get(subject.key) === topic) {
        this.#topics.delete(subject.key);
      }
      this.#rest();
    };
  }

  /** Hears of this window manager's events; a desktop that was rebuilt has another. */
  #listen(manager: WindowManager): void {
    if (this.#manager === manager && this.#deaf !== undefined) return;
    this.#deaf?.();
    this.#manager = manager;
    this.#deaf = manager.on(() => this.#plan());
  }

  /** Lets go of everything once nobody follows anything. */
  #rest(): void {
    if (this.#topics.size > 0 || this.#coming > 0) return;
    this.#planned?.();
    this.#cancelPoll?.();
    this.#deaf?.();
    this.#planned = this.#cancelPoll = undefined;
    this.#deaf = this.#manager = undefined;
  }

  #plan(): void {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    const wait = Math.max(GATHER, this.#notBefore - this.#timers.now());
    this.#planned ??= this.#timers.after(wait, () => {
      this.#planned = undefined;
      this.#round([...this.#topics.values()]);
    });
  }

  #planPoll(): void {
    if (this.#cancelPoll !== undefined || ![...this.#topics.values()].some(({ subject }) => subject.polled)) {
      return;
    }
    this.#cancelPoll = this.#timers.after(POLL, () => {
      this.#cancelPoll = undefined;
      // One that is planned reads the same.
      if (this.#planned === undefined && !this.#reading) {
        this.#round([...this.#topics.values()].filter(({ subject }) => subject.polled));
      }
      this.#planPoll();
    });
  }

  #round(topics: readonly Topic[]): void {
    if (this.#topics.size === 0) return;
    this.#reading = true;
    this.#again = false;
    const began = this.#timers.now();
    this.#read(topics).catch((error: unknown) => {
      // A window manager that is away is read again with the next event, which its return is, or poll.
      if (!(error instanceof BackstepError)) throw error;
    }).finally(() => {
      this.#reading = false;
      const now = this.#timers.now();
      this.#notBefore = now + Math.min(LONGEST, Math.max(APART, REST * (now - began)));
      if (this.#again && this.#topics.size > 0) this.#plan();
    });
  }

  async #read(topics: readonly Topic[]): Promise<void> {
    const deadline = Deadline.after(READ);
    const manager = await managerOf(this.#host, deadline);
    if (this.#topics.size === 0) return;
    this.#listen(manager);
    const reading = new Reading(manager, deadline);
    // Those that cannot be read leave the others alone.
    const read = await Promise.allSettled(topics.map((topic) => this.#compare(topic, reading)));
    for (const one of read) if (one.status === "rejected") throw one.reason;
  }

  async #compare(topic: Topic, reading: Reading): Promise<void> {
    const body = await topic.subject.render(reading).catch((error: unknown) => {
      // What is gone reads otherwise than what was there; it may come back.
      if (error instanceof ProtocolError && error.code === RESOURCE_NOT_FOUND) return "";
      const { away } = topic.subject;
      if (away !== undefined && error instanceof BackstepError && error.code === "no_desktop") return away;
      throw error;
    });
    if (body === topic.last) return;
    topic.last = body;
    for (const changed of topic.followers.keys()) tell(topic, changed);
  }
}

function tell(topic: Topic, changed: Changed): void {
  const state = topic.followers.get(changed);
  if (state === undefined) return;
  if (state.busy) {
    state.again = true;
    return;
  }
  const reported = changed();
  if (reported === undefined) return;
  state.busy = true;
  const done = () => {
    state.busy = false;
    if (!state.again) return;
    state.again = false;
    tell(topic, changed);
  };
  reported.then(done, done);
}

const byHost = new WeakMap<SharedHost, Followed>();

/** What is followed on a server. */
export function followedOf(host: SharedHost, timers: Timers): Followed {
  const standing = byHost.get(host) ?? new Followed(host, timers);
  byHost.set(host, standing);
  return standing;
}
