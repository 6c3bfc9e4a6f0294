import type { McpCall } from "../server/call.ts";
import { TEMPLATES } from "./definitions.ts";
import { windowCount } from "./axterminator/tree.ts";
import { blockedBy, deadlineOf } from "./axterminator/view.ts";

/** What a client wants completed. */
export interface Completion {
  readonly template: string;
  readonly variable: string;
  /** What has been typed of it. */
  readonly value: string;
  /** The variables that are filled in already. */
  readonly filled: { readonly [name: string]: string };
}

/** Names of connected applications, and of the one that is filled in (else of the only one) the numbers of its windows. */
export async function completed(
  { template, variable, value, filled }: Completion,
  call: McpCall,
): Promise<readonly string[]> {
  if (!TEMPLATES.some((one) => one.uriTemplate === template && template.includes(`{${variable}}`))) return [];
  const { connections, host } = call.session;
  const seen = connections.list.filter((one) => blockedBy(host, one) === undefined);
  if (variable === "name") {
    const typed = value.toLowerCase();
    return seen.map((one) => one.name).filter((name) => name.toLowerCase().startsWith(typed));
  }
  const [only] = seen;
  const named = filled.name === undefined ? undefined : connections.find(filled.name);
  const meant = named ?? (filled.name === undefined && seen.length === 1 ? only : undefined);
  if (meant === undefined || blockedBy(host, meant) !== undefined) return [];
  const windows = await windowCount(host.desktop.desktop, meant.application, deadlineOf(call));
  return Array.from({ length: windows }, (_, k) => String(k)).filter((index) => index.startsWith(value));
}
