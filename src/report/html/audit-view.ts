import type { StepResult } from "../../contract/events.ts";
import type { AuditView } from "./model.ts";

export function auditOf(_step: StepResult): AuditView | undefined {
  return undefined;
}
