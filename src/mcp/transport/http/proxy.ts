import { connect, createServer, type Server, type Socket } from "node:net";
import { type Refusal, refusalWire, refuse } from "./answers.ts";
import { bytesOfLast, END_OF_HEAD, faultOfHead } from "./heads.ts";
import type { HttpLimits } from "./limits.ts";
import { HalfSent, RequestMeter } from "./meter.ts";

/** How long a client that was turned away has for reading why, in milliseconds. */
const LINGER_MS = 1_000;

/** One connection. */
interface Guest {
  readonly socket: Socket;
  /** What leads on to the server, once the first head has come. */
  inner: Socket | undefined;
  /** When the last byte went either way, in milliseconds. */
  moved: number;
  /** When the client began to send what has not been answered yet. */
  asking: number | undefined;
  /** How far what it sends is. */
  readonly meter: RequestMeter;
  /** It has been answered something. */
  answered: boolean;
}

/**
 * The door in front of the HTTP server: counts connections, and lets only those through that have sent a whole head of
 * HTTP/1 in time. `Deno.serve` has no bound for either; with `node:http` behind it, both answer alike.
 */
export class HttpProxy {
  readonly #limits: HttpLimits;
  readonly #inner: string;
  readonly #patient: boolean;
  readonly #server: Server;
  readonly #guests = new Set<Guest>();
  /** Those of them whose request is not whole. */
  readonly #halfSent: HalfSent<Guest>;
  readonly #leaving = new Set<Socket>();
  #closed: Promise<void> | undefined;
  #drained: (() => void) | undefined;
  #sweep: ReturnType<typeof setInterval> | undefined;

  private constructor(inner: string, patient: boolean, limits: HttpLimits) {
    this.#inner = inner;
    this.#patient = patient;
    this.#limits = limits;
    this.#halfSent = new HalfSent(limits.unfinished);
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#welcome(socket));
  }

