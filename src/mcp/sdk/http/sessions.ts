import { randomBytes } from "node:crypto";
import type { Acting } from "./acting.ts";
import type { Consent } from "./consent.ts";
import type { Transport } from "./sdk.ts";
import { sessionLabel } from "../../transport/session-label.ts";

/** What speaks MCP with one client: an SDK server with everything behind it. */
export interface ServedServer {
  connect(transport: Transport): Promise<void>;
  /** Ends it with all that the client has on it; a second call does nothing. */
  close(): Promise<void>;
}

/** What is known of a session when it begins. */
export interface SessionAbout {
  /** Whose it is. */
  readonly subject: string;
  /** Revision of the protocol that was asked for. */
  readonly revision: string;
  /** What acts in it. */
  readonly acting: Acting;
  /** What its person is asked to consent to, where its client can send them to a page. */
  readonly consent?: Consent;
}

/** One client's session over HTTP. */
export class HttpSession<T extends Transport = Transport> {
  readonly id: string;
  readonly about: SessionAbout;
  readonly transport: T;
  readonly #server: ServedServer;
  readonly #listeners = new Set<() => void>();
  #open = 0;
  #used = Date.now();
  #finished: Promise<void> | undefined;

  constructor(id: string, about: SessionAbout, transport: T, server: ServedServer) {
    this.id = id;
    this.about = about;
    this.transport = transport;
    this.#server = server;
  }

  /** A request of it is being answered until `sent` settles: it is in use. */
  inUse(sent: Promise<void>): void {
    this.#open++;
    this.#used = Date.now();
    sent.finally(() => {
      this.#open--;
      this.#used = Date.now();
    });
  }

  /** Whether nothing of it has been in use since then, in milliseconds since 1970. */
  idleSince(then: number): boolean {
    return this.#open === 0 && this.#used <= then;
  }

  /** Called when it ends; answers how to end that. */
  onEnd(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends it, once. */
  end(): Promise<void> {
    return this.#finished ??= (async () => {
      for (const listener of this.#listeners) listener();
      await this.#server.close();
    })();
  }
}

/** The sessions of a server: a bounded number of them, each with an end. */
export class HttpSessions {
  readonly #sessions = new Map<string, HttpSession>();
  readonly #ending = new Set<Promise<void>>();
  readonly #most: number;
  readonly #idleMs: number;
  readonly #failed: (thrown: unknown) => void;
  readonly #sweep: ReturnType<typeof setInterval>;
  #starting = 0;

  /** `failed` is told where a session could not be ended in order. */
  constructor(
    limits: { readonly sessions: number; readonly idleMs: number },
    failed: (thrown: unknown) => void,
  ) {
    this.#most = limits.sessions;
    this.#idleMs = limits.idleMs;
    this.#failed = failed;
    const every = Math.max(50, Math.min(30_000, limits.idleMs / 4));
    this.#sweep = setInterval(() => this.#expire(), every);
    this.#sweep.unref?.();
  }

  /** Sessions that are open. */
  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Begins a session; undefined: there are as many as there may be. `make` gets its id, which is for what carries its messages
   * alone, and the label that it has everywhere else; it answers what carries its messages and what answers them.
   */
  async open<T extends Transport>(
    about: SessionAbout,
    make: (id: string, label: string) => Promise<{ transport: T; server: ServedServer }>,
  ): Promise<HttpSession<T> | undefined> {
    if (this.#sessions.size + this.#starting >= this.#most) return undefined;
    this.#starting++;
    try {
      const id = randomBytes(32).toString("base64url");
      const { transport, server } = await make(id, sessionLabel(id));
      const session = new HttpSession(id, about, transport, server);
      this.#sessions.set(id, session);
      session.onEnd(() => this.#sessions.delete(id));
      // Before connecting: the SDK keeps what it finds here, and calls it first.
      transport.onclose = () => void this.#end(session);
      try {
        await server.connect(transport);
      } catch (thrown) {
        await this.#end(session);
        throw thrown;
      }
      return session;
    } finally {
      this.#starting--;
    }
  }

  /** The session of this id, where it is this subject's: another's is not found. */
  find(id: string, subject: string): HttpSession | undefined {
    const session = this.#sessions.get(id);
    return session?.about.subject === subject ? session : undefined;
  }

  /** Ends one. */
  async end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session !== undefined) await this.#end(session);
  }

  /** Ends all, and waits for those that are ending already. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    for (const session of [...this.#sessions.values()]) void this.#end(session);
    await Promise.all(this.#ending);
  }

  async #end(session: HttpSession): Promise<void> {
    const finished = session.end().catch(this.#failed);
    this.#ending.add(finished);
    await finished;
    this.#ending.delete(finished);
  }

  #expire(): void {
    const before = Date.now() - this.#idleMs;
    for (const session of [...this.#sessions.values()]) {
      if (session.idleSince(before)) void this.#end(session);
    }
  }
}
