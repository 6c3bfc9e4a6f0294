import { isDeno } from "../../../../base/runtime.ts";
import type { InnerServer, ServeOptions } from "./server.ts";

/**
 * Serves with the server of the runtime at hand. Neither needs bounds of its own: who comes through the proxy was counted, and
 * is cut when it takes too long. Rejects where the socket cannot be made.
 */
export async function serve(options: ServeOptions): Promise<InnerServer> {
  const { serve: serveHere } = await (isDeno ? import("./deno.ts") : import("./node.ts"));
  return await serveHere(options);
}
