import type { Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import type { Invocation, Operation } from "../../contract/operation.ts";
import type { ToolForm } from "../../workflow/tools.ts";
import type { McpCall } from "../call.ts";
import type { ToolArguments } from "../tool.ts";
import { withApps } from "../with-app.ts";
import { INVALID_PARAMS, ProtocolError } from "../wire.ts";
import type { PublishedTool } from "./definitions/mod.ts";

/** Faults of one call that are told. */
const MOST = 10;

/** A tool's form and its operation, loaded when they are first needed: the first answer of a server waits for neither. */
interface Known {
  readonly form: ToolForm;
  readonly operation: Operation;
}

let knownTools: Promise<ReadonlyMap<string, Known>> | undefined;

async function load(): Promise<ReadonlyMap<string, Known>> {
  const [{ TOOLS }, { catalogue }] = await Promise.all([
    import("../../workflow/tools.ts"),
    import("../../catalogue.ts"),
  ]);
  return new Map(
    Object.entries(TOOLS).flatMap(([name, form]): [string, Known][] => {
      const operation = catalogue.find((one) => one.views.yaml?.verb === form.verb || one.name === form.verb);
      return operation ? [[name, { form, operation }]] : [];
    }),
  );
}

async function knownOf(tool: PublishedTool): Promise<Known> {
  const found = (await (knownTools ??= load())).get(tool);
  if (found) return found;
  throw new Error(`the tool ${tool} is no operation`);
}

/** The arguments as their form takes them. Throws `ProtocolError` (-32602) with each fault and its place. */
export async function requireArguments(tool: PublishedTool, args: ToolArguments): Promise<void> {
  const { form } = await knownOf(tool);
  const parsed = form.args.safeParse(args);
  if (parsed.success) return;
  const issues = parsed.error.issues.slice(0, MOST).map(({ path, message }) => ({
    path: path.map(String).join(".").slice(0, 200),
    message: message.slice(0, 300),
  }));
  const [first] = issues;
  throw new ProtocolError(
    INVALID_PARAMS,
    `Invalid arguments for ${tool}: ${first?.path ?? ""}: ${first?.message ?? "they cannot be"}`,
    { tool, issues },
  );
}

/** What a tool calls, as a step of a workflow does; undefined: it is no operation, or its arguments are not known yet. */
export async function invocationOf(tool: string, args: ToolArguments): Promise<Invocation | undefined> {
  const known = (await (knownTools ??= load())).get(tool);
  const parsed = known?.form.args.safeParse(args);
  if (!known || !parsed?.success) return undefined;
  return { operation: known.operation.name, input: known.form.toInput(args) };
}

/** How a look is made. */
export interface Looking {
  /** Milliseconds for all of it; default: the operation's. */
  readonly timeout?: number;
  /** Changes the operation's input. */
  readonly input?: (input: Json) => Json;
}

/** What a tool that only looks found: the operation's own answer, and the same in the tool's shape. */
export interface Looked {
  readonly output: { readonly [key: string]: Json };
  readonly result: { readonly [key: string]: Json };
}

/** Looks by the operation of a tool, through the gate. */
export async function look(
  tool: PublishedTool,
  args: ToolArguments,
  call: McpCall,
  options: Looking = {},
): Promise<Looked> {
  await requireArguments(tool, args);
  const { form, operation } = await knownOf(tool);
  const { args: mapped } = withApps(call.session, tool, args);
  const made = (form.toLook ?? form.toInput)(mapped);
  const input = options.input ? options.input(made) : made;
  const { output } = await call.session.look(
    { operation: operation.name, input },
    call,
    options.timeout === undefined ? {} : { timeout: options.timeout },
  );
  const json = asMap(JSON.parse(JSON.stringify(output)));
  return { output: json, result: asMap(form.toResult(json)) };
}

/** A map, or an empty one. */
export function asMap(value: Json | undefined): { readonly [key: string]: Json } {
  return value !== undefined && isMap(value) ? value : {};
}

/** A list, or an empty one. */
export function asList(value: Json | undefined): readonly Json[] {
  return value !== undefined && isList(value) ? value : [];
}
