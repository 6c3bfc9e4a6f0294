import type { Authority, Principal } from "../../transport/auth/authority.ts";
import type { Names } from "../../transport/http/guards.ts";
import type { HttpLimits } from "../../transport/http/limits.ts";
import type { ServedServer } from "./sessions.ts";

/** A request that was refused. */
export interface Refused {
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly message: string;
}

/** What a router goes by. */
export interface RouterOptions {
  makeServer(label: string, principal: Principal): Promise<ServedServer>;
  readonly names: Names;
  readonly limits: HttpLimits;
  /** Undefined: nobody is asked for a token. */
  readonly authority: Authority | undefined;
  /** Who everybody is then. */
  readonly anybody: Principal;
  readonly sse: boolean;
  readonly json: boolean;
  acts(tool: string): boolean;
  actsAt(uri: string): boolean;
  refused(what: Refused): void;
  /** Told where a session could not be ended in order. */
  failed(thrown: unknown): void;
}
