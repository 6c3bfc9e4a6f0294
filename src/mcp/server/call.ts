import type { Json } from "../../base/error.ts";
import type { Elements } from "../../contract/elements.ts";
import type { Dispatched } from "../../contract/gate.ts";
import type { Invocation } from "../../contract/operation.ts";
import type { Application } from "../../desktop/desktop.ts";
import type { Security } from "../../policy/security.ts";
import type { Session } from "../../session/session.ts";
import type { JsonSchema } from "../../base/json.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import type { Caches } from "./caches.ts";
import type { McpClient } from "./client.ts";
import type { Connections } from "./connections.ts";
import type { OpenFolders } from "./roots.ts";
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

/** What an act through the engine came to. */
export interface Acted {
  /** What the tool answers: the operation's output in the tool's own shape. */
  readonly output: { readonly [key: string]: Json };
  /** What undoing it would need. */
  readonly effect: "read" | "restorable" | "observed" | "compensable" | "irreversible";
}

/** What one client has on the server: nothing of it is any other client's. */
export interface McpSession {
  readonly id: string;
  readonly host: SharedHost;
  readonly connections: Connections;
  /** References to elements, "el-…". */
  readonly elements: Elements;
  /** The client's own folders. */
  readonly folders: OpenFolders;
  /** When it began, in milliseconds since 1970. */
  readonly started: number;
  /** Subscriptions that stand. */
  subscriptions: number;
  /** Acts that were done, and how many of them `ax_undo` could undo or would name. */
  readonly actions: number;
  readonly undoDepth: number;
  /** The last acts, one line each, oldest first: what was done to what, and how it failed. Never what was typed or set. */
  readonly history: readonly string[];
  /** The run that its acts belong to, as `backstep runs` lists it; undefined before the first. */
  readonly run: string | undefined;
  /**
   * An operation that only reads, through the gate: at once, beside others. `app` and what the input names of applications
   * are process ids as text: `connectionOf` and `withApps` of `with-app.ts` turn a client's names into them.
   */
  look(
    invocation: Invocation,
    call: McpCall,
    options?: { readonly app?: string; readonly timeout?: number },
  ): Promise<Dispatched>;
  /**
   * A tool that acts, in the form of the tool specification: through the gate and the engine's journal, one after another
   * on its desktop. `ax_workflow` and `ax_undo` too. Every `app` in the arguments is as the client named it.
   */
  act(tool: string, args: ToolArguments, call: McpCall): Promise<Acted>;
  /** Fires when it ends. */
  readonly over: AbortSignal;
  /** What is to be ended with it: `close` waits for that. The answer calls it off. */
  onEnd(end: () => Promise<void>): () => void;
  /** Ends it: what it did stays; what is cut off in the middle of an `ax_workflow` is rolled back first. */
  close(): Promise<void>;
}

/** Chooses between applications that a name fits; undefined: nobody can choose. */
export type ResolveAmbiguity = (
  query: string,
  candidates: readonly Candidate[],
  call: McpCall,
) => Promise<Candidate | undefined>;

/** A running application that a name fits. */
export interface Candidate {
  readonly application: Application;
  readonly appName: string;
  readonly bundleId?: string;
}

/** Counts calls of tools, and what is read of resources and prompts. */
export interface Limiter {
  /**
   * Throws a `ProtocolError` (-32000) where it is one too many; answers what ends the call. `what` is the tool's name, or the
   * request's method.
   */
  take(what: string, call: McpCall): () => void;
}

/** Stands at recordings of what a person does. */
export interface RecordingGuard {
  /**
   * Asks whether a client may record; throws where it may not. The answer is called once the recording has begun, or with why
   * it could not: both are written down.
   */
  begin(call: McpCall, uri: string): Promise<(failed?: unknown) => void>;
  /** Writes down that the steps were handed out; `saved`: and written into a file. */
  handOut(call: McpCall, uri: string, saved: boolean): void;
}

/** What all clients of a server share, as their sessions see it. */
export interface SharedHost {
  /** The desktop; it is closed by whoever opened it. */
  readonly desktop: Session;
  readonly security: Security;
  /** Sessions that are open. */
  readonly sessions: ReadonlySet<McpSession>;
  readonly version: string;
  /** When it began, in milliseconds since 1970. */
  readonly started: number;
  /** How long trees and pictures are given again; undefined: `CACHES`. */
  readonly caches?: Caches;
  readonly limiter?: Limiter;
  readonly resolveAmbiguity?: ResolveAmbiguity;
  readonly recording?: RecordingGuard;
  /** What a tool that may be called now takes; undefined: there is none of this name, or it is not offered. */
  inputOf(tool: string): JsonSchema | undefined;
}
