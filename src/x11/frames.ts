import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { view } from "./bytes.ts";

/** Bytes of an error, an event or the head of a reply; and of the head of the greeting's answer. */
const HEAD = 32, FIRST_HEAD = 8;
const REPLY = 1, GENERIC_EVENT = 35;
/** Most bytes of one message. */
const MOST_BYTES = 32 << 20;

/** Cuts what an X server sends into messages: first the answer to the greeting, then replies, errors and events. */
export class Frames {
  /** The answer to the greeting; rejects where the connection ends before it. */
  readonly first: Promise<DataView>;
  /** Takes each later message. */
  take: (message: DataView) => void = () => {};
  /** Called once when the connection ends. */
  finished: (why: string) => void = () => {};
  /** Why it ended; undefined: it stands. */
  over: string | undefined;
  #chunks: Uint8Array[] = [];
  #held = 0;
  #needed = FIRST_HEAD;
  #greeted = false;

  constructor(socket: Socket) {
    const { promise, resolve, reject } = Promise.withResolvers<DataView>();
    this.first = promise;
    promise.catch(() => {}); // whoever waits for it hears of it
    const end = (why: string) => {
      if (this.over !== undefined) return;
      this.over = why;
      socket.destroy();
      reject(new Error(why));
      this.finished(why);
    };
    socket.on("data", (chunk: Uint8Array) => {
      this.#chunks.push(chunk);
      this.#held += chunk.length;
      while (this.over === undefined && this.#held >= this.#needed) {
        const message = this.#next();
        if (message === "nonsense") end("it does not speak X11");
        else if (message === undefined) break;
        else if (this.#greeted) this.take(message);
        else this.#greeted = true, this.#needed = HEAD, resolve(message);
      }
    });
    socket.on("error", (error) => end(error.message));
    socket.on("close", () => end("it closed the connection"));
  }

  /** The next message; undefined: more has to come. Chunks are joined once it is whole, so that a long one costs no more. */
  #next(): DataView | "nonsense" | undefined {
    const [only, ...others] = this.#chunks;
    const data = only !== undefined && others.length === 0 ? only : Buffer.concat(this.#chunks);
    this.#chunks = [data];
    const size = this.#greeted ? sizeOf(view(data)) : firstSizeOf(view(data));
    if (size === undefined || size > MOST_BYTES) return "nonsense";
    this.#needed = size;
    if (data.length < size) return undefined;
    this.#chunks = [data.subarray(size)];
    this.#held = data.length - size;
    this.#needed = HEAD;
    return view(data.subarray(0, size));
  }
}

/** Failed, Success or Authenticate, the latter two of version 11. */
function firstSizeOf(head: DataView): number | undefined {
  const status = head.getUint8(0);
  if (status > 2 || (status === 1 && head.getUint16(2, true) !== 11)) return undefined;
  return FIRST_HEAD + 4 * head.getUint16(6, true);
}

function sizeOf(head: DataView): number {
  const type = head.getUint8(0) & 0x7f;
  return type === REPLY || type === GENERIC_EVENT ? HEAD + 4 * head.getUint32(4, true) : HEAD;
}
