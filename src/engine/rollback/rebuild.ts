import { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { RollbackResult } from "../../contract/events.ts";
import { OPEN_PORTS } from "../../contract/gate.ts";
import type { Difference } from "../../contract/participant.ts";
import { applicationFor } from "../../operations/application.ts";
import { changesBetween, plain, takeTreeSnapshot, type TreeSnapshot } from "../model/tree-snapshot.ts";
import type { Passed } from "../model/passed.ts";
import { settled } from "../model/settle.ts";
import type { UndoLog } from "./undo-log.ts";
import { isClean, stopsAt } from "./rollback.ts";
import type { RollbackContext } from "./rollback-context.ts";

/** Milliseconds for a new desktop and everything that is replayed on it. */
const REPLAY = 120_000;
/** Milliseconds that it is given to look as at the savepoint. */
const SHOWS = 5_000;

/**
 * What could not be restored is rebuilt, where the file says so: the private desktop is replaced from its clean HOME and
 * replayed to the savepoint, and every element is compared with how it was there. Not where something since reached beyond the
 * desktop, or would again: a new desktop takes nothing of that back.
 */
export async function rebuild(
  back: RollbackResult,
  undoLog: UndoLog,
  { toBarrier, tree }: { readonly toBarrier: boolean; readonly tree?: TreeSnapshot | undefined },
  run: RollbackContext,
): Promise<RollbackResult> {
  if (run.way !== "rebuild" || isClean(back.verdict) || run.hardStop?.aborted) return back;
  const barrier = toBarrier ? undoLog.entries.findLast(stopsAt) : undefined;
  const replay = run.history.slice(0, barrier ? barrier.history + 1 : undoLog.history);
  const since = undoLog.entries.filter((entry) => !barrier || entry.history > barrier.history);
  const obstacle = run.session.rebuild === undefined
    ? "the desktop cannot be replaced"
    : tree === undefined
    ? "how it looked at the savepoint is not known"
    : barrier?.outcome === "unknown"
    ? `whether step ${barrier.path} happened is not known`
    : outward(
      [
        ...since.filter((one) => one.outcome !== "failed"),
        ...replay.filter((one) => one.effect !== "read"),
      ],
      run,
    );
  if (obstacle !== undefined || tree === undefined) {
    run.emit({ event: "note", level: "warning", message: `The desktop is not rebuilt: ${obstacle}.` });
    return back;
  }
  const deadline = Deadline.after(REPLAY, run.hardStop);
  run.journal.write({ kind: "rebuild", path: undoLog.entries[0]?.path ?? "", steps: replay.length });
  try {
    await run.session.rebuild?.(deadline.call());
    run.late.clear();
    run.always.splice(0, run.always.length, ...await run.declare());
    run.journal.write({ kind: "rebuilt", desktop: { kind: run.session.kind, id: run.session.id ?? null } });
    for (const step of replay) await again(step, run, deadline);
    const drift = await differencesFrom(tree, replay.at(-1)?.app, run, deadline);
    // What was in doubt was so on the old desktop.
    for (const entry of since) run.doubts.delete(entry);
    if (drift.length > 0) return { ...back, verdict: "drift", drift };
    const { beside: _, ...rest } = back;
    return {
      ...rest,
      verdict: "rebuilt",
      drift: [],
      enrolled: back.enrolled.map((one) => ({ ...one, verdict: "rebuilt" })),
    };
  } catch (thrown) {
    const { message } = toBackstepError(thrown);
    run.emit({ event: "note", level: "warning", message: `The desktop could not be rebuilt: ${message}` });
    return { ...back, verdict: "failed" };
  }
}

/** Why a new desktop would not be the whole rollback; undefined: nothing reached beyond the old one. */
function outward(
  actions: readonly { readonly operation: string }[],
  run: RollbackContext,
): string | undefined {
  const found = actions.find(({ operation }) => run.gate.operation(operation).hints.openWorld);
  return found && `${found.operation} reached beyond it`;
}

async function again(
  { operation, input, app, effect }: Passed,
  run: RollbackContext,
  deadline: Deadline,
): Promise<void> {
  // Of what only reads, what waits is replayed too: the next action may need it.
  if (effect === "read" && !run.gate.traitsOf(operation).waits) return;
  await run.gate.with(OPEN_PORTS).dispatch({ operation, input }, {
    timeout: Math.max(1, deadline.remaining()),
    ...defined({ app, signal: deadline.signal }),
  });
}

/** Every element that is not as it was at the savepoint, once the new desktop had its time to look so. */
async function differencesFrom(
  tree: TreeSnapshot,
  app: string | undefined,
  run: RollbackContext,
  deadline: Deadline,
): Promise<Difference[]> {
  const { session } = run;
  const limit = deadline.within(SHOWS);
  for (;;) {
    await settled(session.desktop, 100, limit);
    const where = { session, desktop: session.desktop, deadline, app };
    const application = await applicationFor(where, undefined);
    const now = await takeTreeSnapshot(session.desktop, application, deadline);
    const changes = changesBetween(tree, now);
    if (changes.length === 0) return [];
    if (limit.passed) return (await run.unstable.explain(changes, now, session.desktop, deadline)).map(plain);
  }
}
