import type { Deadline } from "../../base/call.ts";
import type { Gate } from "../../contract/gate.ts";
import type { Session } from "../../session/session.ts";

/** The desktop of a run, the gate to it, and the time there is. */
export interface DesktopAccess {
  readonly session: Session;
  readonly gate: Gate;
  /** Of the flow; a rollback has a budget of its own. */
  readonly deadline: Deadline;
  /** The second interrupt: stops even a rollback. */
  readonly hardStop: AbortSignal | undefined;
}