  /**
   * Listens on `bind`, and hands connections on to the Unix socket `inner`. `patient`: an answer may take as long as it
   * likes to begin. Rejects where it cannot listen.
   */
  static open(
    options: { bind: string; port: number; inner: string; patient: boolean; limits: HttpLimits },
  ): Promise<HttpProxy> {
    const proxy = new HttpProxy(options.inner, options.patient, options.limits);
    return new Promise((resolve, reject) => {
      proxy.#server.once("error", reject);
      proxy.#server.listen({ host: options.bind, port: options.port }, () => {
        proxy.#server.off("error", reject);
        // A failing accept (no descriptors left) must not end the process.
        proxy.#server.on("error", () => {});
        proxy.#sweep = setInterval(() => proxy.#cutSilent(), Math.min(1_000, options.limits.silentMs));
        resolve(proxy);
      });
    });
  }

  /** The port that it listens on. */
  get port(): number {
    const address = this.#server.address();
    return address !== null && typeof address === "object" ? address.port : 0;
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.#guests.size;
  }

  /** Lets nobody in any more. */
  shut(): void {
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Resolves when nobody is in any more, or after `ms`. */
  drained(ms: number): Promise<void> {
    if (this.#guests.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const late = setTimeout(resolve, ms);
      this.#drained = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }

  /** Ends what is still open. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.shut();
    for (const guest of this.#guests) this.#part(guest);
    for (const socket of this.#leaving) socket.destroy();
    await this.#closed;
  }

  #welcome(socket: Socket): void {
    if (this.#guests.size >= this.#limits.connections) {
      // Who sends slowly or has asked nothing yet makes room, then who wants nothing any more: none of them can keep
      // everybody else out.
      const full = refuse(503, "Too many connections", { headers: { "retry-after": "1" } });
      const guests = [...this.#guests];
      const slow = this.#halfSent.slowest();
      const mute = guests.find((guest) => guest.inner === undefined);
      const idle = guests.find((guest) => this.#idle(guest));
      const began = slow?.meter.unfinished?.since ?? Infinity;
      if (slow !== undefined && began <= (mute?.moved ?? Infinity)) this.#evict(slow);
      else if (mute !== undefined) {
        this.#guests.delete(mute);
        this.#turnAway(mute.socket, full);
      } else if (idle !== undefined) this.#part(idle);
      else return this.#turnAway(socket, full);
    }
    const guest: Guest = {
      socket,
      inner: undefined,
      moved: Date.now(),
      asking: undefined,
      meter: new RequestMeter(),
      answered: false,
    };
    this.#guests.add(guest);
    this.#readHead(guest);
  }

  #readHead(guest: Guest): void {
    const { socket } = guest;
    let head = "";
    const leave = (refusal: Refusal | undefined) => {
      clearTimeout(late);
      socket.off("data", onData);
      socket.off("end", onEnd);
      socket.off("close", onEnd);
      socket.off("error", onEnd);
      if (refusal !== undefined) {
        this.#guests.delete(guest);
        this.#turnAway(socket, refusal);
      }
    };
    const onData = (chunk: Uint8Array) => {
      if (!this.#guests.has(guest)) return leave(undefined);
      head += Buffer.from(chunk).toString("latin1");
      const end = head.indexOf(END_OF_HEAD);
      const size = end < 0 ? head.length : end + END_OF_HEAD.length;
      if (size > this.#limits.headerBytes) return leave(refuse(431, "The headers are too large"));
      if (end < 0) return;
      const fault = faultOfHead(head.slice(0, end), this.#limits.headers);
      leave(fault);
      if (fault === undefined) this.#letIn(guest, Buffer.from(head, "latin1"));
    };
    const onEnd = () => {
      leave(undefined);
      this.#part(guest);
    };
    const late = setTimeout(
      () => leave(this.#guests.has(guest) ? refuse(408, "The headers did not come in time") : undefined),
      this.#limits.headMs,
    );
    socket.on("data", onData);
    socket.on("end", onEnd);
    socket.on("close", onEnd);
    socket.on("error", onEnd);
  }

  #letIn(guest: Guest, head: Buffer): void {
    const { socket } = guest;
    const inner = connect({ path: this.#inner, allowHalfOpen: true });
    guest.inner = inner;
    guest.moved = Date.now();
    guest.asking = guest.moved;
    inner.write(head);
    socket.on("data", (chunk) => {
      guest.moved = Date.now();
      guest.asking ??= guest.moved;
      this.#measure(guest, chunk);
    });
    socket.pipe(inner);
    inner.pipe(socket);
    // After the pipe, which writes first.
    let last: number | undefined;
    inner.on("data", (chunk) => {
      guest.moved = Date.now();
      guest.answered = true;
      if (guest.asking !== undefined) last = bytesOfLast(chunk);
      guest.asking = undefined;
      if (last === undefined) return;
      last -= chunk.length;
      if (last <= 0) this.#dismiss(guest);
    });
    socket.on("close", () => this.#part(guest));
    socket.on("error", () => this.#part(guest));
    // What the server has said is still on its way to the client.
    inner.on("close", () => socket.destroySoon());
    inner.on("error", () => socket.destroySoon());
    this.#measure(guest, head);
  }

  /** Hears what a guest sends. Where too many are in the middle of it, the slowest goes. */
  #measure(guest: Guest, chunk: Uint8Array): void {
    const slow = this.#halfSent.hear(guest, chunk);
    if (slow !== undefined) this.#evict(slow);
  }

  /** Ends who sends too slowly while others wait. */
  #evict(guest: Guest): void {
    // In the middle of an answer nothing else can be said.
    if (guest.answered) return this.#part(guest);
    const { socket, inner } = guest;
    this.#forget(guest);
    socket.removeAllListeners("close").removeAllListeners("data");
    inner?.removeAllListeners("close");
    inner?.unpipe(socket);
    socket.unpipe();
    inner?.destroy();
    const headers = { "retry-after": "1" };
    this.#turnAway(socket, refuse(408, "The request came too slowly while others waited", { headers }));
  }

  #forget(guest: Guest): void {
    this.#guests.delete(guest);
    this.#halfSent.forget(guest);
    if (this.#guests.size === 0) this.#drained?.();
  }

  /** Says why, and closes; what the client still sends is thrown away, or it would never read the answer. */
  #turnAway(socket: Socket, refusal: Refusal): void {
    if (this.#leaving.size >= this.#limits.connections * 4) return void socket.destroy();
    this.#leave(socket, refusalWire(refusal));
  }

  /** Has been answered for the last time: the server says so in its answer, and keeps the connection. */
  #dismiss(guest: Guest): void {
    const { socket, inner } = guest;
    this.#forget(guest);
    socket.removeAllListeners("close").removeAllListeners("data");
    inner?.removeAllListeners("close");
    inner?.unpipe(socket);
    inner?.destroy();
    this.#leave(socket, "");
  }

  #leave(socket: Socket, lastWords: string): void {
    this.#leaving.add(socket);
    const gone = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.on("close", () => {
      clearTimeout(gone);
      this.#leaving.delete(socket);
    });
    socket.on("error", () => socket.destroy());
    socket.on("end", () => socket.destroy());
    socket.resume();
    socket.end(lastWords);
  }

  #part(guest: Guest): void {
    this.#forget(guest);
    guest.socket.destroy();
    guest.inner?.destroy();
  }

  /** Whether nothing is asked, and no stream shows that it lives. */
  #idle({ inner, asking, moved }: Guest): boolean {
    return inner !== undefined && asking === undefined && Date.now() - moved > 2 * this.#limits.keepAliveMs;
  }

  /** Cuts who has been silent for too long, and who takes too long over one request. */
  #cutSilent(): void {
    const now = Date.now();
    // Bodies have a bound of their own, which answers better than a cut does.
    const slow = this.#limits.headMs + this.#limits.bodyMs;
    for (const guest of this.#guests) {
      const { asking, moved } = guest;
      // A call that is answered as JSON may be silent for long; a stream begins at once.
      const unasked = asking !== undefined && (this.#patient ? moved : now) - asking > slow;
      if (unasked || now - moved > this.#limits.silentMs) this.#part(guest);
    }
  }
}
