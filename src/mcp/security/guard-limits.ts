import { BackstepError } from "../../base/error.ts";
import type { Traits } from "../../contract/traits.ts";
import { type Clock, type Refusal, SessionLimiter, SharedLimiter } from "../../policy/limits.ts";
import type { GuardSecurity } from "../../policy/policy.ts";
import { traitsOf } from "../../tools/all.ts";
import type { ToolTraits } from "../../tools/tool.ts";
import type { Limiter, McpCall, McpSession } from "../server/call.ts";
import { ProtocolError, RATE_LIMITED } from "../server/wire.ts";

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
    const shared = this.#shared(traitsOf(what).limit);
    if (shared) {
      limiter.end();
      throw limitReached(shared, what, call);
    }
    return () => limiter.end();
  }

  /** For a tool within a workflow: what it shares with others is counted there too. */
  nested({ runsCode, asksVision }: Traits): void {
    const refusal = runsCode ? this.#shared("script") : asksVision ? this.#shared("vision") : undefined;
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

  #shared(limit: ToolTraits["limit"]): Refusal | undefined {
    const { scriptRpm, vlmRpm } = this.#security.limits;
    switch (limit) {
      case "script":
        return this.#scripts.take(scriptRpm);
      case "vision":
        return this.#vision.take(vlmRpm);
      case undefined:
        return undefined;
    }
  }

  #of(session: McpSession): SessionLimiter {
    const existing = this.#sessions.get(session);
    if (existing) return existing;
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
