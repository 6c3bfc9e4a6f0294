import type { Call } from "../base/call.ts";
import type { Session } from "../session/session.ts";
import type { DesktopPolicy } from "./guarded-desktop.ts";
import { Identities } from "./identities.ts";

/**
 * Why an application that somebody names may not be used, where it runs and is blocked; undefined: no such one is. `raw` is the
 * session without a guard.
 */
export async function hiddenApp(
  raw: Session,
  policy: DesktopPolicy,
  query: string,
  call?: Call,
): Promise<string | undefined> {
  if (!policy.restricts) return undefined;
  const wanted = folded(query);
  // It need not run: that it is denied is no secret, whether it runs is.
  if (policy.blocked({ name: query, executable: query, pid: 0 }) === "it is denied") return "it is denied";
  const identities = new Identities(raw.desktop);
  const seen = await identities.now(call);
  const listed = await raw.launcher.list(call);
  for (const application of seen.applications) {
    const identity = identities.application(application, seen);
    const reason = policy.blocked(identity);
    if (reason === undefined) continue;
    const entries = listed.filter(({ processId }) => processId === application.pid);
    const names = [
      identity.name,
      identity.id,
      ...identity.names ?? [],
      String(identity.pid),
      ...entries.flatMap(({ name, bundleId }) => [name, bundleId]),
    ];
    if (names.some((name) => name !== undefined && folded(name) === wanted)) return reason;
  }
  return undefined;
}

function folded(name: string): string {
  return name.trim().toLowerCase().replace(/\.desktop$/, "");
}
