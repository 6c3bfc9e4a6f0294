import type { McpCall } from "./call.ts";
import type { Content } from "./wire.ts";

/** An argument of a prompt. */
export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A prompt as `prompts/list` tells it. */
export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

/** What getting a prompt answers. */
export interface PromptAnswer {
  readonly description: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: Content }[];
}

/** A prompt: built from the desktop as it is. */
export interface Prompt {
  readonly definition: PromptDefinition;
  /** Required arguments are there, all are texts. Throws `ProtocolError` for what cannot be. */
  get(args: { readonly [name: string]: string }, call: McpCall): Promise<PromptAnswer>;
  /** Values for an argument, given those that are filled in already. */
  complete?(
    argument: string,
    value: string,
    filled: { readonly [name: string]: string },
    call: McpCall,
  ): Promise<readonly string[]>;
}
