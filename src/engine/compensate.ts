import { OPEN_PORTS } from "../contract/gate.ts";
import { holds } from "./condition.ts";
import { guardDigest, quietDigest, stillStand } from "./guard.ts";
import { type DeclaredUndo, Ledger, type LedgerEntry } from "./ledger.ts";
import type { Flow } from "./loops.ts";
import { type RunContext, stoppedAt } from "./run-context.ts";

/** What came of an opposite deed, or why it was not done. */
export type Compensation =
  | { readonly verdict: "compensated"; readonly method: string }
  | { readonly verdict: "already" | "conflict" | "unknown"; readonly reason: string };

/** Does the opposite of a deed: the author's `undo:` while its guard holds, else the operation's own inverse. */
export async function compensate(entry: LedgerEntry, run: RunContext, flow: Flow): Promise<Compensation> {
  const { undo, inverse } = entry;
  if (undo) {
    const obstacle = await obstacleTo(undo, entry, run);
    if (obstacle) return obstacle;
    const { scope, app } = undo;
    const at = { scope, app, ledger: new Ledger(), inTransaction: false, file: undefined };
    const prefix = `${entry.path}.undo.`;
    try {
      await flow(undo.declared.steps, prefix, at, run);
    } catch (thrown) {
      const stopped = stoppedAt(prefix, thrown);
      await stopped.finish();
      throw stopped.error;
    }
    return { verdict: "compensated", method: "undo" };
  }
  if (!inverse) return { verdict: "already", reason: "there is nothing to take back" };
  const { deadline } = run;
  await run.gate.with(OPEN_PORTS).dispatch(inverse, {
    timeout: Math.max(1, deadline.remaining()),
    ...(deadline.signal === undefined ? {} : { signal: deadline.signal }),
  });
  return { verdict: "compensated", method: inverse.operation };
}

/** Why an `undo:` must not be run; undefined when it may: nothing is undone blindly. */
async function obstacleTo(
  undo: DeclaredUndo,
  entry: LedgerEntry,
  run: RunContext,
): Promise<Compensation | undefined> {
  const { declared, scope, app, before, left } = undo;
  if (declared.guard) {
    if (await holds(declared.guard, scope, run, app)) return undefined;
    return { verdict: "already", reason: "what it left is no longer there: its guard does not hold" };
  }
  if (left === undefined || (entry.outcome === "unknown" && left === before)) {
    return { verdict: "unknown", reason: "whether it happened is not known, and no window tells" };
  }
  if (await guardDigest(run.session, app, run.deadline) === left) return undefined;
  const now = await quietDigest(run.session, app, run.deadline);
  if (stillStand(left, now)) return undefined;
  if (before !== undefined && stillStand(before, now)) {
    return { verdict: "already", reason: "what it left is no longer there" };
  }
  return { verdict: "conflict", reason: "other windows are open than those that it left" };
}
