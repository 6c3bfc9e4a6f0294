import type { Security } from "../policy/security.ts";
import type { Session } from "../session/session.ts";
import type { McpSession } from "./session.ts";
import type { Prompt } from "./prompt.ts";
import type { ResourceProvider } from "./resource.ts";
import type { Tool } from "./tool.ts";

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
}
