import { Deadline } from "../base/call.ts";
import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import type { RollbackResult } from "../contract/events.ts";
import { compensate } from "./compensate.ts";
import { holds } from "./condition.ts";
import { Ledger } from "./ledger.ts";
import { perform, type Standing } from "./perform.ts";
import { rollBack } from "./rollback.ts";
import { FlowStopped, type RunContext } from "./run-context.ts";
import { Scope } from "./scope.ts";
import type { ForEachStep, IfStep, RepeatStep, RunStep, Step, TransactionStep } from "./step.ts";
import { fill } from "./template.ts";

/** Turns of a loop at most: a bound, not an aim. */
export const MOST_TURNS = 10_000;
/** Turns of `repeat: { until: … }` without `times`. */
const UNTIL_TURNS = 100;
/** Milliseconds kept for the way back, whatever the flow has spent. */
export const ROLLBACK_BUDGET = 30_000;

/** Runs steps one after another. Paths are `<prefix><n>`, n from 1. */
export async function flow(
  steps: readonly Step[],
  prefix: string,
  at: Omit<Standing, "path">,
  run: RunContext,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    await runStep(step, { ...at, path: `${prefix}${index + 1}` }, run);
  }
}

/** Runs one step of any kind. Throws `FlowStopped` when the flow must not go on. */
export async function runStep(step: Step, at: Standing, run: RunContext): Promise<void> {
  if (step.if && !await ask(step, at, run)) {
    const name = step.name ?? step.id ?? (step.kind === "operation" ? step.operation : step.kind);
    const operation = step.kind === "operation" ? step.operation : step.kind;
    const skipped = {
      path: at.path,
      name,
      operation,
      effect: "read",
      status: "skipped",
      duration_ms: 0,
    } as const;
    run.steps.push(skipped);
    run.emit({ event: "step-finished", step: skipped });
    return;
  }
  if (step.kind === "operation") {
    await perform(step, at, run);
    return;
  }
  const limited = step.timeout === undefined ? run : { ...run, deadline: run.deadline.within(step.timeout) };
  try {
    await structure(step, at, limited);
  } catch (thrown) {
    if (step.optional && !(thrown instanceof FlowStopped && thrown.error.code === "cancelled")) {
      run.emit({
        event: "note",
        level: "warning",
        message: run.mask.text(`${at.path} is optional and failed: ${thrown}`),
      });
      return;
    }
    throw thrown instanceof FlowStopped ? thrown : failedStructure(step, at, run, toBackstepError(thrown));
  }
}

/** Evaluates a step's own `if`; an error there is a failure of that step. */
async function ask(step: Step, at: Standing, run: RunContext): Promise<boolean> {
  if (!step.if) return true;
  try {
    return await holds(step.if, at.scope, run, at.app, run.deadline.signal);
  } catch (thrown) {
    throw failedStructure(step, at, run, toBackstepError(thrown));
  }
}

function failedStructure(step: Step, at: Standing, run: RunContext, error: BackstepError): FlowStopped {
  const operation = step.kind === "operation" ? step.operation : step.kind;
  const result = run.mask.apply({
    path: at.path,
    name: step.name ?? step.id ?? operation,
    operation,
    effect: "read" as const,
    status: "failed" as const,
    duration_ms: 0,
    error: error.toJSON(),
  });
  run.steps.push(result);
  run.emit({ event: "step-finished", step: result });
  return new FlowStopped(at.path, error, undefined);
}

async function structure(
  step: Exclude<Step, { kind: "operation" }>,
  at: Standing,
  run: RunContext,
): Promise<void> {
  switch (step.kind) {
    case "transaction":
      return await transaction(step, at, run);
    case "if":
      return await branch(step, at, run);
    case "repeat":
      return await repeat(step, at, run);
    case "for_each":
      return await forEach(step, at, run);
    case "run":
      return await nested(step, at, run);
  }
}

/** Steps that stand or fall together: on failure they are taken back, and tried again where the file says so. */
async function transaction(step: TransactionStep, at: Standing, run: RunContext): Promise<void> {
  const name = step.name ?? step.id ?? "transaction";
  for (let tries = 1;; tries++) {
    const inner = new Ledger();
    run.emit({ event: "transaction-started", path: at.path, name });
    try {
      await flow(step.steps, `${at.path}.`, { ...at, ledger: inner, inTransaction: true }, run);
      at.ledger.absorb(inner);
      run.journal.write({ kind: "commit", path: at.path });
      run.emit({ event: "transaction-finished", path: at.path, name, committed: true });
      return;
    } catch (thrown) {
      const stopped = thrown instanceof FlowStopped
        ? thrown
        : new FlowStopped(at.path, toBackstepError(thrown), undefined);
      run.emit({ event: "transaction-finished", path: at.path, name, committed: false });
      if (stopped.policy === "stop") {
        at.ledger.absorb(inner);
        throw stopped;
      }
      const back = await takeBack(inner, at.path, stopped.error, { toBarrier: false }, run);
      const clean = back.verdict === "none" || back.verdict === "restored";
      if (!clean || tries > (step.retry ?? 0) || stopped.error.code === "cancelled") throw stopped;
      run.emit({ event: "step-retried", path: at.path, attempt: tries, error: stopped.error.toJSON() });
    }
  }
}

