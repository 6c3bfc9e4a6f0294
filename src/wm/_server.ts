import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { Deadline } from "../base/call.ts";

/** A server on a Unix socket that tests speak through; it can end and come back at the same path. */
export class StandIn {
  readonly path: string;
  readonly #talk: (socket: Socket) => void;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  /** Connections that it took since it began. */
  accepted = 0;

  constructor(path: string, talk: (socket: Socket) => void) {
    this.path = path;
    this.#talk = talk;
  }

  async start(): Promise<void> {
    this.accepted = 0;
    const server = this.#server = createServer((socket) => {
      this.accepted++;
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      // A client that leaves while it is written to is none of the test's business: the test sees what the client says.
      socket.on("error", () => socket.destroy());
      this.#talk(socket);
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.path, resolve);
    });
  }

  /** Ends it as a crash does: every connection goes, and nobody listens. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const over = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await over;
    rmSync(this.path, { force: true });
  }
}

/** Counts calls; `next` resolves with the count once it is beyond `seen`. */
export class Bell {
  count = 0;
  #woken = Promise.withResolvers<void>();

  readonly ring = (): void => {
    this.count++;
    this.#woken.resolve();
    this.#woken = Promise.withResolvers<void>();
  };

  async next(seen: number, milliseconds = 5_000): Promise<number> {
    const deadline = Deadline.after(milliseconds);
    while (this.count <= seen) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => late.reject(new Error(`rung ${this.count} times, no more`)),
        deadline.remaining(),
      );
      try {
        await Promise.race([this.#woken.promise, late.promise]);
      } finally {
        clearTimeout(timer);
      }
    }
    return this.count;
  }

  /** Waits until the condition holds after a call; the condition is looked at after each. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let seen = this.count; !await holds();) seen = await this.next(seen);
  }
}
