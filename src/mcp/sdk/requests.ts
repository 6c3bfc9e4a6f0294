import { defined } from "../../base/defined.ts";
import { complete } from "../server/complete.ts";
import { listTools, seekManager } from "../server/dispatch.ts";
import { listResources, listTemplates, readResource } from "../server/find-resource.ts";
import { getPrompt } from "../server/find-prompt.ts";
import { pageOf } from "../server/pages.ts";
import { answered, callOf, type Connection, type Extra, type Opened } from "./connection.ts";
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
  "tools/list": on(ListToolsRequestSchema, async ({ params }, { opened }) => {
    const { host } = await opened;
    await seekManager(host);
    return paged("tools", pageOf(listTools(host), params?.cursor));
  }),
  "tools/call": callRequest,

  "resources/list": onOpened(
    ListResourcesRequestSchema,
    async ({ params }, opened, { connection, extra }) => {
      const all = await answered(
        callOf(connection, opened, extra),
        (call) => listResources(opened.host, call),
      );
      return paged("resources", pageOf(all, params?.cursor));
    },
  ),
  "resources/templates/list": onOpened(
    ListResourceTemplatesRequestSchema,
    async ({ params }, opened, { connection, extra }) => {
      const all = await answered(
        callOf(connection, opened, extra),
        (call) => listTemplates(opened.host, call),
      );
      return paged("resourceTemplates", pageOf(all, params?.cursor));
    },
  ),
  "resources/read": onOpened(ReadResourceRequestSchema, async ({ params }, opened, { connection, extra }) => {
    const { uri } = params;
    const contents = await answered(
      callOf(connection, opened, extra),
      (call) => readResource(opened.host, uri, call),
    );
    return { contents };
  }),
  "resources/subscribe": onOpened(SubscribeRequestSchema, async ({ params }, { subscriptions }) => {
    await subscriptions.add(params.uri);
    return {};
  }),
  "resources/unsubscribe": onOpened(UnsubscribeRequestSchema, async ({ params }, { subscriptions }) => {
    await subscriptions.remove(params.uri);
    return {};
  }),

  "prompts/list": onOpened(ListPromptsRequestSchema, ({ params }, { host }) => {
    return paged("prompts", pageOf(host.prompts.map(({ definition }) => definition), params?.cursor));
  }),
  "prompts/get": onOpened(GetPromptRequestSchema, async ({ params }, opened, { connection, extra }) => {
    const { name, arguments: given = {} } = params;
    const prompt = await answered(
      callOf(connection, opened, extra),
      (call) => getPrompt(opened.host, name, given, call),
    );
    return { ...prompt };
  }),

  "completion/complete": onOpened(
    CompleteRequestSchema,
    async ({ params }, opened, { connection, extra }) => {
      const { ref, argument, context } = params;
      const completion = await answered(
        callOf(connection, opened, extra),
        (call) => complete(opened.host, { ref, argument, filled: context?.arguments ?? {} }, call),
      );
      return { completion };
    },
  ),

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
function onOpened<T>(
  schema: Reads<T>,
  answer: (
    request: T,
    opened: Opened,
    at: { readonly connection: Connection; readonly extra: Extra },
  ) => object | Promise<object>,
): Handle {
  return on(
    schema,
    async (request, connection, extra) =>
      await answer(request, await connection.opened, { connection, extra }),
  );
}

function paged<K extends string, T>(
  name: K,
  { items, nextCursor }: { readonly items: readonly T[]; readonly nextCursor?: string },
): object {
  return { [name]: items, ...defined({ nextCursor }) };
}
