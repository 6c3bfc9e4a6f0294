import { BackstepError, type ErrorCode } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { McpCall } from "./call.ts";
import { forModels } from "./errors.ts";
import type { Host } from "./host.ts";
import type { ResourceContents, ResourceDefinition, Subscription, TemplateDefinition } from "./resource.ts";
import { INVALID_PARAMS, ProtocolError, RESOURCE_NOT_FOUND } from "./wire.ts";

/** Longest address that is looked at. */
const LONGEST = 4096;

/** The fixed resources, then those that there are now. */
export async function listResources(host: Host, call: McpCall): Promise<readonly ResourceDefinition[]> {
  const now = await Promise.all(host.resources.map((family) => family.listed?.(call) ?? []));
  return [...host.resources.flatMap((family) => family.resources), ...now.flat()];
}

/** The templates that there are now. */
export async function listTemplates(host: Host, call: McpCall): Promise<readonly TemplateDefinition[]> {
  const now = await Promise.all(host.resources.map((family) => family.offered?.(call) ?? family.templates));
  return now.flat();
}

/** The address by which this one is subscribed to; one that is no address of any family stays as it is. */
export function canonicalUri(host: Host, uri: string): string {
  if (uri.length > LONGEST) return uri;
  try {
    for (const family of host.resources) {
      const canonical = family.canonical?.(uri);
      if (canonical !== undefined) return canonical;
    }
  } catch (thrown) {
    // What is wrong with it is said when it is subscribed to.
    if (!(thrown instanceof ProtocolError)) throw thrown;
  }
  return uri;
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
  } catch (thrown) {
    throw refused(thrown, uri) ?? thrown;
  } finally {
    done?.();
  }
}

/** Codes of what is not there, or may not be seen; whoever asks for it otherwise is answered otherwise. */
const NOT_THERE: ReadonlySet<ErrorCode> = new Set([
  "policy",
  "secure",
  "not_found",
  "stale",
  "app_not_found",
  "app_not_running",
  "app_gone",
]);
/** Codes of what was asked for in a way that cannot be. */
const NOT_SO: ReadonlySet<ErrorCode> = new Set(["ambiguous", "unsupported", "refused", "limit", "missing"]);

/** A resource that is refused, as the protocol has it: -32002, or -32602; undefined: it is a fault of the server. */
function refused(thrown: unknown, uri: string): ProtocolError | undefined {
  if (!(thrown instanceof BackstepError)) return undefined;
  const { code, message, hint } = thrown;
  const number = NOT_THERE.has(code) ? RESOURCE_NOT_FOUND : NOT_SO.has(code) ? INVALID_PARAMS : undefined;
  if (number === undefined) return undefined;
  const suggestion = forModels(hint);
  return new ProtocolError(number, `Resource refused: ${uri.slice(0, 300)}: ${message.slice(0, 500)}`, {
    uri: uri.slice(0, 300),
    code,
    ...defined({ suggestion }),
  });
}

/** Subscribes to an address; -32002 where there is nothing to subscribe to. */
export async function watchResource(
  host: Host,
  uri: string,
  call: McpCall,
  changed: () => void | Promise<void>,
): Promise<Subscription> {
  try {
    for (const family of uri.length <= LONGEST ? host.resources : []) {
      const subscription = await family.watch?.(uri, call, changed);
      if (subscription !== undefined) return subscription;
    }
  } catch (thrown) {
    throw refused(thrown, uri) ?? thrown;
  }
  throw unknown(uri);
}

function unknown(uri: string): ProtocolError {
  const shown = uri.slice(0, 300);
  return new ProtocolError(RESOURCE_NOT_FOUND, `Resource not found: ${shown}`, { uri: shown });
}
