import { Inspector, type InspectorOptions } from "./inspector.ts";
import { Recorded } from "./recorded.ts";
import { type Part, routesOf } from "./routes.ts";
import { serve } from "./serve.ts";
import { StoredRuns } from "./stored-runs.ts";

/** How to open an inspector. */
export interface OpenOptions extends InspectorOptions {
  /** The file that its recorder writes; default: it has none. */
  readonly output?: string;
  /** Further parts of the page. */
  readonly parts?: (inspector: Inspector) => readonly Part[];
}

/** An inspector that pages can be opened of. */
export interface OpenInspector {
  /** The address of the page, with its token. */
  readonly url: string;
  readonly inspector: Inspector;
  /** Ends it: pages are told nothing more. The desktop stays. */
  close(): Promise<void>;
}

/** Serves a page that shows a desktop, and lets whoever has its address use it. */
export async function openInspector(options: OpenOptions): Promise<OpenInspector> {
  const inspector = new Inspector(options);
  const recorded = options.output === undefined
    ? undefined
    : new Recorded(inspector, options, options.output);
  const runs = new StoredRuns(options.state);
  const parts = [...(recorded ? [recorded] : []), runs, ...options.parts?.(inspector) ?? []];
  const served = await serve(routesOf(inspector, parts));
  return {
    url: served.url,
    inspector,
    async close() {
      await served.close();
      await recorded?.close();
      await inspector.close();
    },
  };
}
