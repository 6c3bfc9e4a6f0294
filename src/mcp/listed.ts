import type { Host } from "./host.ts";
import type { Tool, ToolDefinition } from "./tool.ts";

/** What a server that only looks offers; `tools/list` tells nothing else there. */
const LOOKING: ReadonlySet<string> = new Set([
  "ax_is_accessible",
  "ax_connect",
  "ax_list_apps",
  "ax_find",
  "ax_find_visual",
  "ax_get_tree",
  "ax_get_attributes",
  "ax_screenshot",
  "ax_get_value",
  "ax_list_windows",
  "ax_assert",
  "ax_a11y_audit",
  "ax_session_info",
  // Of the server's other two groups, what changes nothing.
  "macos_interface_explorer",
  "list_applications",
]);

interface Offered {
  readonly mode: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly definitions: readonly ToolDefinition[];
}

const known = new WeakMap<Host, Offered>();

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
  const before = known.get(host);
  if (before?.mode === mode) return before;
  const tools = host.tools.filter(({ toolset, definition: { name } }) =>
    (mode !== "sandboxed" || LOOKING.has(name)) && (host.toolsets?.has(toolset) ?? true)
  );
  const now = {
    mode,
    tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
    definitions: tools.map(({ definition }) => definition),
  };
  known.set(host, now);
  return now;
}
