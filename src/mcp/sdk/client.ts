import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type {
  Elicited,
  FormRequest,
  McpClient,
  Root,
  Sampled,
  SamplingRequest,
  ToolUse,
  UrlRequest,
} from "../server/client.ts";
import type { Content } from "../server/wire.ts";
import { jsonMap } from "./from-wire.ts";
import {
  CreateMessageRequestSchema,
  type CreateMessageResultWithTools,
  type ElicitRequestFormParams,
  ElicitRequestFormParamsSchema,
  type ElicitRequestURLParams,
  type ElicitResult,
  ErrorCode,
  McpError,
  type RequestId,
  type Server,
} from "./sdk.ts";

/** Milliseconds that a person has for an answer, and that a model or a program has. */
const PERSON = 600_000;
const MODEL = 120_000;
const PROGRAM = 30_000;

/** "User rejected", as clients answer a sampling request that a person said no to. */
const REJECTED = -1;

/** How the client is asked within a call. */
export interface Asking {
  /** The request that the question belongs to; undefined: none that is open. */
  readonly related: () => RequestId | undefined;
  /** Told while the client is asked: a task then waits for input. */
  awaiting<T>(answer: Promise<T>): Promise<T>;
}

/** The client at the other end of a connection, as it has introduced itself. */
export function clientOf(server: Server, asking: Asking): McpClient {
  const capabilities = server.getClientCapabilities() ?? {};
  const about = server.getClientVersion();
  const { elicitation, sampling, roots } = capabilities;
  const options = (signal: AbortSignal, timeout: number) => {
    const related = asking.related();
    return {
      signal,
      timeout,
      maxTotalTimeout: timeout,
      ...defined({ relatedRequestId: related }),
    };
  };
  const ask = async <T>(doing: string, signal: AbortSignal, answer: () => Promise<T>): Promise<T> => {
    try {
      signal.throwIfAborted();
      return await asking.awaiting(answer());
    } catch (error) {
      throw askingFailed(doing, signal, error);
    }
  };
  return {
    name: about?.name ?? "unknown",
    version: about?.version ?? "",
    can: {
      // The SDK reads an empty capability as forms: that was all there was before addresses came.
      form: elicitation?.form !== undefined,
      url: elicitation?.url !== undefined,
      sampling: sampling !== undefined,
      samplingTools: sampling?.tools !== undefined,
      roots: roots !== undefined,
    },
    elicit: (request, signal) =>
      ask("ask the person at the client", signal, async () => {
        return elicited(await server.elicitInput(questionOf(request), options(signal, PERSON)));
      }),
    async elicited(elicitationId) {
      if (elicitation?.url !== undefined) await server.createElicitationCompletionNotifier(elicitationId)();
    },
    sample: (request, signal) =>
      ask("ask the client's model", signal, async () => {
        const params = CreateMessageRequestSchema.shape.params.parse(promptOf(request));
        return sampled(await server.createMessage(params, options(signal, MODEL)));
      }),
    roots: (signal) =>
      ask("ask the client for its folders", signal, async () => {
        const { roots } = await server.listRoots({}, options(signal, PROGRAM));
        return roots.map(({ uri, name }): Root => name === undefined ? { uri } : { uri, name });
      }),
  };
}

/** In the SDK's words; its schema of forms is narrower than JSON Schema, and a form of ours that does not fit is a fault. */
function questionOf(request: FormRequest | UrlRequest): ElicitRequestFormParams | ElicitRequestURLParams {
  return request.mode === "url" ? { ...request } : ElicitRequestFormParamsSchema.parse(request);
}

function elicited({ action, content }: ElicitResult): Elicited {
  return action === "accept" ? { action, content: content ?? {} } : { action };
}

/** One piece of content stands alone: lists are younger than some clients. */
function promptOf(request: SamplingRequest): unknown {
  return {
    ...request,
    messages: request.messages.map(({ role, content }) => ({
      role,
      content: content.length === 1 ? content[0] : content,
    })),
  };
}

function sampled(answer: Pick<CreateMessageResultWithTools, "model" | "stopReason" | "content">): Sampled {
  const pieces = Array.isArray(answer.content) ? answer.content : [answer.content];
  return {
    model: answer.model,
    stopReason: answer.stopReason,
    content: pieces.flatMap((piece): (Content | ToolUse)[] => {
      switch (piece.type) {
        case "text":
          return [{ type: "text", text: piece.text }];
        case "image":
          return [{ type: "image", data: piece.data, mimeType: piece.mimeType }];
        case "tool_use":
          return [{ type: "tool_use", id: piece.id, name: piece.name, input: jsonMap(piece.input) }];
        default:
          // Sound and results of tools are nothing that a model was asked for here.
          return [];
      }
    }),
  };
}

function askingFailed(doing: string, signal: AbortSignal, error: unknown): BackstepError {
  if (error instanceof BackstepError) return error;
  const said = error instanceof Error ? error.message : String(error);
  const code = error instanceof McpError ? error.code : undefined;
  const details = code === undefined ? {} : { details: { code } };
  if (signal.aborted || code === ErrorCode.ConnectionClosed) {
    return new BackstepError("cancelled", `Cannot ${doing}: the call was cancelled`, { cause: error });
  }
  if (code === ErrorCode.RequestTimeout) {
    return new BackstepError("timeout", `Cannot ${doing}: there was no answer in time`, {
      cause: error,
      ...details,
    });
  }
  if (code === ErrorCode.MethodNotFound) {
    return new BackstepError("unsupported", `Cannot ${doing}: the client cannot do it`, {
      cause: error,
      ...details,
    });
  }
  const why = code === REJECTED ? "it was refused there" : said.slice(0, 300);
  return new BackstepError("refused", `Cannot ${doing}: ${why}`, { cause: error, ...details });
}
