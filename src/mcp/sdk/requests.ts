import { complete } from "../complete.ts";
import { listTools } from "../dispatch.ts";
import { listResources, listTemplates, readResource } from "../find-resource.ts";
import { getPrompt } from "../find-prompt.ts";
import { pageOf } from "../pages.ts";
import { answered, callOf, type Connection, type Extra, type Room } from "./connection.ts";
import { read, type Reads } from "./from-wire.ts";
import {
  CancelTaskRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  GetTaskPayloadRequestSchema,
  GetTaskRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListTasksRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "./sdk.ts";
import { callRequest, taskResult } from "./tool-requests.ts";

/** Answers one request; what it throws becomes a JSON-RPC error. */
export type Handle = (request: unknown, extra: Extra, connection: Connection) => Promise<object>;

/** Every method but `initialize` and `ping`, which are the SDK's. */
export const requests: { readonly [method: string]: Handle } = {
  "tools/list": on(ListToolsRequestSchema, async ({ params }, { room }) => {
    const { host } = await room;
    return paged("tools", pageOf(listTools(host), params?.cursor));
  }),
  "tools/call": callRequest,

  "resources/list": onRoom(ListResourcesRequestSchema, async ({ params }, room, { connection, extra }) => {
    const all = await answered(callOf(connection, room, extra), (call) => listResources(room.host, call));
    return paged("resources", pageOf(all, params?.cursor));
  }),
  "resources/templates/list": onRoom(ListResourceTemplatesRequestSchema, ({ params }, { host }) => {
    return paged("resourceTemplates", pageOf(listTemplates(host), params?.cursor));
  }),
  "resources/read": onRoom(ReadResourceRequestSchema, async ({ params }, room, { connection, extra }) => {
    const { uri } = params;
    const contents = await answered(
      callOf(connection, room, extra),
      (call) => readResource(room.host, uri, call),
    );
    return { contents };
  }),
  "resources/subscribe": onRoom(SubscribeRequestSchema, async ({ params }, { subscriptions }) => {
    await subscriptions.add(params.uri);
    return {};
  }),
  "resources/unsubscribe": onRoom(UnsubscribeRequestSchema, async ({ params }, { subscriptions }) => {
    await subscriptions.remove(params.uri);
    return {};
  }),

  "prompts/list": onRoom(ListPromptsRequestSchema, ({ params }, { host }) => {
    return paged("prompts", pageOf(host.prompts.map(({ definition }) => definition), params?.cursor));
  }),
  "prompts/get": onRoom(GetPromptRequestSchema, async ({ params }, room, { connection, extra }) => {
    const { name, arguments: given = {} } = params;
    const prompt = await answered(
      callOf(connection, room, extra),
      (call) => getPrompt(room.host, name, given, call),
    );
    return { ...prompt };
  }),

  "completion/complete": onRoom(CompleteRequestSchema, async ({ params }, room, { connection, extra }) => {
    const { ref, argument, context } = params;
    const completion = await answered(
      callOf(connection, room, extra),
      (call) => complete(room.host, { ref, argument, filled: context?.arguments ?? {} }, call),
    );
    return { completion };
  }),

  "logging/setLevel": on(SetLevelRequestSchema, ({ params }, { notices }) => {
    notices.level = params.level;
    return {};
  }),

  "tasks/get": on(GetTaskRequestSchema, ({ params }, { tasks }) => tasks.get(params.taskId)),
  "tasks/list": on(
    ListTasksRequestSchema,
    ({ params }, { tasks }) => paged("tasks", tasks.list(params?.cursor)),
  ),
  "tasks/cancel": on(CancelTaskRequestSchema, ({ params }, { tasks }) => tasks.cancel(params.taskId)),
  "tasks/result": on(
    GetTaskPayloadRequestSchema,
    ({ params }, connection, extra) => taskResult(params.taskId, connection, extra),
  ),
};

/** Reads a request with the SDK's schema, then answers it. */
function on<T>(
  schema: Reads<T>,
  answer: (request: T, connection: Connection, extra: Extra) => object | Promise<object>,
): Handle {
  return async (request, extra, connection) => await answer(read(schema, request), connection, extra);
}

/** As `on`, for what needs the desktop and its session. */
function onRoom<T>(
  schema: Reads<T>,
  answer: (
    request: T,
    room: Room,
    at: { readonly connection: Connection; readonly extra: Extra },
  ) => object | Promise<object>,
): Handle {
  return on(
    schema,
    async (request, connection, extra) => await answer(request, await connection.room, { connection, extra }),
  );
}

function paged<K extends string, T>(
  name: K,
  { items, nextCursor }: { readonly items: readonly T[]; readonly nextCursor?: string },
): object {
  return { [name]: items, ...(nextCursor === undefined ? {} : { nextCursor }) };
}
