import { OPEN_PORTS } from "../contract/gate.ts";
import { holds } from "./condition.ts";
import { guardDigest } from "./guard.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";
import type { Standing } from "./perform.ts";
import type { RunContext } from "./run-context.ts";
import type { Step } from "./step.ts";

/** How steps are run; handed in, since a way back is made of steps and steps have ways back. */
type Flow = (
  steps: readonly Step[],
  prefix: string,
  at: Omit<Standing, "path">,
  run: RunContext,
) => Promise<void>;

/**
 * Does the opposite of a deed: the author's `undo:` while its guard holds, else the operation's own inverse. Answers
 * how, or undefined when the guard no longer holds.
 */
export async function compensate(
  entry: LedgerEntry,
  run: RunContext,
  flow: Flow,
): Promise<string | undefined> {
  const { undo, inverse } = entry;
  if (undo) {
    if (!await guardHolds(undo, run)) return undefined;
    const at = { scope: undo.scope, app: undo.app, ledger: new Ledger(), inTransaction: false };
    await flow(undo.declared.steps, `${entry.path}.undo.`, at, run);
    return "undo";
  }
  if (!inverse) return undefined;
  await run.gate.with(OPEN_PORTS).dispatch(inverse, { timeout: Math.max(1, run.deadline.remaining()) });
  return inverse.operation;
}

async function guardHolds(undo: NonNullable<LedgerEntry["undo"]>, run: RunContext): Promise<boolean> {
  if (undo.declared.guard) return await holds(undo.declared.guard, undo.scope, run, undo.app);
  if (undo.left === undefined) return true;
  return await guardDigest(run.session, undo.app, run.deadline) === undo.left;
}
