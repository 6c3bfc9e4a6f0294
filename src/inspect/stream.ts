import type { ServerResponse } from "node:http";

/** Bytes that wait for a page before it is given no more. */
const MOST_WAITING = 8 * 1024 * 1024;

/** One answer that does not end: what is written to it, and when it is over. */
export class Stream {
  readonly #response: ServerResponse;
  readonly #gone = Promise.withResolvers<void>();
  #over = false;

  constructor(response: ServerResponse, type: string) {
    this.#response = response;
    response.writeHead(200, { "content-type": type });
    response.flushHeaders();
    response.on("close", () => {
      this.#over = true;
      this.#gone.resolve();
    });
    // Who goes while something is written to them is gone.
    response.on("error", () => this.#gone.resolve());
  }

  /** Resolves when nobody reads it any more. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  get over(): boolean {
    return this.#over;
  }

  /** Answers false where it has more to write than it should: `drained` says when it can go on. */
  write(bytes: Uint8Array | string): boolean {
    if (this.#over) return true;
    this.#response.write(bytes);
    return this.#response.writableLength < MOST_WAITING;
  }

  /** Calls once everything is written. */
  drained(then: () => void): void {
    this.#response.once("drain", then);
  }

  end(): void {
    this.#response.end();
  }
}

/** A notice as an event of a stream of events. */
export function eventText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
