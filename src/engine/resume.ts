import { toBackstepError } from "../base/error.ts";
import { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import { type Difference, differences } from "../contract/participant.ts";
import type { RollbackResult } from "../contract/events.ts";
import type { LedgerEntry } from "./ledger.ts";
import type { KnownStep, Memory } from "./memory.ts";
import type { Past, PastDeed } from "./past.ts";
import { isIncidental } from "./put-back.ts";
import { type Recovered, type Recovery, revived } from "./recovery.ts";
import { rewind } from "./rollback.ts";
import { digestOf } from "./declared.ts";
import { runWith } from "./run.ts";
import type { RunContext } from "./run-context.ts";
import type { Workflow } from "./step.ts";

type Answer = Omit<Recovered, "run" | "workflow">;

/**
 * Goes on where a run was cut off: what was over is not done again. Refused, and nothing is changed, when the workflow is
 * another by now, when its way back had begun, when what it did no longer stands, and when nobody can tell whether the step
 * that was cut off happened.
 */
export async function resume(recovery: Recovery): Promise<Answer> {
  const { past, options, session, journal, seal, context, probed } = recovery;
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
  if (past.failing !== undefined || past.wayBack) {
    return refused(`it had failed at step ${past.failing ?? "?"} and was to be taken back: use --rollback`);
  }
  const entries = new Map<PastDeed, LedgerEntry>();
  for (const deed of past.deeds) entries.set(deed, await revived(deed, recovery));
  const cut = past.deeds.filter((deed) => !past.steps.has(deed.path));
  const drift = await moved(past.deeds.filter((deed) => !cut.includes(deed)), cut, entries, context);
  if (drift.length > 0) {
    const [first] = drift;
    return refused(
      `the desktop is not as the run left it: ${first?.participant} (${first?.property}) and ${
        drift.length - 1
      } more`,
      drift,
    );
  }
  for (const deed of cut) {
    const entry = entries.get(deed);
    const why = entry && await settleCut(deed, entry, context, past);
    if (why !== undefined) return refused(why);
  }
  const result = await runWith(workflow, {
    operations: options.operations,
    session,
    vars: past.given.vars,
    surroundings: options.surroundings,
    folder: past.given.folder,
    state: options.state,
    run: options.run,
    onConflict: options.onConflict ?? past.given.policy,
    resumed: { journal, seal, memory: memoryOf(past, entries) },
    ...(options.askConflict ? { askConflict: options.askConflict } : {}),
    ...(options.listener ? { listener: options.listener } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.hardStop ? { hardStop: options.hardStop } : {}),
  });
  const { steps, drift: left } = result.rollback;
  return { verdict: "resumed", exit: result.exit, steps, drift: left, probed, result };
}

/** The workflow, if it is the one that ran; else why not. */
function reload({ options, past }: Recovery): Workflow | string {
  const { file, digest } = past.head;
  if (!options.load) return "its workflow file cannot be read here";
  try {
    const loaded = options.load(file, past.given);
    const workflow = past.given.app === null ? loaded : { ...loaded, app: past.given.app };
    return digestOf(workflow) === digest
      ? workflow
      : `${file} has changed since the run began: use --rollback`;
  } catch (thrown) {
    return `${file} cannot be read any more: ${toBackstepError(thrown).message}`;
  }
}

/** What is otherwise than the newest step left that touched it. */
async function moved(
  deeds: readonly PastDeed[],
  cut: readonly PastDeed[],
  entries: ReadonlyMap<PastDeed, LedgerEntry>,
  run: RunContext,
): Promise<Difference[]> {
  const newest = new Map<string, LedgerEntry["enrolments"][number]>();
  for (const deed of deeds) {
    for (const one of entries.get(deed)?.enrolments ?? []) newest.set(one.participant.key, one);
  }
  // Those that a way back to a savepoint was at are looked at by that.
  for (const deed of [...cut, ...deeds.filter((one) => one.undone.size + one.undoing.size > 0)]) {
    for (const one of entries.get(deed)?.enrolments ?? []) newest.delete(one.participant.key);
  }
  const found: Difference[] = [];
  for (const { participant, before, after } of newest.values()) {
    // Applications save late, and a password is not read.
    if (after === undefined || participant.late || isIncidental(before) || before.unrestorable) continue;
    try {
      const deadline = Deadline.after(run.budgets.check, run.hardStop);
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
async function settleCut(
  deed: PastDeed,
  entry: LedgerEntry,
  run: RunContext,
  past: Past,
): Promise<string | undefined> {
  const over = (outcome: "done" | "failed") => {
    run.journal.write({
      kind: "outcome",
      path: deed.path,
      intent: deed.intent,
      operation: deed.operation,
      outcome,
    });
    deed.outcome = outcome;
  };
  const again = entry.effect === "restorable" && entry.enrolments.length > 0 &&
    !entry.enrolments.some((one) => one.before.unrestorable);
  // What did not happen may have moved the focus and the caret already, and keys would go elsewhere.
  if (again && (entry.outcome !== "failed" || deed.outcome === "none")) {
    run.journal.write({
      kind: "rollback",
      path: deed.path,
      from: deed.intent,
      toBarrier: false,
      retry: true,
    });
    const clean = await rewind(entry, {
      desktop: run.session.desktop,
      deadline: Deadline.after(run.budgets.rollback, run.hardStop),
      conflict: run.conflict,
      told: ({ path, what, verdict }) =>
        run.journal.write({ kind: "undone", path, intent: deed.intent, what: run.mask.text(what), verdict }),
    });
    const verdict = clean ? "restored" : "drift";
    run.journal.write({ kind: "rolled-back", path: deed.path, verdict, retry: true });
    if (!clean) {
      return `step ${deed.path} (${entry.name}) was cut off and cannot be put back to be done again`;
    }
    return void over("failed");
  }
  if (entry.outcome === "failed") {
    if (deed.outcome !== "failed") over("failed");
    return undefined;
  }
  if (entry.outcome === "unknown") {
    if (run.gate.operation(deed.operation).hints.idempotent) return void over("failed");
    return `whether step ${deed.path} (${entry.name}) happened is not known`;
  }
  if (deed.outcome !== "done") over("done");
  const output: Json = deed.output;
  run.journal.write({
    kind: "step",
    path: deed.path,
    status: "passed",
    ...(output === null ? {} : { sealed: run.seal.seal(output) }),
  });
  past.steps.set(deed.path, { status: "passed", output: output ?? undefined });
  return undefined;
}

/** What is not to be done again, by the paths of its steps. */
function memoryOf(past: Past, entries: ReadonlyMap<PastDeed, LedgerEntry>): Memory {
  return {
    step(path): KnownStep | undefined {
      const step = past.steps.get(path);
      if (!step) return undefined;
      const deeds = past.deeds.filter((deed) => deed.path === path);
      const known = deeds.flatMap((deed) => entries.get(deed) ?? []);
      return { ...step, input: deeds.at(-1)?.told.input ?? null, entries: known };
    },
    choice: (path, what) => past.choices.get(`${what} ${path}`),
    begun: (path) => past.begun.get(path),
    passedSavepoint: (path) => past.savepoints.has(path),
    wayBackTo(path): RollbackResult | undefined {
      const verdict = past.waysBack.get(path);
      return verdict && { verdict, steps: [], drift: [], enrolled: [] };
    },
  };
}
