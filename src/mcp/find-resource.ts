import type { McpCall } from "./call.ts";
import type { Host } from "./host.ts";
import type { ResourceContents, ResourceDefinition, Subscription, TemplateDefinition } from "./resource.ts";
import { ProtocolError, RESOURCE_NOT_FOUND } from "./wire.ts";

/** Longest address that is looked at. */
const LONGEST = 4096;

/** The fixed resources, then those that there are now. */
export async function listResources(host: Host, call: McpCall): Promise<readonly ResourceDefinition[]> {
  const now = await Promise.all(host.resources.map((family) => family.listed?.(call) ?? []));
  return [...host.resources.flatMap((family) => family.resources), ...now.flat()];
}

/** Every template, as published. */
export function listTemplates(host: Host): readonly TemplateDefinition[] {
  return host.resources.flatMap((family) => family.templates);
}

/** What stands at an address; -32002 where nothing does, -32000 where it is one request too many. */
export async function readResource(
  host: Host,
  uri: string,
  call: McpCall,
): Promise<readonly ResourceContents[]> {
  const done = host.limiter?.take("resources/read", call);
  try {
    if (uri.length <= LONGEST) {
      for (const family of host.resources) {
        const contents = await family.read(uri, call);
        if (contents !== undefined) return contents;
      }
    }
    throw unknown(uri);
  } finally {
    done?.();
  }
}

/** Subscribes to an address; -32002 where there is nothing to subscribe to. */
export async function watchResource(
  host: Host,
  uri: string,
  call: McpCall,
  changed: () => void | Promise<void>,
): Promise<Subscription> {
  if (uri.length <= LONGEST) {
    for (const family of host.resources) {
      const subscription = await family.watch?.(uri, call, changed);
      if (subscription !== undefined) return subscription;
    }
  }
  throw unknown(uri);
}

function unknown(uri: string): ProtocolError {
  const shown = uri.slice(0, 300);
  return new ProtocolError(RESOURCE_NOT_FOUND, `Resource not found: ${shown}`, { uri: shown });
}
