import type { RollbackResult, RollbackVerdict, RunResult } from "../../contract/events.ts";
import type { Expectation } from "../model/step.ts";

const GRAVITY: readonly RollbackVerdict[] = ["none", "restored", "rebuilt", "drift", "failed"];

/** All rollbacks of a run as one: the gravest verdict, everything named. */
export function merged(rollbacks: readonly RollbackResult[]): RollbackResult {
  const verdict = rollbacks.reduce<RollbackVerdict>(
    (worst, r) => GRAVITY.indexOf(r.verdict) > GRAVITY.indexOf(worst) ? r.verdict : worst,
    "none",
  );
  const barrier = rollbacks.findLast((r) => r.barrier)?.barrier;
  const beside = rollbacks.flatMap((r) => r.beside ?? []);
  return {
    verdict,
    steps: rollbacks.flatMap((r) => r.steps),
    drift: rollbacks.flatMap((r) => r.drift),
    enrolled: rollbacks.flatMap((r) => r.enrolled),
    ...(barrier ? { barrier } : {}),
    ...(beside.length > 0 ? { beside } : {}),
  };
}

/** 0 passed · 1 failed, nothing left · 3 drift · 4 in doubt or the rollback failed · 130 interrupted and rolled back. */
export function exitCode(status: RunResult["status"], verdict: RollbackVerdict, inDoubt: boolean): number {
  if (status === "passed") return 0;
  if (verdict === "failed" || inDoubt) return 4;
  if (verdict === "drift") return 3;
  return status === "cancelled" ? 130 : 1;
}

/** A rejection is a failure, too. */
export function asExpected(
  expect: Expectation,
  status: RunResult["status"] | "rejected",
  verdict: RollbackVerdict,
): boolean {
  const wanted = expect.status ?? "passed";
  return (wanted === status || (wanted === "failed" && status === "rejected")) &&
    (expect.rollback === undefined || expect.rollback === verdict);
}
