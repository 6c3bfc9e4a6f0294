import { type Json, toBackstepError } from "../../base/error.ts";
import { Deadline } from "../../base/call.ts";
import { type Difference, differences } from "../../contract/participant.ts";
import type { RollbackResult } from "../../contract/events.ts";
import type { UndoEntry } from "../rollback/undo-log.ts";
import type { Budgeted } from "../model/budgets.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import type { EarlierStep, Memory } from "../run/earlier-steps.ts";
import type { PastAction, PastRun } from "../journal/past-run.ts";
import { goneWith } from "../rollback/gone.ts";
import { isIncidental } from "../rollback/restore.ts";
import { isRewound, rewind } from "../rollback/rollback.ts";
import { digestOf } from "../model/digest.ts";
import { followsFocus } from "../run/repeatable.ts";
import { runWith } from "../run/run.ts";
import type { RunContext } from "../run/run-context.ts";
import type { Workflow } from "../model/step.ts";
import { type Recovered, type Recovery, revived } from "./recovery.ts";

type Answer = Omit<Recovered, "run" | "workflow">;

/**
 * Goes on where a run was cut off: what was over is not done again. Refused, and nothing is changed, when the workflow is
 * another by now, when its undo had begun, when what it did no longer stands, and when nobody can tell whether the step
 * that was cut off happened.
 */
export async function resume(recovery: Recovery): Promise<Answer> {
  const { pastRun, options, session, journal, encryption, context, probed } = recovery;
  const refused = (reason: string, drift: readonly Difference[] = []): Answer => ({
    verdict: "refused",
    exit: drift.length > 0 ? 3 : 4,
    steps: [],
    drift,
    probed,
    reason,
  });
  const workflow = reload(recovery);
  if (typeof workflow === "string") return refused(workflow);
  if (pastRun.failing !== undefined || pastRun.rollback) {
    return refused(
      `it had failed at step ${pastRun.failing ?? "?"} and was to be rolled back: use --rollback`,
    );
  }
  const entries = new Map<PastAction, UndoEntry>();
  for (const action of pastRun.actions) entries.set(action, await revived(action, recovery));
  const cut = pastRun.actions.filter((action) => !pastRun.steps.has(action.path));
  const drift = await moved(pastRun.actions.filter((action) => !cut.includes(action)), cut, entries, context);
  if (drift.length > 0) {
    const [first] = drift;
    const more = drift.length > 1 ? ` and ${drift.length - 1} more` : "";
    const what = `${first?.participant} (${first?.property})${more}`;
    return refused(`the desktop is not as the run left it: ${what}`, drift);
  }
  for (const action of cut) {
    const entry = entries.get(action);
    const why = entry && await closeInDoubt(action, entry, context, pastRun);
    if (why !== undefined) return refused(why);
  }
  const result = await runWith(workflow, {
    operations: options.operations,
    session,
    vars: pastRun.given.vars,
    surroundings: options.surroundings,
    folder: pastRun.given.folder,
    state: options.state,
    run: options.run,
    onConflict: options.onConflict ?? pastRun.given.policy,
    resumed: { journal, encryption, memory: memoryOf(pastRun, entries) },
    ...(options.askConflict ? { askConflict: options.askConflict } : {}),
    ...(options.listener ? { listener: options.listener } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.hardStop ? { hardStop: options.hardStop } : {}),
  });
  const { steps, drift: left } = result.rollback;
  return { verdict: "resumed", exit: result.exit, steps, drift: left, probed, result };
}

/** The workflow, if it is the one that ran; else why not. */
function reload({ options, pastRun }: Recovery): Workflow | string {
  const { file, digest } = pastRun.head;
  if (!options.load) return "its workflow file cannot be read here";
  try {
    const loaded = options.load(file, pastRun.given);
    const workflow = pastRun.given.app === null ? loaded : { ...loaded, app: pastRun.given.app };
    return digestOf(workflow) === digest
      ? workflow
      : `${file} has changed since the run began: use --rollback`;
  } catch (thrown) {
    return `${file} cannot be read any more: ${toBackstepError(thrown).message}`;
  }
}

