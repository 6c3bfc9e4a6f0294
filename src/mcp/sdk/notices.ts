import { LOG_LEVELS, type LogLevel } from "../server/wire.ts";
import type { RequestId, Server } from "./sdk.ts";

/** A notification of the server. */
export interface Notice {
  readonly method: string;
  readonly params?: { readonly [key: string]: unknown };
}

/** What one connection says by itself: it knows the level that its client wants, and when there is nobody any more. */
export class Notices {
  readonly #server: Server;
  /** The lowest level that is sent. */
  level: LogLevel;

  constructor(server: Server, level: LogLevel) {
    this.#server = server;
    this.level = level;
  }

  wants(level: LogLevel): boolean {
    return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(this.level);
  }

  /** Sends it, as part of a request's answer where one is named. What cannot be sent is told to `onerror`. */
  async send({ method, params }: Notice, related?: RequestId): Promise<void> {
    if (this.#server.transport === undefined) return;
    try {
      await this.#server.notification(
        params === undefined ? { method } : { method, params: { ...params } },
        related === undefined ? undefined : { relatedRequestId: related },
      );
    } catch (error) {
      this.#server.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** Notifications of one call, one after another; its answer waits for them. */
export class Outbox {
  readonly #notices: Notices;
  /** The request whose answer they are part of, at the time of sending. */
  readonly #related: () => RequestId | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(notices: Notices, related: () => RequestId | undefined) {
    this.#notices = notices;
    this.#related = related;
  }

  push(notice: Notice): void {
    this.#last = this.#last.then(() => this.#notices.send(notice, this.#related()));
  }

  /** Settles when all have been sent. */
  get sent(): Promise<void> {
    return this.#last;
  }
}
