import { defined } from "../../base/defined.ts";
import type { McpCall, McpSession } from "../server/call.ts";
import type { McpClient } from "../server/client.ts";
import { IncreasingProgress } from "../server/increasing-progress.ts";
import type { RunningTask } from "../server/tasks.ts";
import { type Notice, type Notices, Outbox } from "./notices.ts";
import type { RequestId } from "./sdk.ts";

/** `_meta` of whatever belongs to a task. */
export const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** What a call is made of. */
export interface CallParts {
  readonly session: McpSession;
  /** Asked when somebody wants to know: a session may be there before its client has introduced itself. */
  readonly client: () => McpClient;
  readonly signal: AbortSignal;
  readonly notices: Notices;
  /** The client wants to hear how far it is. */
  readonly progressToken: string | number | undefined;
  /** The request that notifications belong to; undefined: none that is open. */
  readonly related: () => RequestId | undefined;
  readonly task?: RunningTask;
  /** Ends the stream of the request's answer, where the client can come back for it. */
  readonly letGo?: (() => void) | undefined;
  /** Judges the caller's token once more. */
  readonly mayAct?: (() => Promise<void>) | undefined;
}

/** A call, and when all that it said has been sent. */
export interface WiredCall {
  readonly call: McpCall;
  readonly sent: () => Promise<void>;
}

/** Wires one request, task or session to what tools, resources and prompts see of it. */
export function wireCall(parts: CallParts): WiredCall {
  const { session, signal, notices, progressToken, related, task, letGo, mayAct } = parts;
  const outbox = new Outbox(notices, related);
  const increasing = new IncreasingProgress();
  // What belongs to a request that was cancelled is heard by nobody; what a task says while it undoes, is.
  const push = (notice: Notice) => {
    if (task !== undefined || !signal.aborted) outbox.push(notice);
  };
  const meta = task === undefined ? {} : { _meta: { [RELATED_TASK]: { taskId: task.id } } };
  let client: McpClient | undefined;
  const call: McpCall = {
    session,
    get client() {
      return client ??= parts.client();
    },
    signal,
    progress(message, done, total) {
      task?.say(message);
      if (progressToken === undefined) return;
      push({
        method: "notifications/progress",
        params: {
          ...meta,
          progressToken,
          progress: increasing.next(done, total),
          ...defined({ total }),
          message,
        },
      });
    },
    log(level, logger, data) {
      if (notices.wants(level)) {
        push({ method: "notifications/message", params: { ...meta, level, logger, data } });
      }
    },
    ...defined({ letGo, mayAct }),
    ...(task === undefined ? {} : { task: { id: task.id } }),
  };
  return { call, sent: () => outbox.sent };
}
