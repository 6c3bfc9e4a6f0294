import process from "node:process";
import { type Guard, guard } from "../../../mcp/security/guard.ts";
import { AuditLog } from "../../../policy/audit-log.ts";
import { Policy } from "../../../policy/policy.ts";
import type { Settings } from "../../../policy/settings.ts";
import { SETTINGS } from "../../../policy/table.ts";
import { oneLine } from "../../../report/style.ts";
import type { Session } from "../../../session/session.ts";
import type { Io } from "../../io.ts";

/** A guard over a desktop, and how it ends. */
export interface Guarded {
  readonly options: Guard;
  close(): void;
}

/** Puts what is configured around a desktop: the policy follows its files until it is closed. */
export function guardOf(session: Session, settings: Settings, io: Io): Guarded {
  for (const note of settings.notes) io.note(oneLine(`backstep mcp: ${note}`));
  const policy = new Policy(settings);
  policy.onFault(({ message }) => io.note(oneLine(`backstep mcp: ${message}; what was before stays`)));
  const audit = new AuditLog(settings.get(SETTINGS.auditLog), {
    maxBytes: settings.get(SETTINGS.auditBytes),
  });
  // What src/vision reads is the environment alone.
  for (const name of ["BACKSTEP_VLM_BACKEND", "BACKSTEP_VLM_MODEL"]) {
    const value = settings.environment[name];
    if (value !== undefined) process.env[name] = value;
  }
  policy.follow();
  return {
    options: guard({ session, security: policy, audit }),
    close() {
      policy.close();
      audit.close();
    },
  };
}
