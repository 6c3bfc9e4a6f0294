import { END_OF_HEAD } from "./heads.ts";

/** Milliseconds after which a request's bytes tell how fast it comes. */
const YOUNG_MS = 1_000;
/** Bytes of a head or of a chunk's size beyond which nobody looks for its end: the server refuses it. */
const LONGEST_HEAD = 64 * 1024;

/** A request of which only a part has come. */
export interface Unfinished {
  /** When its first byte came, in milliseconds since 1970. */
  readonly since: number;
  /** What has come of it. */
  readonly bytes: number;
}

/**
 * Tells how far the request is that comes on a connection, by its framing: a length or chunks. It decides nothing about what
 * a request is; where it is wrong, another connection gives way.
 */
export class RequestMeter {
  #state: "between" | "head" | "body" | "size" | "trailer" | "lost" = "between";
  /** What has come of a head or a line. */
  #text = "";
  /** Bytes of a body or chunk that are still to come. */
  #left = 0;
  #chunked = false;
  #since = 0;
  #bytes = 0;

  /** The request that is not whole; undefined: all that came is. */
  get unfinished(): Unfinished | undefined {
    return this.#state === "between" ? undefined : { since: this.#since, bytes: this.#bytes };
  }

  /** Bytes that came, in their order. */
  take(chunk: Uint8Array): void {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (rest.length > 0) {
      if (this.#state === "lost") return;
      if (this.#state === "between") this.#begin();
      const taken = this.#state === "body" ? this.#takeBody(rest) : this.#takeText(rest);
      this.#bytes += taken;
      rest = rest.subarray(taken);
    }
  }

  #begin(): void {
    this.#state = "head";
    this.#text = "";
    this.#since = Date.now();
    this.#bytes = 0;
  }

  #takeBody(rest: Buffer): number {
    const taken = Math.min(rest.length, this.#left);
    this.#left -= taken;
    if (this.#left === 0) this.#state = this.#chunked ? "size" : "between";
    return taken;
  }

  /** A head, or a line of a chunked body. */
  #takeText(rest: Buffer): number {
    const end = this.#state === "head" ? END_OF_HEAD : "\r\n";
    const before = this.#text.length;
    this.#text += rest.toString("latin1");
    const at = this.#text.indexOf(end, Math.max(0, before - end.length + 1));
    if (at < 0) {
      if (this.#text.length > LONGEST_HEAD) this.#state = "lost";
      return rest.length;
    }
    const text = this.#text.slice(0, at);
    this.#text = "";
    if (this.#state === "head") this.#afterHead(text);
    else if (this.#state === "size") this.#afterSize(text);
    else if (text === "") this.#state = "between";
    return at + end.length - before;
  }

  #afterHead(head: string): void {
    this.#chunked = /\r\ntransfer-encoding:.*chunked/i.test(head);
    this.#left = Number(/\r\ncontent-length:\s*(\d+)/i.exec(head)?.[1] ?? 0);
    this.#state = this.#chunked ? "size" : this.#left > 0 ? "body" : "between";
  }

  #afterSize(line: string): void {
    const size = /^[\da-f]{1,12}/i.exec(line)?.[0];
    if (size === undefined) this.#state = "lost";
    else if (Number.parseInt(size, 16) === 0) this.#state = "trailer";
    else {
      // With the line's end behind it.
      this.#left = Number.parseInt(size, 16) + 2;
      this.#state = "body";
    }
  }
}

/**
 * Which of these requests comes the slowest, by its bytes in the time since it began; of several the one named first. Who has
 * just begun is judged as after `young` milliseconds, or a single packet would count as fast. Undefined: all are whole.
 */
export function slowest<T>(
  all: Iterable<T>,
  of: (one: T) => Unfinished | undefined,
  young: number,
): T | undefined {
  const now = Date.now();
  let found: { readonly one: T; readonly rate: number } | undefined;
  for (const one of all) {
    const unfinished = of(one);
    if (unfinished === undefined) continue;
    const rate = unfinished.bytes / Math.max(young, now - unfinished.since);
    if (found === undefined || rate < found.rate) found = { one, rate };
  }
  return found?.one;
}

/** Those whose request has begun to come and is not whole: a bounded number. */
export class HalfSent<T extends { readonly meter: RequestMeter }> {
  readonly #all = new Set<T>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Hears what one of them, or another, sends. Answers who has to go, where there are too many by now. */
  hear(one: T, chunk: Uint8Array): T | undefined {
    one.meter.take(chunk);
    if (one.meter.unfinished === undefined) this.#all.delete(one);
    else this.#all.add(one);
    return this.#all.size > this.#most ? this.slowest() : undefined;
  }

  /** Who sends the slowest. */
  slowest(): T | undefined {
    return slowest(this.#all, ({ meter }) => meter.unfinished, YOUNG_MS);
  }

  forget(one: T): void {
    this.#all.delete(one);
  }
}
