import { closest } from "../../base/closest.ts";
import type { McpCall } from "./call.ts";
import type { Host } from "./host.ts";
import type { Prompt, PromptAnswer } from "./prompt.ts";
import { INVALID_PARAMS, ProtocolError } from "./wire.ts";

/** A prompt by its name; -32602 where there is none. */
export function findPrompt(host: Host, name: string): Prompt {
  const prompt = host.prompts.find(({ definition }) => definition.name === name);
  if (prompt) return prompt;
  const near = closest(name.slice(0, 100), host.prompts.map(({ definition }) => definition.name));
  throw new ProtocolError(
    INVALID_PARAMS,
    `Unknown prompt: ${name.slice(0, 100)}${near.length > 0 ? `. Did you mean ${near.join(" or ")}?` : ""}`,
    { prompt: name.slice(0, 100), near },
  );
}

/**
 * The messages of a prompt; -32602 where a required argument is missing or one is given that it does not take, -32000 where
 * it is one request too many.
 */
export async function getPrompt(
  host: Host,
  name: string,
  args: { readonly [name: string]: string },
  call: McpCall,
): Promise<PromptAnswer> {
  const prompt = findPrompt(host, name);
  const takes = prompt.definition.arguments;
  const missing = takes.filter((one) => one.required && !args[one.name]).map((one) => one.name);
  if (missing.length > 0) {
    throw new ProtocolError(
      INVALID_PARAMS,
      `Prompt ${name} needs ${missing.join(" and ")}`,
      { prompt: name, missing },
    );
  }
  const foreign = Object.keys(args).filter((one) => !takes.some((argument) => argument.name === one));
  if (foreign.length > 0) {
    throw new ProtocolError(
      INVALID_PARAMS,
      `Prompt ${name} takes no argument ${foreign.slice(0, 5).join(", ").slice(0, 200)}`,
      { prompt: name, takes: takes.map((one) => one.name) },
    );
  }
  const done = host.limiter?.take("prompts/get", call);
  try {
    return await prompt.get(args, call);
  } finally {
    done?.();
  }
}
