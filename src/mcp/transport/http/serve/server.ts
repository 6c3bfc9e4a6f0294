/** Answers a request; `sent` settles when the whole response has gone, or cannot go any more. */
export type Handler = (request: Request, sent: Promise<void>) => Promise<Response>;

/** What serves HTTP on a Unix socket: `deno.ts` with `Deno.serve`, `node.ts` with `node:http`. */
export interface InnerServer {
  /** Takes nobody new, and resolves when all that was asked has been answered. */
  shutdown(): Promise<void>;
}

/** How it serves. */
export interface ServeOptions {
  /** The socket's path. */
  readonly path: string;
  readonly handler: Handler;
  /** What is answered where the handler throws. */
  failed(): Response;
}
