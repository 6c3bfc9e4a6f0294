import type { EventStore, JSONRPCMessage } from "./sdk.ts";

interface Kept {
  readonly sequence: number;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/** Bytes that the events of all sessions may have together. Where they are used up, whoever adds gives of its own. */
export class EventBudget {
  bytes = 0;

  readonly most: number;

  constructor(most: number) {
    this.most = most;
  }
}

/**
 * The last events of one session, for a client whose stream broke off. Bounded by number and bytes, the oldest go first.
 * An id is "<sequence>.<stream>". What cannot be replayed without a gap is not replayed: its id is unknown then.
 */
export class BoundedEvents implements EventStore {
  readonly #kept: Kept[] = [];
  /** For each stream, the last of its events that was thrown away. */
  readonly #lost = new Map<string, number>();
  /** As `#lost`, for the streams that are not in it. */
  #oldest = 0;
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #all: EventBudget;
  #bytes = 0;
  #sequence = 0;

  constructor(
    limits: { readonly events: number; readonly eventBytes: number },
    all: EventBudget = new EventBudget(Infinity),
  ) {
    this.#most = limits.events;
    this.#mostBytes = limits.eventBytes;
    this.#all = all;
  }

  /** Lets go of everything, for good. */
  clear(): void {
    this.#all.bytes -= this.#bytes;
    this.#bytes = 0;
    this.#kept.length = 0;
    this.#lost.clear();
    this.#oldest = Infinity;
  }

  /** Events and bytes that are kept now. */
  get size(): { readonly events: number; readonly bytes: number } {
    return { events: this.#kept.length, bytes: this.#bytes };
  }

  storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const bytes = Buffer.byteLength(JSON.stringify(message));
    const sequence = ++this.#sequence;
    // An answer that came after the end of its session.
    if (this.#oldest === Infinity) return Promise.resolve(`${sequence}.${stream}`);
    this.#kept.push({ sequence, stream, message, bytes });
    this.#bytes += bytes;
    this.#all.bytes += bytes;
    while (
      this.#kept.length > this.#most || this.#bytes > this.#mostBytes || this.#all.bytes > this.#all.most
    ) {
      const oldest = this.#kept.shift();
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes;
      this.#all.bytes -= oldest.bytes;
      this.#lost.delete(oldest.stream);
      this.#lost.set(oldest.stream, oldest.sequence);
    }
    // Which stream lost something long ago is forgotten; then nothing from before that is replayed, of any stream.
    for (const [old, sequence] of this.#lost) {
      if (this.#lost.size <= this.#most) break;
      this.#lost.delete(old);
      this.#oldest = Math.max(this.#oldest, sequence);
    }
    return Promise.resolve(`${sequence}.${stream}`);
  }

  getStreamIdForEventId(id: string): Promise<string | undefined> {
    const at = this.#place(id);
    return Promise.resolve(at?.stream);
  }

  async replayEventsAfter(
    id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const at = this.#place(id);
    if (at === undefined) throw new Error("Unknown event");
    for (const { sequence, stream, message } of [...this.#kept]) {
      // A stream opens with an empty event, which only carries an id.
      if (stream !== at.stream || sequence <= at.sequence || Object.keys(message).length === 0) continue;
      await send(`${sequence}.${stream}`, message);
    }
    return at.stream;
  }

  /** Where an id stands; undefined: it is none of ours, or what came after it is gone in part. */
  #place(id: string): { sequence: number; stream: string } | undefined {
    const [, digits = "", stream = ""] = /^(\d{1,15})\.(.{1,64})$/.exec(id) ?? [];
    const sequence = Number(digits);
    if (stream === "" || sequence > this.#sequence) return undefined;
    const lost = this.#lost.get(stream);
    const existing = lost !== undefined || this.#kept.some((event) => event.stream === stream);
    return existing && sequence >= (lost ?? this.#oldest) ? { sequence, stream } : undefined;
  }
}
