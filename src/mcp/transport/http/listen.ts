import { BackstepError } from "../../../base/error.ts";
import { refusalResponse, refuse } from "./answers.ts";
import { makeSocketFolder, sweepSocketFolders } from "./folder.ts";
import type { HttpLimits } from "./limits.ts";
import { HttpProxy } from "./proxy.ts";
import { serve } from "./serve/serve.ts";
import type { Handler } from "./serve/server.ts";

/** Milliseconds for the last answers to get through when the server stops. */
const DRAIN_MS = 500;

/** A server that listens. */
export interface Listening {
  readonly port: number;
  readonly connections: number;
  /** Lets nobody new in. */
  shut(): void;
  close(): Promise<void>;
}

/**
 * Serves HTTP with the runtime's own server behind the proxy: it listens on a Unix socket in a folder that only this user
 * can enter, and removes first what killed servers left of theirs. Throws `io` where the address cannot be had.
 */
export async function listen(
  handler: Handler,
  options: {
    readonly bind: string;
    readonly port: number;
    /** An answer may take as long as it likes to begin. */
    readonly patient: boolean;
    readonly limits: HttpLimits;
  },
): Promise<Listening> {
  // Tidying is a favour: a temporary folder that cannot be listed must not stop the start.
  await sweepSocketFolders().catch(() => {});
  const { socket: inner, remove } = await makeSocketFolder();
  const server = await serve({
    path: inner,
    handler,
    failed: () => refusalResponse(refuse(500, "The server failed", { code: -32603 })),
  });
  let proxy: HttpProxy;
  try {
    proxy = await HttpProxy.open({ ...options, inner });
  } catch (thrown) {
    await server.shutdown();
    await remove();
    throw new BackstepError(
      "io",
      `Cannot listen on ${options.bind}:${options.port}: ${
        thrown instanceof Error ? thrown.message : thrown
      }`,
      { hint: "Choose another --port or --bind.", cause: thrown },
    );
  }
  return {
    get port() {
      return proxy.port;
    },
    get connections() {
      return proxy.connections;
    },
    shut: () => proxy.shut(),
    close: async () => {
      proxy.shut();
      // First what answers, so that answers get through; then what is left of connections.
      const finished = server.shutdown();
      await proxy.drained(DRAIN_MS);
      await proxy.close();
      await finished;
      await remove();
    },
  };
}
