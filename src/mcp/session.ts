import type { Json } from "../base/error.ts";
import type { Elements } from "../contract/elements.ts";
import type { Dispatched } from "../contract/gate.ts";
import type { Invocation } from "../contract/operation.ts";
import type { McpCall } from "./call.ts";
import type { Connections } from "./connections.ts";
import type { Host } from "./host.ts";
import type { OpenFolders } from "./roots.ts";
import type { ToolArguments } from "./tool.ts";

/** What an act through the engine came to. */
export interface Acted {
  /** What the tool answers: the operation's output in the tool's own shape. */
  readonly output: { readonly [key: string]: Json };
  /** What taking it back would need. */
  readonly effect: "read" | "restorable" | "observed" | "compensable" | "irreversible";
}

/** What one client has on the server: nothing of it is any other client's. */
export interface McpSession {
  readonly id: string;
  readonly host: Host;
  readonly connections: Connections;
  /** References to elements, "el-…". */
  readonly elements: Elements;
  /** The client's own folders. */
  readonly folders: OpenFolders;
  /** When it began, in milliseconds since 1970. */
  readonly started: number;
  /** Subscriptions that stand. */
  subscriptions: number;
  /** Acts that were done, and how many of them `ax_undo` could take back or would name. */
  readonly actions: number;
  readonly undoDepth: number;
  /** The run that its acts belong to, as `backstep runs` lists it; undefined before the first. */
  readonly run: string | undefined;
  /**
   * An operation that only looks, through the gate: at once, beside others. `app` and what the input names of applications
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
  /** Ends it: what it did stays; what is cut off in the middle of an `ax_workflow` is taken back first. */
  close(): Promise<void>;
}
