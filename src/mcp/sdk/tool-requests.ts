import { defined } from "../../base/defined.ts";
import type { ToolArguments, ToolDefinition } from "../../tools/tool.ts";
import { callTool, listTools } from "../server/dispatch.ts";
import { standingIn } from "../transport/auth/standing.ts";
import type { RunningTask } from "../server/tasks.ts";
import { ProtocolError } from "../server/wire.ts";
import { RELATED_TASK, wireCall } from "./calls.ts";
import { clientOf } from "./client.ts";
import { answered, callOf, type Connection, type Extra, type Opened } from "./connection.ts";
import { jsonMap, read } from "./from-wire.ts";
import { CallToolRequestSchema, ErrorCode, type RequestId } from "./sdk.ts";

/** `_meta` of a created task: what the model may be told while it runs. */
const IMMEDIATE_RESPONSE = "io.modelcontextprotocol/model-immediate-response";

/** `tools/call`: does it, or begins a task that does it. */
export async function callRequest(request: unknown, extra: Extra, connection: Connection): Promise<object> {
  const { params } = read(CallToolRequestSchema, request);
  const opened = await connection.opened;
  const args = jsonMap(params.arguments ?? {});
  if (params.task !== undefined) return begin(params.name, args, params.task.ttl, opened, extra, connection);
  const result = await answered(
    callOf(connection, opened, extra),
    (call) => callTool(opened.host, params.name, args, call),
  );
  return { ...result };
}

/** `tasks/result`: waits for the end of a task; what it asks its client meanwhile belongs to this request. */
export async function taskResult(taskId: string, connection: Connection, extra: Extra): Promise<object> {
  const { tasks } = connection;
  tasks.get(taskId);
  const waiting = waitersOf(connection);
  waiting.set(taskId, extra.requestId);
  try {
    const result = await tasks.result(taskId, extra.signal);
    return { ...result, _meta: { [RELATED_TASK]: { taskId } } };
  } finally {
    if (waiting.get(taskId) === extra.requestId) waiting.delete(taskId);
  }
}

/** The requests that wait for a task's result, the latest of each. */
const waiters = new WeakMap<Connection, Map<string, RequestId>>();

function waitersOf(connection: Connection): Map<string, RequestId> {
  const existing = waiters.get(connection);
  if (existing) return existing;
  const made = new Map<string, RequestId>();
  waiters.set(connection, made);
  return made;
}

function begin(
  name: string,
  args: ToolArguments,
  ttl: number | undefined,
  { host, session }: Opened,
  extra: Extra,
  connection: Connection,
): object {
  const definition = listTools(host).find((one) => one.name === name);
  // A tool that is not there is told by the dispatch's own words, as it is without a task.
  if (definition !== undefined && definition.execution?.taskSupport === undefined) {
    throw new ProtocolError(ErrorCode.MethodNotFound, `Tool ${name} cannot run as a task`, { tool: name });
  }
  const { server, notices, tasks } = connection;
  const run = async (task: RunningTask) => {
    const related = () => waitersOf(connection).get(task.id);
    const wired = wireCall({
      session,
      client: () => clientOf(server, { related, awaiting: (answer) => task.awaiting(answer) }),
      signal: task.signal,
      notices,
      progressToken: extra._meta?.progressToken,
      related,
      task,
      mayAct: standingIn(extra.authInfo),
    });
    return await answered(wired, (call) => callTool(host, name, args, call));
  };
  const started = startOf(definition, name, args);
  const task = tasks.create({ message: started, ...defined({ ttl }) }, run);
  return {
    task,
    _meta: {
      [IMMEDIATE_RESPONSE]:
        `${started}. It runs in the background as task ${task.taskId}: go on with other work, and ask for its result later.`,
    },
  };
}

/** "Starting: Compose workflow 'save-document' (4 steps)" */
function startOf(definition: ToolDefinition | undefined, name: string, args: ToolArguments): string {
  const about = [args["name"], args["description"], args["query"], args["app"]]
    .find((one) => typeof one === "string");
  const steps = args["steps"];
  const many = Array.isArray(steps) ? ` (${steps.length} ${steps.length === 1 ? "step" : "steps"})` : "";
  const subject = typeof about === "string" ? ` '${about.replaceAll(/\s+/g, " ").slice(0, 80)}'` : "";
  return `Starting ${definition?.title ?? name}${subject}${many}`.toWellFormed();
}
