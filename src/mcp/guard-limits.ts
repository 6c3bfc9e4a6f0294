import { BackstepError } from "../base/error.ts";
import { type Clock, type Refusal, SessionLimiter, SharedLimiter } from "../policy/limits.ts";
import type { GuardSecurity } from "../policy/policy.ts";
import type { McpCall } from "./call.ts";
import type { Limiter } from "./host.ts";
import type { McpSession } from "./session.ts";
import { ProtocolError, RATE_LIMITED } from "./wire.ts";

const SCRIPT = "ax_run_script";
const VISION = "ax_find_visual";

/** Counts what each session calls and reads, and calls of scripts and of vision models of all. */
export class Limits implements Limiter {
  readonly #security: GuardSecurity;
  readonly #now: Clock | undefined;
  readonly #sessions = new WeakMap<McpSession, SessionLimiter>();
  readonly #scripts: SharedLimiter;
  readonly #vision: SharedLimiter;

  constructor(security: GuardSecurity, now?: Clock) {
    this.#security = security;
    this.#now = now;
    this.#scripts = new SharedLimiter("script", now);
    this.#vision = new SharedLimiter("vision", now);
  }

  take(what: string, call: McpCall): () => void {
    const limiter = this.#of(call.session);
    const refusal = limiter.begin(this.#security.limits);
    if (refusal) throw limitReached(refusal, what, call);
    const shared = this.#shared(what);
    if (shared) {
      limiter.end();
      throw limitReached(shared, what, call);
    }
    return () => limiter.end();
  }

  /** For a tool within a workflow: what it shares with others is counted there too. */
  nested(operation: string): void {
    const refusal = operation === "run-script"
      ? this.#shared(SCRIPT)
      : operation === "find-visual"
      ? this.#shared(VISION)
      : undefined;
    if (!refusal) return;
    throw new BackstepError("limit", "Rate limit exceeded", {
      hint: `Wait ${refusal.retryAfterMs} ms.`,
      details: { limit: refusal.limit, retry_after_ms: refusal.retryAfterMs },
    });
  }

  /** One more call of a session, for what it tried that is blocked. */
  penalise(session: McpSession): void {
    this.#of(session).penalise();
  }

  #shared(tool: string): Refusal | undefined {
    const { scriptRpm, vlmRpm } = this.#security.limits;
    if (tool === SCRIPT) return this.#scripts.take(scriptRpm);
    return tool === VISION ? this.#vision.take(vlmRpm) : undefined;
  }

  #of(session: McpSession): SessionLimiter {
    const known = this.#sessions.get(session);
    if (known) return known;
    const made = new SessionLimiter(this.#now);
    this.#sessions.set(session, made);
    return made;
  }
}

function limitReached({ limit, most, retryAfterMs }: Refusal, what: string, call: McpCall): ProtocolError {
  const data = {
    limit,
    max: most,
    retry_after_ms: retryAfterMs,
    // Nobody knows when a running call ends: only what is said of windows holds.
    ...(limit === "concurrency"
      ? { retry_after_is: "an estimate", waits_for: "one of the running calls to end" }
      : {}),
  };
  call.log("alert", "axterminator.security", { event: "rate_limit_exceeded", tool: what, ...data });
  return new ProtocolError(RATE_LIMITED, "Rate limit exceeded", data);
}