/** Takes a ledger back, journalled and told, with a budget of its own. */
export async function takeBack(
  ledger: Ledger,
  path: string,
  reason: BackstepError,
  options: { readonly toBarrier: boolean },
  run: RunContext,
): Promise<RollbackResult> {
  const deadline = Deadline.after(ROLLBACK_BUDGET, run.hardStop);
  run.emit({ event: "rollback-started", path, reason: run.mask.apply(reason.toJSON()) });
  run.journal.write({ kind: "rollback", path, toBarrier: options.toBarrier });
  const back = run.mask.apply(
    await rollBack(ledger, options, {
      desktop: run.session.desktop,
      deadline,
      compensate: (entry) => compensate(entry, { ...run, deadline }, flow),
      told: (told) => {
        const step = run.mask.apply(told);
        run.journal.write({ kind: "undone", path: step.path, what: step.what, verdict: step.verdict });
        run.emit({ event: "rollback-step", step });
      },
    }),
  );
  run.rollbacks.push(back);
  run.emit({ event: "rollback-finished", path, rollback: back });
  return back;
}

async function branch(step: IfStep, at: Standing, run: RunContext): Promise<void> {
  const yes = await holds(step.condition, at.scope, run, at.app, run.deadline.signal);
  await flow(yes ? step.then : step.else, `${at.path}.${yes ? "then" : "else"}.`, at, run);
}

async function repeat(step: RepeatStep, at: Standing, run: RunContext): Promise<void> {
  const most = step.times === undefined ? UNTIL_TURNS : turns(fill(step.times, at.scope));
  for (let turn = 1; turn <= most; turn++) {
    if (step.until && await holds(step.until, at.scope, run, at.app, run.deadline.signal)) return;
    await flow(step.steps, `${at.path}[${turn}].`, at, run);
  }
  if (step.until && !await holds(step.until, at.scope, run, at.app, run.deadline.signal)) {
    throw new BackstepError(
      "assertion",
      `Cannot repeat until the condition holds: it did not after ${most} turns`,
      {
        place: step.place,
      },
    );
  }
}

function turns(value: Json): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST_TURNS) return value;
  throw new BackstepError(
    "workflow",
    `Cannot repeat ${JSON.stringify(value)} times: a whole number from 0 to ${MOST_TURNS} is needed`,
  );
}

async function forEach(step: ForEachStep, at: Standing, run: RunContext): Promise<void> {
  const list = fill(step.in, at.scope);
  if (!Array.isArray(list)) {
    throw new BackstepError("workflow", `Cannot go through "in": it is ${kindOf(list)}, not a list`, {
      place: step.place,
    });
  }
  if (list.length > MOST_TURNS) {
    throw new BackstepError("limit", `Cannot go through ${list.length} items: ${MOST_TURNS} are the most`, {
      place: step.place,
    });
  }
  for (const [index, item] of list.entries()) {
    const scope = at.scope.with(step.as, item);
    await flow(step.steps, `${at.path}[${index + 1}].`, { ...at, scope }, run);
  }
}

function kindOf(value: Json): string {
  return value === null ? "nothing" : typeof value === "object" ? "a map" : `a ${typeof value}`;
}

/** Another file's steps, as part of this run: its failures and its way back are this one's. */
async function nested(step: RunStep, at: Standing, run: RunContext): Promise<void> {
  const { workflow } = step;
  const given = fill(step.with, at.scope);
  const vars: Record<string, Json> = {};
  for (const [name, variable] of Object.entries(workflow.vars)) {
    if (variable.default !== undefined) vars[name] = variable.default;
  }
  if (given !== null && typeof given === "object" && !Array.isArray(given)) Object.assign(vars, given);
  const app = workflow.app ?? at.app;
  const inner = { ...at, scope: new Scope(vars, run.surroundings), app };
  try {
    await flow(workflow.before, `${at.path}.before.`, inner, run);
    await flow(workflow.steps, `${at.path}.`, inner, run);
  } finally {
    await flow(workflow.after, `${at.path}.after.`, inner, run);
  }
}
