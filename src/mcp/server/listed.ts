import type { ToolDefinition } from "../../tools/tool.ts";
import type { Host } from "./host.ts";
import type { Tool } from "./tool.ts";

interface Offered {
  readonly mode: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly definitions: readonly ToolDefinition[];
}

const existing = new WeakMap<Host, Offered>();

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
  if (before?.mode === mode) return before;
  const tools = host.tools.filter(({ toolset, traits }) =>
    (mode !== "sandboxed" || traits?.sandboxed === true) && (host.toolsets?.has(toolset) ?? true)
  );
  const now = {
    mode,
    tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
    definitions: tools.map(({ definition }) => ({
      ...definition,
      annotations: { title: definition.title, ...definition.annotations },
    })),
  };
  existing.set(host, now);
  return now;
}
