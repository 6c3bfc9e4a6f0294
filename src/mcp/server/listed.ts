import type { ToolDefinition } from "../../tools/tool.ts";
import type { Host } from "./host.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Call } from "../../base/call.ts";
import type { Tool } from "./tool.ts";

interface Offered {
  readonly mode: string;
  readonly managed: boolean;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly definitions: readonly ToolDefinition[];
}

const existing = new WeakMap<Host, Offered>();
/** Hosts on whose desktop a window manager answered when it was last asked. */
const managed = new WeakSet<Host>();

/** Asks whether a window manager answers: tools that need one are offered then. What it answers else is no error here: the tools say it. */
export async function seekManager(host: Host, call?: Call): Promise<void> {
  if (!host.tools.some(({ traits }) => traits?.needs !== undefined)) return;
  const found = await manages(host, call);
  if (found) managed.add(host);
  else managed.delete(host);
}

async function manages({ desktop }: Host, call?: Call): Promise<boolean> {
  try {
    const manager = await desktop.windowManager?.(call);
    // One that was reached before may be gone by now.
    if (manager !== undefined) await manager.workspaces(call);
    return manager !== undefined;
  } catch (thrown) {
    if (toBackstepError(thrown).code === "internal") throw thrown;
    return false;
  }
}

/** The tools that a client may call now, as `tools/list` tells them. The same list until the security mode changes. */
export function listTools(host: Host): readonly ToolDefinition[] {
  return offered(host).definitions;
}

/** A tool that a client may call now; undefined: there is none of this name, or it is not offered. */
export function findTool(host: Host, name: string): Tool | undefined {
  return offered(host).tools.get(name);
}

function offered(host: Host): Offered {
  const { mode } = host.security;
  const before = existing.get(host);
  const manages = managed.has(host);
  if (before?.mode === mode && before.managed === manages) return before;
  const tools = host.tools.filter(({ toolset, traits }) =>
    (mode !== "sandboxed" || traits?.sandboxed === true) && (host.toolsets?.has(toolset) ?? true) &&
    (traits?.needs === undefined || manages)
  );
  const now = {
    mode,
    managed: manages,
    tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
    definitions: tools.map(({ definition }) => ({
      ...definition,
      annotations: { title: definition.title, ...definition.annotations },
    })),
  };
  existing.set(host, now);
  return now;
}