/** What is otherwise than the newest step left that touched it. */
async function moved(
  actions: readonly PastAction[],
  cut: readonly PastAction[],
  entries: ReadonlyMap<PastAction, UndoEntry>,
  run: DesktopAccess & Budgeted,
): Promise<Difference[]> {
  const newest = new Map<string, UndoEntry["beforeImages"][number]>();
  for (const action of actions) {
    for (const one of entries.get(action)?.beforeImages ?? []) newest.set(one.participant.key, one);
  }
  // Those that a rollback to a savepoint was at are looked at by that.
  for (const action of [...cut, ...actions.filter((one) => one.undone.size + one.undoing.size > 0)]) {
    for (const one of entries.get(action)?.beforeImages ?? []) newest.delete(one.participant.key);
  }
  const found: Difference[] = [];
  for (const image of newest.values()) {
    const { participant, before, after } = image;
    // Applications save late, and a password is not read.
    if (after === undefined || participant.late || isIncidental(before) || before.unrestorable) continue;
    try {
      const deadline = Deadline.after(run.budgets.check, run.hardStop);
      if (await goneWith(image, run.session.desktop, deadline) !== undefined) continue;
      const now = await participant.capture(run.session.desktop, deadline.call());
      found.push(...differences(participant.label, after, now));
    } catch (thrown) {
      const actual = `not readable: ${toBackstepError(thrown).message}`;
      found.push({
        participant: participant.label,
        property: "state",
        expected: "as the step left it",
        actual,
      });
    }
  }
  return found;
}

/** Makes a step that was cut off one that is over, or one that did not happen; answers why it cannot be either. */
async function closeInDoubt(
  action: PastAction,
  entry: UndoEntry,
  run: RunContext,
  pastRun: PastRun,
): Promise<string | undefined> {
  const over = (outcome: "done" | "failed") => {
    run.journal.write({
      kind: "action-end",
      path: action.path,
      begin: action.intent,
      operation: action.operation,
      outcome,
    });
    action.outcome = outcome;
  };
  const again = entry.effect === "restorable" && entry.beforeImages.length > 0 &&
    !entry.beforeImages.some((one) => one.before.unrestorable);
  // What did not happen may have moved the focus and the caret already, and keys would go elsewhere.
  if (again && (entry.outcome !== "failed" || action.outcome === "none")) {
    run.journal.write({
      kind: "rollback",
      path: action.path,
      from: action.intent,
      toBarrier: false,
      retry: true,
    });
    const left: string[] = [];
    const clean = await rewind(entry, {
      desktop: run.session.desktop,
      deadline: Deadline.after(run.budgets.rollback, run.hardStop),
      conflict: run.conflict,
      followsFocus: followsFocus(run.gate.operation(action.operation), action.reported.input),
      reported: ({ path, what, verdict, reason }) => {
        run.journal.write({
          kind: "undone",
          path,
          begin: action.intent,
          what: run.mask.text(what),
          verdict,
        });
        if (!isRewound(verdict)) left.push(run.mask.text(`${what}: ${reason ?? verdict}`));
      },
    });
    const verdict = clean ? "restored" : "drift";
    run.journal.write({ kind: "rolled-back", path: action.path, verdict, retry: true });
    if (!clean) {
      return `step ${action.path} (${entry.name}) was cut off and cannot be restored in order to run again: ${
        left.join("; ")
      }`;
    }
    return void over("failed");
  }
  if (entry.outcome === "failed") {
    if (action.outcome !== "failed") over("failed");
    return undefined;
  }
  if (entry.outcome === "unknown") {
    if (run.gate.operation(action.operation).hints.idempotent) return void over("failed");
    return `whether step ${action.path} (${entry.name}) happened is not known`;
  }
  if (action.outcome !== "done") over("done");
  const output: Json = action.output;
  run.journal.write({
    kind: "step",
    path: action.path,
    status: "passed",
    ...(output === null ? {} : { encrypted: run.encryption.encrypt(output) }),
  });
  pastRun.steps.set(action.path, { status: "passed", output: output ?? undefined });
  return undefined;
}

/** What is not to be done again, by the paths of its steps. */
function memoryOf(pastRun: PastRun, entries: ReadonlyMap<PastAction, UndoEntry>): Memory {
  return {
    step(path): EarlierStep | undefined {
      const step = pastRun.steps.get(path);
      if (!step) return undefined;
      const actions = pastRun.actions.filter((action) => action.path === path);
      const existing = actions.flatMap((action) => entries.get(action) ?? []);
      return { ...step, input: actions.at(-1)?.reported.input ?? null, entries: existing };
    },
    choice: (path, what) => pastRun.choices.get(`${what} ${path}`),
    begun: (path) => pastRun.begun.get(path),
    passedSavepoint: (path) => pastRun.savepoints.has(path),
    rollbackTo(path): RollbackResult | undefined {
      const verdict = pastRun.rollbacks.get(path);
      return verdict && { verdict, steps: [], drift: [], enrolled: [] };
    },
  };
}
