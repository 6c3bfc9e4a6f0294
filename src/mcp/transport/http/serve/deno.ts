import type { InnerServer, ServeOptions } from "./server.ts";

/** Serves HTTP on a Unix socket with `Deno.serve`. */
export function serve({ path, handler, failed }: ServeOptions): Promise<InnerServer> {
  return Promise.resolve(Deno.serve(
    { path, onListen: () => {}, onError: failed },
    (request, info) => handler(request, info.completed.then(() => {}, () => {})),
  ));
}
