import { guardSession } from "../../policy/guarded-session.ts";
import type { AuditLog } from "../../policy/audit-log.ts";
import type { Clock } from "../../policy/limits.ts";
import type { GuardSecurity } from "../../policy/policy.ts";
import type { Session } from "../../session/session.ts";
import { chooseApp } from "../elicitation/ambiguous-app.ts";
import { Refusals } from "../../policy/judgement/refusals.ts";
import type { McpCall, McpSession } from "../server/call.ts";
import { admitting } from "./guard-act.ts";
import { helping } from "./guard-around.ts";
import { askBeforehand } from "./guard-beforehand.ts";
import { recordingGuard } from "./guard-recording.ts";
import { AuditTrail, resultOf } from "./guard-audit.ts";
import { Limits } from "./guard-limits.ts";
import { admittedOf } from "./guard-state.ts";
import type { HostOptions } from "../server/host.ts";

/** What a guard is made of. */
export interface GuardOptions {
  /** The desktop as it is. */
  readonly session: Session;
  readonly security: GuardSecurity;
  /** Default: acts are told to the client that made them, and written nowhere. */
  readonly audit?: AuditLog;
  /** Milliseconds, for limits; default: the machine's. */
  readonly now?: Clock;
}

/** What a guarded host is made with: spread it into the options of `makeHost`. */
export type Guard = Required<
  Pick<
    HostOptions,
    | "desktop"
    | "security"
    | "admission"
    | "beforehand"
    | "audit"
    | "limiter"
    | "resolveAmbiguity"
    | "around"
    | "recording"
  >
>;

/**
 * Puts a policy around a desktop and around every call that comes to it: what is blocked is out of sight and out of reach,
 * what destroys needs a person's word, calls are counted, and acts are written down.
 *
 * @example
 * ```ts
 * import { Policy } from "../../policy/policy.ts";
 * import { Settings } from "../../policy/settings.ts";
 * import { openSession } from "../../session/open-session.ts";
 * import { guard } from "./guard.ts";
 * import { makeHost } from "../make-host.ts";
 * const session = await openSession({ kind: "simulated" });
 * const environment = { BACKSTEP_DENIED_APPS: "Settings" };
 * const security = new Policy(new Settings({ environment, folder: "/nonexistent" }));
 * const host = makeHost(guard({ session, security }));
 * await session.launcher.launch("sim.settings");
 * if ((await host.desktop.desktop.applications()).length !== 0) throw new Error();
 * await host.close();
 * await session.close();
 * ```
 */
export function guard({ session, security, audit, now }: GuardOptions): Guard {
  const limits = new Limits(security, now);
  const trail = new AuditTrail(audit, security);
  const refused = new WeakMap<McpSession, Refusals>();
  const refusalsOf = (session: McpSession): Refusals => {
    const existing = refused.get(session) ?? new Refusals(now);
    refused.set(session, existing);
    return existing;
  };
  const guardOf = ({ session }: McpCall) => ({ security, trail, limits, refusals: refusalsOf(session) });
  return {
    desktop: guardSession(session, security),
    security,
    limiter: limits,
    resolveAmbiguity: chooseApp,
    recording: recordingGuard(security, trail),
    around: helping({ raw: session, security, limits }),
    admission: (call, tool, args, agreement) => [admitting(guardOf(call), call, tool, args, agreement)],
    beforehand: (call, of) => askBeforehand(guardOf(call), call, of),
    audit: (call, tool, args) => ({
      record(act, outcome) {
        if (act.resolved.effect === "read") return;
        const { flags = new Set<string>(), hits = [], result = resultOf(outcome) } = admittedOf(act) ?? {};
        trail.write(call, { tool, args, act, result, flags: [...flags], hits });
      },
    }),
  };
}
