import { Deadline } from "../../base/call.ts";
import type { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { RollbackResult } from "../../contract/events.ts";
import { RecordingDesktop, type SendJudge } from "../../contract/recording-desktop.ts";
import { bounded } from "../model/bounded.ts";
import { writeDown } from "../journal/write-late.ts";
import type { TreeSnapshot } from "../model/tree-snapshot.ts";
import { whatElse } from "./other-differences.ts";
import { compensate, type RunUndo, type Undone } from "./compensate.ts";
import type { FinalRead } from "./final-read.ts";
import { finishFinalRead, remember, takeLastLook } from "./final-reads.ts";
import { noteGoneLate } from "./gone.ts";
import { seeLate } from "./late-changes.ts";
import type { UndoLog } from "./undo-log.ts";
import { closeOpened } from "./close-opened.ts";
import { rebuild } from "./rebuild.ts";
import { releaseInput } from "./release.ts";
import { rollBack, stopsAt } from "./rollback.ts";
import type { RollbackContext } from "./rollback-context.ts";

/**
 * Takes an undo log back, journalled and told, with a budget of its own. Its last look comes a second after its last write:
 * before this answers, or, where the run is about to end (`ends`), beside what it does then.
 */
export async function rollBackLog(
  undoLog: UndoLog,
  path: string,
  options: RollbackScope,
  run: RollbackContext,
  runUndo: RunUndo,
): Promise<RollbackResult> {
  const { toBarrier, reason, savepoint, tree } = options;
  await finishFinalRead(run);
  run.asLeft?.forget(undoLog.entries);
  const deadline = Deadline.after(run.budgets.rollback, run.hardStop);
  const own = { ...run, deadline, asLeft: undefined };
  run.emit({
    event: "rollback-started",
    path,
    ...(reason ? { reason: reason.toJSON() } : {}),
    ...defined({ savepoint }),
  });
  const barrier = toBarrier ? undoLog.entries.findLastIndex(stopsAt) : -1;
  const from = undoLog.entries[barrier + 1]?.intent ?? 0;
  writeDown(
    {
      kind: "rollback",
      path,
      from,
      toBarrier,
      ...(savepoint === undefined ? {} : { savepoint: run.mask.text(savepoint) }),
    },
    run,
  );
  await run.observer?.catchUp();
  await releaseInput(own);
  await seeLate(undoLog, own);
  if (options.goneNoted !== true) await noteGoneLate(undoLog, own, deadline, { wait: true });
  let look: FinalRead | undefined;
  const { judges = [] } = options;
  const { desktop } = run.session;
  const undone: Undone = { undo: false };
  const found = await rollBack(undoLog, { toBarrier }, {
    desktop: judges.length === 0 ? desktop : new RecordingDesktop(desktop, undefined, judges).desktop,
    deadline,
    compensate: (entry) => compensate(entry, share(own), runUndo, undone),
    closeOpened: (entry) => closeOpened(entry, share(own)),
    conflict: run.conflict,
    ...defined({ savepoint: tree?.snapshot }),
    doing: ({ path, intent }, what) =>
      writeDown({ kind: "undoing", path, begin: intent, what: run.mask.text(what) }, run),
    looked: (last) => look = last,
    reported: (reported, entry) => {
      const step = bounded(run.mask.apply(reported));
      const { path, what, verdict } = step;
      writeDown({ kind: "undone", path, ...(entry ? { begin: entry.intent } : {}), what, verdict }, run);
      run.emit({ event: "rollback-step", step });
    },
  });
  const beside = tree && look ? await whatElse(tree, look.differing, own) : [];
  const named = { ...found, ...(beside.length > 0 ? { beside } : {}) };
  const later = options.ends === true && run.way !== "rebuild" && look !== undefined;
  const seen = later ? named : await takeLastLook(named, look, run);
  const rebuilt = await rebuild(seen, undoLog, { toBarrier, tree }, run);
  const back = bounded(run.mask.apply<RollbackResult>(rebuilt));
  if (!toBarrier) run.history.splice(undoLog.history);
  run.rollbacks.push(back);
  remember(path, back, run);
  if (later && look) run.finalReads.put({ path, look, back });
  writeDown({ kind: "rolled-back", path, verdict: back.verdict }, run);
  const after = await run.observer?.rollback(path);
  run.emit({ event: "rollback-finished", path, rollback: back, ...(after ? { after } : {}) });
  return back;
}

/** What a rollback is to do. */
export interface RollbackScope {
  /** It ends at the last irreversible action; else it passes those, and names each. */
  readonly toBarrier: boolean;
  /** Who judges each call that it makes; default: nobody. */
  readonly judges?: readonly SendJudge[];
  /** What went away with its window is noted already: somebody else may have closed what closed since. */
  readonly goneNoted?: true;
  /** Why; undefined: the file says so. */
  readonly reason?: BackstepError;
  /** The savepoint that the file names. */
  readonly savepoint?: string;
  /** The application as it was at the savepoint. */
  readonly tree?: TreeSnapshot | undefined;
  /** The run does no action after it but what ends it: nothing waits for the verdict. */
  readonly ends?: boolean;
}

/** Half of what is left: an application that hangs on one opposite action must not cost the others' time. */
function share(run: RollbackContext): RollbackContext {
  return { ...run, deadline: run.deadline.within(run.deadline.remaining() / 2) };
}
