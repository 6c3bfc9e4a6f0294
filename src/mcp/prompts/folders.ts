import { basename, relative } from "node:path";
import type { McpCall } from "../server/call.ts";
import { quoted } from "./view.ts";

/** Files that are named. */
const MOST = 20;

/** Workflow files in the client's folders, as lines of data: what is asked for may stand in one already. */
export async function workflowFiles({ session, client, signal }: McpCall): Promise<string[]> {
  const folders = await session.folders.listOrNone(client, signal);
  const files = folders.flatMap(({ path, workflows }) =>
    workflows.map((file) => `  ${quoted(relative(path, file))} in ${quoted(basename(path))}`)
  );
  if (files.length === 0) return [];
  const more = files.length > MOST ? [`  and ${files.length - MOST} more`] : [];
  return ["workflow files (run with `backstep run`):", ...files.slice(0, MOST), ...more];
}
