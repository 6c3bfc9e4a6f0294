import { type Call, Deadline } from "../base/call.ts";
import { type BackstepError, type Json, toBackstepError } from "../base/error.ts";
import { type Decode, WmSocket } from "./socket.ts";

/** Milliseconds that one request may take. */
const REQUEST = 2_000;
/** Milliseconds between attempts to hear of events again, the first and the longest. */
const FIRST = 50, LONGEST = 2_000;

/** How a window manager speaks. */
export interface Protocol {
  readonly decode: Decode;
  /** Makes a fresh connection one for events; every event is given to `event`. */
  listen(socket: WmSocket, event: () => void, deadline: Deadline): Promise<void>;
}

/** The requests and the events of one window manager: two connections, each made anew when it is lost. */
export class Connection {
  readonly #path: string;
  readonly #protocol: Protocol;
  readonly #listeners = new Set<() => void>();
  #requests: Promise<WmSocket> | undefined;
  #events: WmSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #listening = false;
  #closed = false;
  /** Counts listening anew, so that an attempt that was overtaken ends itself. */
  #turn = 0;
  /** Why no events are heard at present; undefined: they are, or nobody listens. */
  silence: BackstepError | undefined;

  constructor(path: string, protocol: Protocol) {
    this.#path = path;
    this.#protocol = protocol;
  }

  /** Sends a request over the standing connection, or over a new one. */
  async ask(bytes: Uint8Array, doing: string, call?: Call): Promise<Json> {
    const deadline = Deadline.of(call, REQUEST);
    const socket = await this.#connected(deadline);
    return await socket.ask(bytes, deadline, doing);
  }

  /** Calls `changed` after each event and after each new connection for them. */
  on(changed: () => void): () => void {
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
    void this.#requests?.then((socket) => socket.close(), () => {});
  }

  async #connected(deadline: Deadline): Promise<WmSocket> {
    const standing = await this.#requests?.catch(() => undefined);
    if (standing !== undefined && !standing.closed) return standing;
    const opening = WmSocket.open(this.#path, this.#protocol.decode, deadline);
    this.#requests = opening;
    return await opening;
  }

  #deafen(): void {
    this.#turn++;
    clearTimeout(this.#timer);
    this.#events?.close();
    this.#events = undefined;
    this.#listening = false;
  }

  async #listen(wait: number): Promise<void> {
    this.#listening = true;
    const turn = ++this.#turn;
    const deadline = Deadline.after(REQUEST);
    let socket: WmSocket | undefined;
    try {
      socket = await WmSocket.open(this.#path, this.#protocol.decode, deadline);
      await this.#protocol.listen(socket, () => this.#tell(), deadline);
      if (turn !== this.#turn || this.#listeners.size === 0 || this.#closed) return socket.close();
      this.silence = undefined;
      this.#events = socket;
      if (socket.closed) this.#again(FIRST);
      else socket.finished = () => turn === this.#turn ? this.#again(FIRST) : undefined;
      // What happened before is not repeated: whoever listens reads again.
      this.#tell();
    } catch (error) {
      socket?.close();
      if (turn !== this.#turn) return;
      this.silence = toBackstepError(error);
      this.#again(Math.min(LONGEST, wait * 2));
    }
  }

  #again(wait: number): void {
    this.#events = undefined;
    if (this.#listeners.size === 0 || this.#closed) return;
    this.#tell();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#listen(wait), wait);
  }

  #tell(): void {
    for (const changed of [...this.#listeners]) changed();
  }
}
