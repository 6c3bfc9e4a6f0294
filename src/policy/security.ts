import type { BackstepError } from "../base/error.ts";

/** How much an interface lets happen. */
export const SECURITY_MODES = ["normal", "safe", "sandboxed"] as const;
/**
 * - "normal": everything, what is risky is asked for and logged;
 * - "safe": no scripts, and what destroys needs a person's word;
 * - "sandboxed": looks only.
 */
export type SecurityMode = (typeof SECURITY_MODES)[number];

/** An application as a list of allowed or denied ones may name it. */
export interface AppIdentity {
  readonly name: string;
  /** What else it is called: by its desktop entry, its window. */
  readonly names?: readonly string[];
  /** Its desktop entry's id. */
  readonly id?: string;
  /** 0: not known. */
  readonly pid: number;
  /** Class of its windows. */
  readonly windowClass?: string;
  /** Path or name of its program. */
  readonly executable?: string;
}

/** What is allowed, as it stands now: it may change while a server runs. */
export interface Security {
  readonly mode: SecurityMode;
  /** Why this application may be neither seen nor touched; undefined: it may. */
  blocked(app: AppIdentity): string | undefined;
  /** Called after each change; answers how to end that. */
  onChange(listener: () => void): () => void;
  /** Called for a policy that cannot be, while the one before stays. */
  onFault?(listener: (fault: BackstepError) => void): () => void;
}

/** Everything is allowed: where no policy was given. */
export const OPEN_SECURITY: Security = {
  mode: "normal",
  blocked: () => undefined,
  onChange: () => () => {},
};
