import { clearTimeout, setTimeout } from "node:timers";
import { BackstepError } from "../../base/error.ts";
import { VERSION } from "../../base/version.ts";
import type { Host } from "../server/host.ts";
import type { McpSession } from "../server/call.ts";
import { Subscriptions } from "../session/subscriptions.ts";
import { Tasks } from "../server/tasks.ts";
import { type LogLevel, ProtocolError } from "../server/wire.ts";
import { wireCall } from "./calls.ts";
import { clientOf } from "./client.ts";
import type { Connection, Opened } from "./connection.ts";
import { asProtocolError } from "./from-wire.ts";
import { INSTRUCTIONS, serverInfo } from "./introduction.ts";
import { Notices } from "./notices.ts";
import { ErrorCode, Server, type Transport } from "./sdk.ts";

/** How a server speaks. */
export interface ServerOptions {
  /** The lowest level that is logged until the client sets another; default "info". */
  readonly logLevel?: LogLevel;
  /** Milliseconds that calls have to end in when the connection does, what they undo included; default 30,000. */
  readonly grace?: number;
  /** Faults of the connection: what could not be read or sent. */
  readonly onError?: (error: Error) => void;
}

/** Milliseconds: as long as a workflow may take to roll itself back. */
const GRACE = 30_000;

/** One client's server. */
export interface McpServer {
  /** Serves a transport of the SDK; once. */
  connect(transport: Transport): Promise<void>;
  /** Ends the connection, cancels what runs and waits until it has ended. The session and the host are their owner's. */
  close(): Promise<void>;
  /** Settles when the connection has ended, from whichever side. */
  readonly closed: Promise<void>;
}

/**
 * Serves one session of a host to one client. Both may still be on their way: who the server is is told at once, what it
 * offers when it is there.
 */
export function makeServer(
  host: Host | Promise<Host>,
  session: McpSession | Promise<McpSession>,
  options: ServerOptions = {},
): McpServer {
  const server = new Server(serverInfo(VERSION), {
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    },
    instructions: INSTRUCTIONS,
  });
  server.onerror = (error) => options.onError?.(error);
  const finished = new AbortController();
  const closed = Promise.withResolvers<void>();
  const notices = new Notices(server, options.logLevel ?? "info");
  const running = new Set<Promise<unknown>>();
  const tasks = new Tasks((task) => {
    track(notices.send({ method: "notifications/tasks/status", params: { ...task } }));
  });

  const track = <T>(work: Promise<T>): Promise<T> => {
    running.add(work);
    const done = () => running.delete(work);
    work.then(done, done);
    return work;
  };
  let begun = false;
  server.oninitialized = () => {
    begun = true;
  };
  const opened = openSession();
  // Told to whoever asks for something that needs it.
  opened.catch(() => {});
  const connection: Connection = { server, notices, tasks, opened, finished: finished.signal };

  async function openSession(): Promise<Opened> {
    const [theHost, theSession] = await Promise.all([host, session]);
    const { call } = wireCall({
      session: theSession,
      client: () => clientOf(server, { related: () => undefined, awaiting: (answer) => answer }),
      signal: finished.signal,
      notices,
      progressToken: undefined,
      related: () => undefined,
    });
    const subscriptions = new Subscriptions(theHost, call, (uri) => {
      track(notices.send({ method: "notifications/resources/updated", params: { uri } }));
    });
    const changed = (...lists: readonly ("tools" | "resources" | "prompts")[]) => () => {
      // A client that has not begun yet has read no list.
      if (!begun) return;
      for (const list of lists) track(notices.send({ method: `notifications/${list}/list_changed` }));
    };
    const deaf = [
      theHost.security.onChange(changed("tools", "resources")),
      theSession.connections.onChange(changed("resources", "prompts")),
      ...theHost.resources.map((family) => family.onListChange?.(theSession, changed("resources"))),
      theHost.security.onFault?.(({ message }) => {
        call.log("alert", "axterminator.security", { event: "policy_fault", message });
      }),
    ];
    finished.signal.addEventListener("abort", () => deaf.forEach((stop) => stop?.()), { once: true });
    return { host: theHost, session: theSession, subscriptions };
  }

  server.fallbackNotificationHandler = async ({ method }) => {
    if (method === "notifications/roots/list_changed") (await opened).session.folders.changed();
  };
  // The SDK has handlers for `initialize` and `ping`; its own for levels knows nothing of what a call sends.
  server.removeRequestHandler("logging/setLevel");
  server.fallbackRequestHandler = async (request, extra) => {
    // Loaded after the first answer, which is wanted at once and needs none of it.
    const { requests } = await import("./requests.ts");
    const handle = Object.hasOwn(requests, request.method) ? requests[request.method] : undefined;
    if (handle === undefined) {
      throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${request.method.slice(0, 100)}`);
    }
    try {
      return { ...await track(handle(request, extra, connection)) };
    } catch (error) {
      throw asProtocolError(error);
    }
  };

  let closing: Promise<void> | undefined;
  const close = async () => {
    finished.abort(new BackstepError("cancelled", "Cannot go on: the session has ended"));
    const { subscriptions } = await opened.catch(() => ({ subscriptions: undefined }));
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, options.grace ?? GRACE);
    await Promise.race([
      Promise.allSettled([tasks.close(), subscriptions?.close(), ...running]),
      over.promise,
    ]);
    clearTimeout(timer);
    await server.close();
    closed.resolve();
  };
  server.onclose = () => {
    closing ??= close();
  };
  return {
    connect: (transport) => server.connect(transport),
    close: async () => {
      await server.close();
      await (closing ??= close());
    },
    closed: closed.promise,
  };
}
