import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Deadline } from "../../src/base/call.ts";
import type { Json } from "../../src/base/error.ts";
import { PLAIN_CLIENT } from "../../src/mcp/session/_host.ts";
import { callTool } from "../../src/mcp/server/dispatch.ts";
import { makeHost } from "../../src/mcp/make-host.ts";
import { openSession } from "../../src/session/open-session.ts";

/** What one application costs a model, in tokens of o200k. */
export interface TokenRow {
  readonly app: string;
  readonly max_depth: number;
  /** `ax_get_tree`. */
  readonly json: number;
  /** The same with `compact: true`. */
  readonly outline: number;
  readonly ratio: number;
  /** `macos_interface_explorer` of the same application, with its defaults. */
  readonly explorer: number;
}

/** The most that an outline may cost of what the JSON costs. */
export const PROMISED_SHARE = 0.25;

const PROGRAMS = ["gtk4-widget-factory", "gtk3-widget-factory", "gnome-calculator", "gedit"];
const TOKENIZER = fileURLToPath(
  new URL("../../tools/references/node_modules/gpt-tokenizer/esm/encoding/o200k_base.js", import.meta.url),
);

/** Measures the trees of the widget factories and two small applications on a private desktop. */
export async function tokens(): Promise<TokenRow[]> {
  if (!existsSync(TOKENIZER)) throw new Error(`the tokens: ${TOKENIZER} is missing`);
  const { countTokens }: { countTokens(text: string): number } = await import(TOKENIZER);
  const desktop = await openSession({ kind: "isolated" });
  const host = makeHost({ desktop });
  const call = {
    session: host.open("bench"),
    client: PLAIN_CLIENT,
    signal: new AbortController().signal,
    progress: () => {},
    log: () => {},
  };
  const cost = async (tool: string, args: { readonly [name: string]: Json }) => {
    const { content, isError } = await callTool(host, tool, args, call);
    const text = content.flatMap((one) => one.type === "text" ? [one.text] : []).join("\n");
    if (isError) throw new Error(`${tool}: ${text}`);
    return countTokens(text);
  };
  const rows: TokenRow[] = [];
  try {
    for (const app of PROGRAMS) {
      if (!existsSync(`/usr/bin/${app}`)) continue;
      const { processId } = await desktop.launcher.launch(app);
      await appeared(desktop, processId);
      const pid = String(processId);
      await cost("ax_connect", { app: pid });
      const explorer = await cost("macos_interface_explorer", { scope: "application", bundleId: pid });
      for (const max_depth of [5, 12, 50]) {
        const json = await cost("ax_get_tree", { app: pid, max_depth });
        const outline = await cost("ax_get_tree", { app: pid, max_depth, compact: true });
        rows.push({
          app,
          max_depth,
          json,
          outline,
          ratio: Math.round((1000 * outline) / json) / 1000,
          explorer,
        });
      }
    }
    return rows;
  } finally {
    await host.close();
    await desktop.close();
  }
}

/** Until its tree has more than a frame. */
async function appeared({ desktop }: Awaited<ReturnType<typeof openSession>>, pid: number): Promise<void> {
  const watch = desktop.watch();
  try {
    for (const deadline = Deadline.after(20_000); !deadline.passed;) {
      const application = (await desktop.applications()).find((one) => one.pid === pid);
      if (application && (await desktop.snapshot(application, { fields: [] })).size > 50) return;
      await watch.next({ timeout: 500 });
      watch.take();
    }
    throw new Error(`${pid} never showed its window`);
  } finally {
    watch.close();
  }
}

/** The rows for people. */
export function tokenTable(rows: readonly TokenRow[]): string {
  return [
    "application            levels     JSON   outline   share   explorer",
    ...rows.map(({ app, max_depth, json, outline, ratio, explorer }) =>
      [app.padEnd(22), String(max_depth).padStart(6), String(json).padStart(8), String(outline).padStart(9)]
        .concat([ratio.toFixed(3).padStart(7), String(explorer).padStart(10)]).join(" ")
    ),
  ].join("\n");
}
