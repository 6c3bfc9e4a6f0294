import type { McpCall } from "./call.ts";
import { findPrompt } from "./find-prompt.ts";
import type { Host } from "./host.ts";
import { INVALID_PARAMS, ProtocolError } from "./wire.ts";

/** Values that one answer may carry (MCP, completion). */
const MOST = 100;

/** What is being filled in. */
export interface Incomplete {
  readonly ref:
    | { readonly type: "ref/prompt"; readonly name: string }
    | { readonly type: "ref/resource"; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** What is filled in already. */
  readonly filled: { readonly [name: string]: string };
}

/** Values to choose from: the first hundred, and how many there are. */
export interface Completion {
  readonly values: readonly string[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** Values for an argument of a prompt or a variable of a template; -32602 where there is no such thing. */
export async function complete(host: Host, what: Incomplete, call: McpCall): Promise<Completion> {
  const values = [...new Set(await valuesOf(host, what, call))];
  return { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST };
}

async function valuesOf(host: Host, what: Incomplete, call: McpCall): Promise<readonly string[]> {
  const { ref, argument, filled } = what;
  if (ref.type === "ref/prompt") {
    const prompt = findPrompt(host, ref.name);
    const takes = prompt.definition.arguments.map((one) => one.name);
    if (!takes.includes(argument.name)) throw unknown(`Prompt ${ref.name}`, argument.name, takes);
    return await prompt.complete?.(argument.name, argument.value, filled, call) ?? [];
  }
  const family = host.resources.find((one) =>
    one.templates.some(({ uriTemplate }) => uriTemplate === ref.uri) ||
    one.resources.some(({ uri }) => uri === ref.uri)
  );
  if (!family) {
    throw new ProtocolError(INVALID_PARAMS, `Unknown resource template: ${ref.uri.slice(0, 300)}`, {
      uri: ref.uri.slice(0, 300),
    });
  }
  return await family.complete?.(ref.uri, argument.name, argument.value, filled, call) ?? [];
}

function unknown(owner: string, name: string, takes: readonly string[]): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `${owner} takes no argument ${name.slice(0, 100)}`, { takes });
}
