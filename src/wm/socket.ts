import { connect, type Socket } from "node:net";
import { cancelled, type Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";

/** Takes what arrived; answers the messages that are complete, and how many bytes they took. Throws for nonsense. */
export type Decode = (bytes: Uint8Array) => { readonly messages: readonly Json[]; readonly used: number };

/** Most bytes of one message. */
export const MOST_BYTES = 32 << 20;

/** A conversation of requests and replies in order over a Unix socket. It ends once, and stays finished. */
export class WmSocket {
  readonly path: string;
  readonly #socket: Socket;
  readonly #waiting: { resolve(message: Json): void; reject(error: BackstepError): void }[] = [];
  #unread: Uint8Array = new Uint8Array(0);
  #closed: BackstepError | undefined;
  /** Takes what is no reply: set on a connection for events. Answers whether it took it. */
  event: (message: Json) => boolean = () => false;
  /** Called once when it ends. */
  finished: () => void = () => {};

  private constructor(socket: Socket, path: string, decode: Decode) {
    this.path = path;
    this.#socket = socket;
    socket.on("data", (chunk: Uint8Array) => {
      try {
        this.#take(chunk, decode);
      } catch (error) {
        this.#end(error instanceof Error ? error.message : String(error));
      }
    });
    socket.on("error", (error) => this.#end(error.message));
    socket.on("close", () => this.#end("it closed the connection"));
  }

  /** Connects; rejects with `no_desktop`, `timeout` or `cancelled`. */
  static open(path: string, decode: Decode, deadline: Deadline): Promise<WmSocket> {
    const doing = `reach the window manager at ${path}`;
    return timed(deadline, doing, (resolve, reject) => {
      const socket = connect({ path });
      socket.once("connect", () => {
        socket.removeListener("error", failed);
        resolve(new WmSocket(socket, path, decode));
      });
      const failed = (error: Error) => reject(gone(path, error.message));
      socket.once("error", failed);
      return () => socket.destroy();
    });
  }

  get closed(): boolean {
    return this.#closed !== undefined;
  }

  /** Sends a request; resolves with the reply that is its turn. */
  ask(bytes: Uint8Array, deadline: Deadline, doing: string): Promise<Json> {
    if (this.#closed) return Promise.reject(this.#closed);
    return timed(deadline, doing, (resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(bytes);
      // Its turn stays: the late reply is dropped there, and the next reply is not taken for it.
      return () => {};
    });
  }

  close(): void {
    this.#end("it was closed");
  }

  #take(chunk: Uint8Array, decode: Decode): void {
    const all = new Uint8Array(this.#unread.length + chunk.length);
    all.set(this.#unread);
    all.set(chunk, this.#unread.length);
    const { messages, used } = decode(all);
    this.#unread = all.subarray(used);
    if (this.#unread.length > MOST_BYTES) throw new Error(`a message is longer than ${MOST_BYTES} bytes`);
    for (const message of messages) {
      if (!this.event(message)) this.#waiting.shift()?.resolve(message);
    }
  }

  #end(why: string): void {
    if (this.#closed) return;
    const error = this.#closed = gone(this.path, why);
    this.#socket.destroy();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.finished();
  }
}

function gone(path: string, why: string): BackstepError {
  return new BackstepError("no_desktop", `Cannot reach the window manager at ${path}: ${why}`, {
    hint: "Check that it runs, and that its socket variable names this path.",
  });
}

/** A promise with a deadline; what `begin` answers is called where the deadline comes first. */
function timed<T>(
  deadline: Deadline,
  doing: string,
  begin: (resolve: (value: T) => void, reject: (error: BackstepError) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const { signal } = deadline;
    if (signal?.aborted) return reject(cancelled(doing, signal.reason));
    const over = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const fail = (error: BackstepError) => {
      over();
      reject(error);
    };
    const giveUp = (error: BackstepError) => {
      undo();
      fail(error);
    };
    const abort = () => giveUp(cancelled(doing, signal?.reason));
    const timer = setTimeout(
      () => giveUp(new BackstepError("timeout", `Cannot ${doing}: no answer in time`)),
      deadline.remaining(),
    );
    signal?.addEventListener("abort", abort, { once: true });
    const undo = begin((value) => {
      over();
      resolve(value);
    }, fail);
  });
}
