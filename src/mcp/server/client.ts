import type { Json } from "../../base/error.ts";
import type { JsonSchema } from "../../base/json.ts";
import type { Content } from "./wire.ts";

/** A form for the person at the client. */
export interface FormRequest {
  readonly mode: "form";
  readonly message: string;
  /** An object of texts, numbers, booleans and choices, as MCP restricts it. */
  readonly requestedSchema: JsonSchema;
}

/** An address for the person at the client to open: what is entered there never passes the client. */
export interface UrlRequest {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
  readonly elicitationId: string;
}

/** What the person answered. */
export type Elicited =
  | { readonly action: "accept"; readonly content: { readonly [field: string]: Json } }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

/** A question to the client's model. */
export interface SamplingRequest {
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly content: readonly (Content | ToolUse | ToolOutcome)[];
  }[];
  readonly systemPrompt?: string;
  readonly maxTokens: number;
  readonly modelPreferences?: {
    readonly intelligencePriority?: number;
    readonly costPriority?: number;
    readonly speedPriority?: number;
  };
  /** Only where the client has `sampling.tools`. */
  readonly tools?: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: JsonSchema;
  }[];
  readonly toolChoice?: { readonly mode: "auto" | "required" | "none" };
}

/** The model calls a tool that the request offered. */
export interface ToolUse {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: { readonly [key: string]: Json };
}

/** What a tool that the model called came to. */
export interface ToolOutcome {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: readonly Content[];
}

/** What the client's model answered. */
export interface Sampled {
  readonly model: string;
  readonly stopReason: string | undefined;
  readonly content: readonly (Content | ToolUse)[];
}

/** A folder that the client offers. */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

/** The client of one MCP session: what it can do, and how to ask it. Ask only what it says that it can. */
export interface McpClient {
  readonly name: string;
  readonly version: string;
  readonly can: {
    readonly form: boolean;
    readonly url: boolean;
    readonly sampling: boolean;
    readonly samplingTools: boolean;
    readonly roots: boolean;
  };
  /** Waits for a person: up to 10 minutes by default. Rejects with `timeout`, `cancelled`. */
  elicit(request: FormRequest | UrlRequest, signal: AbortSignal): Promise<Elicited>;
  /** An elicitation by address is over, whatever it came to. */
  elicited(elicitationId: string): Promise<void>;
  /** Up to 2 minutes by default. Rejects with `timeout`, `cancelled`, `refused` (the person said no). */
  sample(request: SamplingRequest, signal: AbortSignal): Promise<Sampled>;
  roots(signal: AbortSignal): Promise<readonly Root[]>;
}
