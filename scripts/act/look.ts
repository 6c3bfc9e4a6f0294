import { BackstepError } from "../../src/base/error.ts";
import { Gate, OPEN_PORTS } from "../../src/contract/gate.ts";
import type { Application } from "../../src/desktop/desktop.ts";
import { audit, AuditOutput } from "../../src/operations/audit.ts";
import type { Session } from "../../src/session/session.ts";

/** Milliseconds of an audit. */
const LIMIT = 30_000;

/** Audits the page that a browser shows. */
export async function lookAt(
  session: Session,
  application: Application,
  standards: readonly string[],
): Promise<AuditOutput> {
  const gate = new Gate({ operations: [audit], session, folder: "/", ports: OPEN_PORTS });
  const input = { app: application.bus, target: "document:nth(1)", standards, must_pass: false };
  const look = () => gate.dispatch({ operation: "audit", input }, { timeout: LIMIT });
  // Firefox may replace what it told of a page right after the page has loaded.
  const { output } = await look().catch((thrown: unknown) => {
    if (thrown instanceof BackstepError && thrown.code === "stale") return look();
    throw thrown;
  });
  return AuditOutput.parse(output);
}
