import type { Json } from "../base/error.ts";
import type { JsonSchema } from "../base/json.ts";
import { defined } from "../base/defined.ts";

/** What a client should know of a tool before it decides (MCP tool annotations). */
export interface ToolHints {
  /** Filled in where tools are listed. */
  readonly title?: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Groups that `--toolsets` chooses from. */
export const TOOLSETS = [
  "connect",
  "find",
  "action",
  "observe",
  "compose",
  "assert",
  "context",
  "script",
  "launch",
  "explore",
  "wm",
] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** A tool as `tools/list` shows it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolHints;
  readonly execution?: { readonly taskSupport: "optional" };
}

/** The arguments of a call. */
export type ToolArguments = { readonly [name: string]: Json };

/** What a server has to know of a tool beside its hints; each trait says one thing, and is absent where it does not hold. */
export interface ToolTraits {
  /** It is offered also where nothing may be changed. */
  readonly sandboxed?: true;
  /** Its answer holds nothing that an application wrote. */
  readonly ownWords?: true;
  /** It searches: that there is no such element is an answer, and no person is asked to describe it otherwise. */
  readonly searches?: true;
  /** A person may help with its answer: turn accessibility on, or describe the element that words or a picture did not show. */
  readonly helps?: "access" | "words" | "picture";
  /** Calls of it are counted together with those of all sessions. */
  readonly limit?: "script" | "vision";
  /** It is listed where that answers only. */
  readonly needs?: "window-manager";
  /** What is refused before anything happened is done once more when a person agrees. */
  readonly repeatable?: true;
}

/** A tool as a view of one operation: how its arguments become a step, and the output of that its result. */
export interface OperationView {
  readonly kind: "operation";
  /** The neutral name in the catalogue. */
  readonly operation: string;
  /** Arguments that a file must write out, since they decide what the step is. */
  readonly literal?: readonly string[];
  readonly amends?: Amendments;
  /** The operation's input as a step has it. */
  readonly toInput: (args: ToolArguments) => Json;
  /**
   * The input where the tool is called by itself, and not as a step: what is not there, or does not hold, is an answer then
   * and no failure. Default: `toInput`.
   */
  readonly toLook?: (args: ToolArguments) => Json;
  /**
   * The arguments that say an input of the operation, as far as they can: durations are milliseconds, and a target that is a
   * selector alone is a text. Absent: nobody writes steps as calls of this tool.
   */
  readonly toArguments?: (input: ToolArguments) => ToolArguments;
  /**
   * Arguments that do what an input of another operation does, by the name of that operation: read back they are an input of
   * this one. Undefined: it has no words for that.
   */
  readonly standsFor?: { readonly [operation: string]: (input: ToolArguments) => ToolArguments | undefined };
  /** The operation's output, as the tool has it. */
  readonly toResult: (output: Json) => Json;
}

/** A tool that the engine does itself. */
export interface EngineView {
  /** The kind of step that it is. */
  readonly kind: "transaction" | "undo";
  readonly amends?: Amendments;
}

/** What is asked of arguments beyond what is published: merged into the schema of each argument. */
export type Amendments = { readonly [argument: string]: JsonSchema };

/** What `defineTool` takes: all that there is to say of one tool. */
export interface ToolDeclaration extends ToolDefinition {
  readonly toolset: Toolset;
  /** Properties that we added to a published tool, by their path ("apps[].accessible"); always optional. */
  readonly ours?: { readonly input?: readonly string[]; readonly output?: readonly string[] };
  readonly traits?: ToolTraits;
  /** Absent: it is no step of a file or of a workflow. */
  readonly step?: OperationView | EngineView;
  /** What the log line of a call says of its result. */
  readonly log?: (result: ToolArguments) => ToolArguments;
}

/** A tool, defined once: for clients that list it, for steps of files, and for the server that calls it. */
export interface ToolView
  extends
    Required<Pick<ToolDeclaration, "toolset" | "traits">>,
    Pick<ToolDeclaration, "ours" | "step" | "log"> {
  readonly name: string;
  readonly definition: ToolDefinition;
}

/**
 * Defines a tool.
 *
 * @example
 * ```ts
 * import { defineTool } from "./tool.ts";
 * import { READS } from "./parts.ts";
 * const tool = defineTool({
 *   name: "ax_list_windows",
 *   title: "List application windows",
 *   description: "Lists the windows of an application.",
 *   inputSchema: { type: "object", properties: { app: { type: "string" } } },
 *   annotations: READS,
 *   toolset: "observe",
 *   step: {
 *     kind: "operation",
 *     operation: "list-windows",
 *     toInput: (args) => args,
 *     toResult: (output) => output,
 *   },
 * });
 * if ("toolset" in tool.definition) throw new Error();
 * ```
 */
export function defineTool(declaration: ToolDeclaration): ToolView {
  const { toolset, ours, traits = {}, step, log, ...definition } = declaration;
  return { name: definition.name, definition, toolset, traits, ...defined({ ours, step, log }) };
}
