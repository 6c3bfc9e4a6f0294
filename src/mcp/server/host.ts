import type { Act, AuditPort, PolicyPort } from "../../contract/gate.ts";
import type { Security } from "../../policy/security.ts";
import type { Session } from "../../session/session.ts";
import type { ToolArguments, Toolset } from "../../tools/tool.ts";
import type { Agreement } from "./agreement.ts";
import type { Caches } from "./caches.ts";
import type { Limiter, McpCall, McpSession, RecordingGuard, ResolveAmbiguity, SharedHost } from "./call.ts";
import type { Prompt } from "./prompt.ts";
import type { ResourceProvider } from "./resource.ts";
import type { Tool, ToolAnswer } from "./tool.ts";

/** Stands at every act and every look of a client, once the target is known and before anything is done. */
export type Admission = (
  call: McpCall,
  tool: string,
  args: ToolArguments,
  agreement?: Agreement,
) => readonly PolicyPort[];

/** Asks before a workflow begins for what is known to need a person's word; throws where they say no. */
export type Beforehand = (
  call: McpCall,
  of: { readonly tool: string; readonly args: ToolArguments; readonly acts: readonly Act[] },
) => Promise<Agreement>;

/**
 * Stands around every call of a tool: may help with what a person can help with, and hears what was refused. `next` runs the
 * tool with these arguments.
 */
export type Around = (
  tool: string,
  args: ToolArguments,
  call: McpCall,
  next: (args: ToolArguments) => Promise<ToolAnswer>,
) => Promise<ToolAnswer>;

/** What all clients of a server share, with what it offers and who stands around its calls. */
export interface Host extends SharedHost {
  /** Everything that the server offers; what a mode or `--toolsets` leaves out is left out of lists by the dispatch. */
  readonly tools: readonly Tool[];
  readonly resources: readonly ResourceProvider[];
  readonly prompts: readonly Prompt[];
  /** Groups of tools that are offered; undefined: all. */
  readonly toolsets?: ReadonlySet<Toolset>;
  readonly admission?: Admission;
  readonly beforehand?: Beforehand;
  /** Hears of every act; of what only looks too. */
  readonly audit?: (call: McpCall, tool: string, args: ToolArguments) => AuditPort;
  readonly around?: Around;
}

/** A host, and how clients come to it. */
export interface OpenHost extends Host {
  /** What a new client has on the server. */
  open(id: string): McpSession;
  /** Ends every session; the desktop stays. */
  close(): Promise<void>;
}

/** What a host is made of. */
export interface HostOptions {
  /** Stays open: whoever opened it closes it. */
  readonly desktop: Session;
  /** Default: everything is allowed. */
  readonly security?: Security;
  /** Groups of tools that are offered; default: all. */
  readonly toolsets?: readonly Toolset[];
  /** Where journals are kept; default: `stateFolder()`. */
  readonly state?: string;
  /** What paths are confined to; default: the working folder. */
  readonly folder?: string;
  /** Of the program, as clients are told. */
  readonly version?: string;
  /** Actions that `ax_undo` can reach; default 500. */
  readonly kept?: number;
  /** Default: everything that there is. */
  readonly tools?: readonly Tool[];
  /** Offered beside the rest. */
  readonly extra?: Pick<Host, "tools" | "resources" | "prompts">;
  readonly admission?: Admission;
  readonly beforehand?: Beforehand;
  readonly audit?: Host["audit"];
  readonly limiter?: Limiter;
  /** How long trees and pictures are given again; default: 500 and 100 ms. */
  readonly caches?: Partial<Caches>;
  readonly resolveAmbiguity?: ResolveAmbiguity;
  /** Default: every client may record. */
  readonly recording?: RecordingGuard;
  readonly around?: Around;
}
