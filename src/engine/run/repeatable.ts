import { Deadline } from "../../base/call.ts";
import { type BackstepError, type ErrorCode, toBackstepError } from "../../base/error.ts";
import type { Operation } from "../../contract/operation.ts";
import type { UndoEntry } from "../rollback/undo-log.ts";
import { isRewound, rewind } from "../rollback/rollback.ts";
import type { RollbackContext } from "../rollback/rollback-context.ts";
import type { OperationStep } from "../model/step.ts";

/** What a try came to that did not succeed. */
interface Failed {
  readonly entry: UndoEntry | undefined;
  readonly error?: BackstepError | undefined;
}

/**
 * Whether a failed try may be repeated: nothing was done, doing it twice is doing it once, or what it did could be
 * undone first. Input is never repeated blindly.
 */
export async function mayBeRepeated(
  { error, entry }: Failed,
  step: OperationStep,
  path: string,
  run: RollbackContext,
): Promise<boolean> {
  if (!error || NOT_AGAIN.has(error.code) || run.deadline.passed) return false;
  if (!entry || entry.outcome === "failed") return true;
  // What was done and is not as declared goes back first: a second time it would be seen to change nothing.
  if (entry.outcome !== "done" && run.gate.operation(step.operation).hints.idempotent) return true;
  if (entry.effect !== "restorable") return false;
  if (entry.beforeImages.length === 0 || entry.beforeImages.some((e) => e.before.unrestorable)) return false;
  run.journal.write({ kind: "rollback", path, from: entry.intent, toBarrier: false, retry: true });
  const clean = await rewind(entry, {
    desktop: run.session.desktop,
    deadline: Deadline.after(run.budgets.rollback, run.deadline.signal),
    conflict: run.conflict,
    followsFocus: followsFocus(run.gate.operation(step.operation), step.input),
    reported({ what, verdict, reason }) {
      run.journal.write({
        kind: "undone",
        path,
        begin: entry.intent,
        what: run.mask.text(what),
        verdict,
      });
      if (isRewound(verdict)) return;
      const why = `${what} is ${verdict}${reason === undefined ? "" : ` (${reason})`}`;
      const message = `Step ${path}: it is not tried again: ${why}`;
      run.emit({ event: "note", level: "warning", message });
    },
  });
  run.journal.write({ kind: "rolled-back", path, verdict: clean ? "restored" : "drift", retry: true });
  return clean;
}

/** Does it act where the focus is? An input that cannot be read here may say so. */
export function followsFocus(operation: Operation, input: unknown): boolean {
  try {
    return operation.parse(input).followsFocus;
  } catch (thrown) {
    if (toBackstepError(thrown).code !== "invalid") throw thrown;
    return true;
  }
}

/** What would be the same the next time, or must not be asked again. */
const NOT_AGAIN: ReadonlySet<ErrorCode> = new Set([
  "cancelled",
  "interference",
  "barrier",
  "claimed",
  "invalid",
  "policy",
  "workflow",
  "selector",
]);
