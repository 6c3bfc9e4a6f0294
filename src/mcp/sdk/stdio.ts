import { fstatSync } from "node:fs";
import { Socket } from "node:net";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Host } from "../server/host.ts";
import type { McpSession } from "../server/call.ts";
import type { LogLevel } from "../server/wire.ts";
import { makeServer } from "./server.ts";
import { StdioTransport, type Write } from "./stdio-transport.ts";

/** Milliseconds after which the rest is loaded though nobody has asked for anything. */
const PATIENCE = 300;

/** How to serve one client on standard input and output. */
export interface StdioOptions {
  /**
   * Opens what is served. Called once the client has its first answer, since that one is wanted at once. The signal fires
   * when the client has gone by then.
   */
  open(gone: AbortSignal): Promise<{ readonly host: Host; readonly session: McpSession }>;
  readonly logLevel?: LogLevel;
  /** As of `makeServer`. */
  readonly grace?: number;
  /** Fires: end as if the client had. */
  readonly stop?: AbortSignal;
  /** What could not be read or sent, for a log. */
  readonly onError?: (error: Error) => void;
}

/**
 * Serves the client at the other end of standard input and output until it goes or `stop` fires; then what runs is
 * cancelled and has ended. Standard output is the protocol's alone meanwhile: whatever else is written goes to standard
 * error. What `open` opened is the caller's to close.
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { write, release } = ownOutput();
  const transport = new StdioTransport(process.stdin, write);
  transport.onclose = () => gone.abort(new BackstepError("cancelled", "Cannot go on: the client has gone"));
  const begin = Promise.withResolvers<void>();
  const timer = setTimeout(begin.resolve, PATIENCE);
  transport.spoke.then(begin.resolve);
  const gone = new AbortController();
  const opening = begin.promise.then(() => {
    gone.signal.throwIfAborted();
    return options.open(gone.signal);
  });
  const server = makeServer(
    opening.then(({ host }) => host),
    opening.then(({ session }) => session),
    defined({ logLevel: options.logLevel, grace: options.grace, onError: options.onError }),
  );
  const stop = () => {
    transport.close();
  };
  options.stop?.addEventListener("abort", stop, { once: true });
  try {
    await server.connect(transport);
    if (options.stop?.aborted) stop();
    await server.closed;
  } finally {
    clearTimeout(timer);
    begin.resolve();
    options.stop?.removeEventListener("abort", stop);
    release();
  }
}

/** Takes standard output for the protocol: other writers are sent to standard error until it is given back. */
function ownOutput(): { readonly write: Write; release(): void } {
  const { stdout, stderr } = process;
  const own = stdout.write.bind(stdout);
  const pipe = pipeOf(stdout.fd);
  const { log, info, debug } = console;
  stdout.write = stderr.write.bind(stderr);
  Object.assign(console, { log: console.error, info: console.error, debug: console.error });
  return {
    write: pipe ? (text, done) => pipe.write(text, done) : (text, done) => own(text, done),
    release() {
      pipe?.unref();
      stdout.write = own;
      Object.assign(console, { log, info, debug });
    },
  };
}

/**
 * A pipe or socket to write to without waiting: on one that nobody reads, standard output itself would stand still with all
 * of the process, signals and the end of its input included. Undefined: it is neither.
 */
function pipeOf(descriptor: number): Socket | undefined {
  const about = fstatSync(descriptor);
  if (!about.isFIFO() && !about.isSocket()) return undefined;
  const pipe = new Socket({ fd: descriptor, readable: false, writable: true });
  pipe.on("error", () => {}); // told to whoever wrote
  return pipe;
}
