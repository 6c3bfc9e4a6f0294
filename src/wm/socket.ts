import { connect, type Socket } from "node:net";
import { cancelled, type Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";

/** Takes what arrived next, and hands on each message that it completes. Throws for nonsense. */
export type Decode = (chunk: Uint8Array, take: (message: Json) => void) => void;

/** Most bytes of one message. */
export const MOST_BYTES = 32 << 20;

/** A conversation of requests and replies in order over a Unix socket. It ends once, and stays finished. */
export class WmSocket {
  readonly path: string;
  readonly #socket: Socket;
  readonly #waiting: { resolve(message: Json): void; reject(error: BackstepError): void }[] = [];
  #closed: BackstepError | undefined;
  /** Takes what is no reply: set on a connection for events. Answers whether it took it. */
  event: (message: Json) => boolean = () => false;
  /** Called once when it ends. */
  finished: () => void = () => {};

  private constructor(socket: Socket, path: string, decode: Decode) {
    this.path = path;
    this.#socket = socket;
    const take = (message: Json) => {
      if (!this.#closed && !this.event(message)) this.#waiting.shift()?.resolve(message);
    };
    socket.on("data", (chunk: Uint8Array) => {
      try {
        decode(chunk, take);
      } catch (error) {
        this.#end(error instanceof Error ? error.message : String(error));
      }
    });
    socket.on("error", (error) => this.#end(error.message));
    socket.on("close", () => this.#end("it closed the connection"));
  }

  /** Connects; rejects with `no_desktop`, `timeout` or `cancelled`. */
  static open(path: string, decode: Decode, deadline: Deadline): Promise<WmSocket> {
    return timed(deadline, reaching(path), "not_sent", (resolve, reject) => {
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

  /** Why it ended; undefined: it stands. */
  get closed(): BackstepError | undefined {
    return this.#closed;
  }

  /** Sends a request; resolves with the reply that is its turn. */
  ask(bytes: Uint8Array, deadline: Deadline, doing: string): Promise<Json> {
    if (this.#closed) return Promise.reject(this.#closed);
    return timed(deadline, doing, "unknown", (resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(bytes);
      // Its turn stays: the late reply is dropped there, and the next reply is not taken for it.
      return () => {};
    });
  }

  close(): void {
    this.#end("it was closed");
  }

  #end(why: string): void {
    if (this.#closed) return;
    const error = this.#closed = gone(this.path, why);
    this.#socket.destroy();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.finished();
  }
}

/** A message as JSON. What the parser quotes of it is left out of the error: it is somebody else's text. */
export function jsonOf(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    throw new Error(`a message of ${text.length} characters is not JSON`, { cause: error });
  }
}

/** The error of a message that is longer than any window manager's. */
export function tooLong(): Error {
  return new Error(`a message is longer than ${MOST_BYTES} bytes`);
}

/** What connecting is called in errors. */
export function reaching(path: string): string {
  return `reach the window manager at ${path}`;
}

/** The error of a window manager that does not answer. */
export function gone(path: string, why: string): BackstepError {
  return new BackstepError("no_desktop", `Cannot ${reaching(path)}: ${why}`, {
    hint: "Check that it runs, and that its socket variable names this path.",
  });
}

/**
 * A promise with a deadline; what `begin` answers is called where the deadline comes first. `outcome` says what a
 * timeout leaves of the request.
 */
export function timed<T>(
  deadline: Deadline,
  doing: string,
  outcome: "not_sent" | "unknown",
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
      () =>
        giveUp(new BackstepError("timeout", `Cannot ${doing}: no answer in time`, { details: { outcome } })),
      deadline.remaining(),
    );
    signal?.addEventListener("abort", abort, { once: true });
    const undo = begin((value) => {
      over();
      resolve(value);
    }, fail);
  });
}
