import type { Json } from "../base/error.ts";
import type { McpClient } from "./client.ts";
import type { McpSession } from "./session.ts";
import type { LogLevel } from "./wire.ts";

/** One request of a client, as tools, resources and prompts see it. */
export interface McpCall {
  readonly session: McpSession;
  readonly client: McpClient;
  /** Fires when the client cancels the request, or its session ends. */
  readonly signal: AbortSignal;
  /**
   * Tells the client how far it is; nothing is sent where it gave no token. What is not further than before is moved on by
   * a fraction, since values must rise.
   */
  progress(message: string, done?: number, total?: number): void;
  /** `notifications/message`, where the client wants this level. `logger` is "axterminator.tools.find". */
  log(level: LogLevel, logger: string, data: { readonly [key: string]: Json }): void;
  /**
   * Lets go of the stream that the answer is awaited on; the client comes back for it. Absent where there is none, or the
   * client could not come back.
   */
  letGo?(): void;
  /**
   * Rejects with `policy` where the token that the call was made with does not allow to act at this moment: it has expired, or
   * its key was withdrawn. Absent: no token is asked for.
   */
  mayAct?(): Promise<void>;
  /** The task that the call runs as; its status message follows `progress`. Absent: it runs as a plain call. */
  readonly task?: { readonly id: string };
}
