import { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";
import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { before } from "../base/within-deadline.ts";
import { cookieFor } from "./authority.ts";
import { displayNameOf } from "./display-name.ts";
import { Frames } from "./frames.ts";
import { greeting, screenOf, type XScreen } from "./greeting.ts";
import { internAtom, nothing, type Query } from "./requests.ts";

const ERROR = 0, REPLY = 1;
/** The errors of a window that is not there: BadWindow and BadDrawable. */
const WINDOW_GONE: ReadonlySet<number> = new Set([3, 9]);

/** An error of the display for one request. */
export class XFault extends Error {
  /** As in X.h: 3 is BadWindow. */
  readonly code: number;

  constructor(code: number) {
    super(`the display answered with error ${code}`);
    this.code = code;
  }
}

/** The result of a request about a window; undefined: the window went before it. */
export async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof XFault && WINDOW_GONE.has(error.code)) return undefined;
    throw error;
  }
}

interface Pending {
  readonly sequence: number;
  /** Undefined: it has no reply, and is done when one that was sent later is answered. */
  readonly take: ((reply: DataView) => void) | undefined;
  readonly done: () => void;
  readonly fail: (error: Error) => void;
}

/**
 * A conversation with a display of this machine in the X11 protocol. Many requests may be under way at once: those of one
 * turn are written together. It knows no deadline: whoever waits has one. It ends once, and stays finished.
 */
export class XConnection {
  readonly screen: XScreen;
  /** Takes each event. */
  event: (event: DataView) => void = () => {};
  /** Called once when it ends. */
  finished: () => void = () => {};
  readonly #socket: Socket;
  readonly #name: string;
  readonly #pending: Pending[] = [];
  #outgoing: Uint8Array[] = [];
  #sequence = 0;
  #closed: BackstepError | undefined;

  private constructor(socket: Socket, frames: Frames, name: string, screen: XScreen) {
    this.#socket = socket;
    this.#name = name;
    this.screen = screen;
    frames.take = (message) => this.#take(message);
    frames.finished = (why) => this.#end(why);
    if (frames.over !== undefined) this.#end(frames.over);
  }

  /**
   * Connects with the cookie of an authority file, or with none; `doing` is what for. Rejects with `no_desktop`, `timeout`,
   * `cancelled`, and as `displayNameOf` throws.
   */
  static async open(
    display: string,
    authority: string | undefined,
    deadline: Deadline,
    doing: string = reaching(display),
  ): Promise<XConnection> {
    const { path, number, screen } = displayNameOf(display);
    let socket: Socket | undefined;
    try {
      const cookie = authority === undefined ? undefined : cookieFor(authority, number);
      const opened = socket = connect({ path });
      const frames = new Frames(opened);
      opened.write(greeting(cookie));
      const answer = await before(frames.first, deadline, doing);
      return new XConnection(opened, frames, display, screenOf(answer, screen));
    } catch (error) {
      socket?.destroy();
      if (error instanceof BackstepError) throw error;
      throw gone(doing, error instanceof Error ? error.message : String(error), error);
    }
  }

  /** Why it ended; undefined: it stands. */
  get closed(): BackstepError | undefined {
    return this.#closed;
  }

  /** Sends a request that has a reply. Rejects with `XFault`, or with `no_desktop` where the connection ends. */
  ask<T>({ bytes, read }: Query<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const take = (reply: DataView) => {
        try {
          resolve(read(reply));
        } catch (error) {
          this.#end("it does not keep to the protocol");
          reject(gone(reaching(this.#name), "it does not keep to the protocol", error));
        }
      };
      this.#send(bytes, take, () => {}, reject);
    });
  }

  /** Sends a request that has none, and has the display confirm that it did it. */
  async tell(bytes: Uint8Array): Promise<void> {
    const confirmed = new Promise<void>((resolve, reject) => this.#send(bytes, undefined, resolve, reject));
    // That the next request is answered says that this one was done.
    await Promise.all([confirmed, this.ask(nothing)]);
  }

  /** The number of a name. */
  atom(name: string): Promise<number> {
    return this.ask(internAtom(name));
  }

  /** Ends it for a reason. */
  fail(why: string): void {
    this.#end(why);
  }

  close(): void {
    this.#end("it was closed");
  }

  #send(
    bytes: Uint8Array,
    take: Pending["take"],
    done: () => void,
    fail: (error: Error) => void,
  ): void {
    if (this.#closed) return fail(this.#closed);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#pending.push({ sequence: this.#sequence, take, done, fail });
    if (this.#outgoing.push(bytes) === 1) queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#outgoing);
    this.#outgoing = [];
    if (!this.#closed) this.#socket.write(bytes);
  }

  #take(message: DataView): void {
    if (this.#closed) return;
    const type = message.getUint8(0);
    if (type !== ERROR && type !== REPLY) return this.event(message);
    const sequence = message.getUint16(2, true);
    const at = this.#pending.findIndex((one) => one.sequence === sequence);
    const between = this.#pending.slice(0, Math.max(0, at));
    const [one] = at < 0 ? [] : this.#pending.slice(at, at + 1);
    if (one === undefined || between.some(({ take }) => take) || (type === REPLY && !one.take)) {
      return this.#end("it does not keep to the protocol");
    }
    this.#pending.splice(0, at + 1);
    for (const { done } of between) done();
    if (type === ERROR) one.fail(new XFault(message.getUint8(1)));
    else one.take?.(message);
  }

  #end(why: string): void {
    if (this.#closed) return;
    const error = this.#closed = gone(reaching(this.#name), why);
    this.#socket.destroy();
    for (const { fail } of this.#pending.splice(0)) fail(error);
    this.finished();
  }
}

/** What connecting is called in errors. */
function reaching(display: string): string {
  return `reach display ${display}`;
}

function gone(doing: string, why: string, cause?: unknown): BackstepError {
  return new BackstepError("no_desktop", `Cannot ${doing}: ${why}`, {
    cause,
    hint: "Check that it runs, and that XAUTHORITY names the file that lets you in.",
  });
}
