import { Deadline } from "../base/call.ts";
import type { BackstepError } from "../base/error.ts";
import type { RollbackResult } from "../contract/events.ts";
import { whatElse } from "./beside.ts";
import { bounded } from "./bounded.ts";
import { compensate } from "./compensate.ts";
import type { LastLook } from "./last-look.ts";
import { remember, settleLastLook, takeLastLook } from "./last-looks.ts";
import { seeLate } from "./late.ts";
import type { Ledger } from "./ledger.ts";
import type { Flow } from "./loops.ts";
import { closeOpened } from "./observed.ts";
import type { Picture } from "./picture.ts";
import { rebuild } from "./rebuild.ts";
import { releaseInput } from "./release.ts";
import { rollBack, stopsAt } from "./rollback.ts";
import type { RunContext } from "./run-context.ts";
import { writeDown } from "./write-down.ts";

/**
 * Takes a ledger back, journalled and told, with a budget of its own. Its last look comes a second after its last write:
 * before this answers, or, where the run is about to end (`ends`), beside what it does then.
 */
export async function takeBack(
  ledger: Ledger,
  path: string,
  options: WayBack,
  run: RunContext,
  flow: Flow,
): Promise<RollbackResult> {
  const { toBarrier, reason, savepoint, picture } = options;
  await settleLastLook(run);
  run.asLeft?.forget(ledger.entries);
  const deadline = Deadline.after(run.budgets.rollback, run.hardStop);
  // Who waits for a person on the way back leaves half of it undone: what they change is a conflict, and named.
  const own = { ...run, deadline, guard: undefined, asLeft: undefined };
  run.emit({
    event: "rollback-started",
    path,
    ...(reason ? { reason: reason.toJSON() } : {}),
    ...(savepoint === undefined ? {} : { savepoint }),
  });
  const barrier = toBarrier ? ledger.entries.findLastIndex(stopsAt) : -1;
  const from = ledger.entries[barrier + 1]?.intent ?? 0;
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
  await releaseInput(own);
  await seeLate(ledger, own);
  let look: LastLook | undefined;
  const found = await rollBack(ledger, { toBarrier }, {
    desktop: run.session.desktop,
    deadline,
    compensate: (entry) => compensate(entry, share(own), flow),
    closeOpened: (entry) => closeOpened(entry, share(own)),
    conflict: run.conflict,
    doing: ({ path, intent }, what) =>
      writeDown({ kind: "undoing", path, intent, what: run.mask.text(what) }, run),
    looked: (last) => look = last,
    told: (told, entry) => {
      const step = bounded(run.mask.apply(told));
      const { path, what, verdict } = step;
      writeDown({ kind: "undone", path, ...(entry ? { intent: entry.intent } : {}), what, verdict }, run);
      run.emit({ event: "rollback-step", step });
    },
  });
  const beside = picture && found.steps.length > 0 ? await whatElse(picture, found, own) : [];
  const named = { ...found, ...(beside.length > 0 ? { beside } : {}) };
  const later = options.ends === true && run.way !== "rebuild" && look !== undefined;
  const seen = later ? named : await takeLastLook(named, look, run);
  const rebuilt = await rebuild(seen, ledger, { toBarrier, picture }, run);
  const back = bounded(run.mask.apply<RollbackResult>(rebuilt));
  if (!toBarrier) run.history.splice(ledger.history);
  run.rollbacks.push(back);
  remember(path, back, run);
  if (later && look) run.lastLooks.put({ path, look, back });
  writeDown({ kind: "rolled-back", path, verdict: back.verdict }, run);
  const after = await run.observer?.wayBack(path);
  run.emit({ event: "rollback-finished", path, rollback: back, ...(after ? { after } : {}) });
  return back;
}

/** What a way back is to do. */
export interface WayBack {
  /** It ends at the last irreversible deed; else it passes those, and names each. */
  readonly toBarrier: boolean;
  /** Why; undefined: the file says so. */
  readonly reason?: BackstepError;
  /** The savepoint that the file names. */
  readonly savepoint?: string;
  /** The application as it was at the savepoint. */
  readonly picture?: Picture | undefined;
  /** The run does no action after it but what ends it: nothing waits for the verdict. */
  readonly ends?: boolean;
}

/** Half of what is left: an application that hangs on one opposite deed must not cost the others' time. */
function share(run: RunContext): RunContext {
  return { ...run, deadline: run.deadline.within(run.deadline.remaining() / 2) };
}
