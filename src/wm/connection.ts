import { type Call, Deadline } from "../base/call.ts";
import { type BackstepError, toBackstepError } from "../base/error.ts";
import { gone, reaching, timed } from "./socket.ts";

/** Milliseconds that one request may take. */
const REQUEST = 2_000;
/** Milliseconds between attempts to hear of events again, the first and the longest. */
const FIRST = 50, LONGEST = 2_000;

/** A conversation with a window manager. It ends once. */
export interface Link {
  /** Why it ended; undefined: it stands. */
  readonly closed: BackstepError | undefined;
  /** Called once when it ends. */
  finished: () => void;
  close(): void;
}

/** How a window manager speaks. */
export interface Protocol<L extends Link> {
  /** Makes a connection. */
  open(deadline: Deadline): Promise<L>;
  /** Makes a fresh connection one for events; every event is given to `event`. */
  listen(link: L, event: () => void, deadline: Deadline): Promise<void>;
}

/** The requests and the events of one window manager: two connections, each made anew when it is lost. */
export class Connection<L extends Link> {
  /** What it is called in errors. */
  readonly #path: string;
  readonly #protocol: Protocol<L>;
  readonly #listeners = new Set<() => void>();
  #requests: L | undefined;
  /** The attempt under way: whoever asks meanwhile waits for the same one. */
  #opening: Promise<L> | undefined;
  #events: L | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #listening = false;
  #closed = false;
  /** Counts listening anew, so that an attempt that was overtaken ends itself. */
  #turn = 0;
  /** Why no events are heard at present; undefined: they are, or nobody listens. */
  silence: BackstepError | undefined;

  constructor(path: string, protocol: Protocol<L>) {
    this.#path = path;
    this.#protocol = protocol;
  }

  /** Talks over the standing connection, or over a new one. */
  async use<T>(talk: (link: L, deadline: Deadline) => Promise<T>, call?: Call): Promise<T> {
    const deadline = Deadline.of(call, REQUEST);
    return await talk(await this.#connected(deadline), deadline);
  }

  /** Calls `changed` after each event and after each new connection for them. */
  on(changed: () => void): () => void {
    if (this.#closed) return () => {};
    this.#listeners.add(changed);
    if (!this.#listening) void this.#listen(FIRST);
    return () => {
      this.#listeners.delete(changed);
      if (this.#listeners.size === 0) this.#deafen();
    };
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    this.#deafen();
    this.#requests?.close();
  }

  /** The connection for requests. It awaits nothing before it has stored an attempt: requests at once share one. */
  #connected(deadline: Deadline): Promise<L> {
    if (this.#closed) return Promise.reject(gone(this.#path, "it was closed"));
    if (this.#requests !== undefined && !this.#requests.closed) return Promise.resolve(this.#requests);
    return timed(deadline, reaching(this.#path), "not_sent", (resolve, reject) => {
      (this.#opening ??= this.#open()).then(resolve, (error) => reject(toBackstepError(error)));
      return () => {};
    });
  }

  /** Has a deadline of its own: who asked first may give up before the others. */
  async #open(): Promise<L> {
    try {
      const link = await this.#protocol.open(Deadline.after(REQUEST));
      this.#requests = link;
      if (this.#closed) link.close();
      return link;
    } finally {
      this.#opening = undefined;
    }
  }

  #deafen(): void {
    this.#turn++;
    clearTimeout(this.#timer);
    this.#events?.close();
    this.#events = undefined;
    this.#listening = false;
    this.silence = undefined;
  }

  async #listen(wait: number): Promise<void> {
    this.#listening = true;
    const turn = ++this.#turn;
    const deadline = Deadline.after(REQUEST);
    let link: L | undefined;
    try {
      const opened = link = await this.#protocol.open(deadline);
      await this.#protocol.listen(opened, () => this.#tell(), deadline);
      if (turn !== this.#turn) return opened.close();
      const began = performance.now();
      const lost = () => {
        if (turn !== this.#turn) return;
        this.silence = opened.closed;
        // One that ends again and again is not tried ever faster.
        this.#again(performance.now() - began >= LONGEST ? FIRST : wait);
      };
      if (opened.closed) return lost();
      this.silence = undefined;
      this.#events = opened;
      opened.finished = lost;
      // What happened before is not repeated: whoever listens reads again.
      this.#tell();
    } catch (error) {
      link?.close();
      if (turn !== this.#turn) return;
      this.silence = toBackstepError(error);
      this.#again(wait);
    }
  }

  /** Listens anew after `wait`; the attempt after that one waits twice as long. */
  #again(wait: number): void {
    const turn = this.#turn;
    this.#events = undefined;
    this.#tell();
    if (turn !== this.#turn) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#listen(Math.min(LONGEST, wait * 2)), wait);
  }

  #tell(): void {
    for (const changed of [...this.#listeners]) changed();
  }
}
