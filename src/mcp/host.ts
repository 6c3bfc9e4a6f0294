import type { Act, AuditPort, PolicyPort } from "../contract/gate.ts";
import type { Security } from "../policy/security.ts";
import type { Session } from "../session/session.ts";
import type { Application } from "../desktop/desktop.ts";
import type { McpCall } from "./call.ts";
import type { Agreement } from "./guard-beforehand.ts";
import type { McpSession } from "./session.ts";
import type { Caches } from "./short-memory.ts";
import type { Prompt } from "./prompt.ts";
import type { ResourceProvider } from "./resource.ts";
import type { Tool, ToolAnswer, ToolArguments, Toolset } from "./tool.ts";

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

/** Counts calls of tools, and what is read of resources and prompts. */
export interface Limiter {
  /**
   * Throws a `ProtocolError` (-32000) where it is one too many; answers what ends the call. `what` is the tool's name, or the
   * request's method.
   */
  take(what: string, call: McpCall): () => void;
}

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

/** What all clients of a server share. */
export interface Host {
  /** The desktop; it is closed by whoever opened it. */
  readonly desktop: Session;
  readonly security: Security;
  /** Sessions that are open. */
  readonly sessions: ReadonlySet<McpSession>;
  /** Everything that the server offers; what a mode or `--toolsets` leaves out is left out of lists by the dispatch. */
  readonly tools: readonly Tool[];
  readonly resources: readonly ResourceProvider[];
  readonly prompts: readonly Prompt[];
  readonly version: string;
  /** When it began, in milliseconds since 1970. */
  readonly started: number;
  /** Groups of tools that are offered; undefined: all. */
  readonly toolsets?: ReadonlySet<Toolset>;
  readonly admission?: Admission;
  readonly beforehand?: Beforehand;
  /** Hears of every act; of what only looks too. */
  readonly audit?: (call: McpCall, tool: string, args: ToolArguments) => AuditPort;
  readonly limiter?: Limiter;
  /** How long trees and pictures are given again; undefined: `CACHES`. */
  readonly caches?: Caches;
  readonly resolveAmbiguity?: ResolveAmbiguity;
  readonly around?: Around;
}

/** A host, and how clients come to it. */
export interface OpenHost extends Host {
  /** What a new client has on the server. */
  open(id: string): McpSession;
  /** Ends every session; the desktop stays. */
  close(): Promise<void>;
}
