import { randomBytes } from "node:crypto";
import { Deadline } from "../base/call.ts";
import { BackstepError, type ErrorJson, type Json, toBackstepError } from "../base/error.ts";
import type {
  RollbackResult,
  RollbackVerdict,
  RunEvent,
  RunListener,
  RunResult,
} from "../contract/events.ts";
import { Gate, OPEN_PORTS } from "../contract/gate.ts";
import type { Operation } from "../contract/operation.ts";
import type { Session } from "../session/session.ts";
import { flow, runStep, takeBack } from "./flow.ts";
import { Journal } from "./journal.ts";
import { Ledger } from "./ledger.ts";
import { Mask } from "./mask.ts";
import type { Standing } from "./perform.ts";
import { FlowStopped, type RunContext } from "./run-context.ts";
import { Scope, type Surroundings } from "./scope.ts";
import { Seal } from "./seal.ts";
import { stateFolder } from "../session/lease.ts";
import type { Expectation, Workflow } from "./step.ts";

/** What a run is given. */
export interface RunOptions {
  readonly operations: Iterable<Operation>;
  readonly session: Session;
  /** Values of the file's variables, complete and typed. */
  readonly vars: Readonly<Record<string, Json>>;
  /** Default: this process's environment; secrets are looked up there too. */
  readonly surroundings: Surroundings;
  /** The folder that paths are confined to. */
  readonly folder: string;
  /** Default: `stateFolder()`. */
  readonly state?: string;
  /** Default: a new one. */
  readonly run?: string;
  readonly listener?: RunListener;
  /** Fires: stop, and take back. */
  readonly signal?: AbortSignal;
  /** Fires: stop taking back too; the journal stays open. */
  readonly hardStop?: AbortSignal;
}

/** Milliseconds a workflow may take when it does not say. */
const FLOW_BUDGET = 300_000;
/** Milliseconds for `after:`, whatever the flow has spent. */
const AFTER_BUDGET = 30_000;

/** A new run's id: when it began, and a few letters: "20261120-233000-k3f9". */
export function newRunId(now = new Date()): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}

/**
 * Runs a workflow on a session's desktop and answers what came of it. It rejects only when it could not begin; what
 * fails on the way is in the result.
 */
export async function runWorkflow(workflow: Workflow, options: RunOptions): Promise<RunResult> {
  const started = performance.now();
  const { session } = options;
  const state = options.state ?? stateFolder();
  const run = options.run ?? newRunId();
  const journal = Journal.create(state, run);
  const mask = new Mask(workflow.secrets.flatMap((name) => options.surroundings.secret(name) ?? []));
  const emit = (event: RunEvent) => options.listener?.(event);
  const desktop = { kind: session.kind, label: session.label };
  const context: RunContext = {
    run,
    session,
    gate: new Gate({ operations: options.operations, session, folder: options.folder, ports: OPEN_PORTS }),
    journal,
    seal: Seal.create(state, run),
    mask,
    surroundings: options.surroundings,
    deadline: Deadline.after(workflow.timeout ?? FLOW_BUDGET, options.signal),
    hardStop: options.hardStop,
    emit,
    steps: [],
    rollbacks: [],
    doubt: { open: false },
  };
  journal.write({ kind: "run", run, workflow: workflow.name, file: workflow.file, desktop });
  emit({ event: "run-started", run, workflow: workflow.name, file: workflow.file, desktop });

  const at = {
    scope: new Scope(options.vars, options.surroundings),
    app: workflow.app,
    ledger: new Ledger(),
    inTransaction: false,
  };
  const failure = await main(workflow, at, context);
  const afterFailure = await after(workflow, at, context);
  const error = failure ?? afterFailure;

  const rollback = merged(context.rollbacks);
  const status = !error ? "passed" : error.code === "cancelled" ? "cancelled" : "failed";
  const exit = exitCode(status, rollback.verdict, context.doubt.open);
  const result: RunResult = {
    run,
    workflow: workflow.name,
    desktop,
    status,
    exit,
    duration_ms: Math.round(performance.now() - started),
    steps: context.steps,
    rollback,
    ...(error ? { error: mask.apply<ErrorJson>(error.toJSON()) } : {}),
    ...(workflow.expect ? { expected: asExpected(workflow.expect, status, rollback.verdict) } : {}),
  };
  // An interrupt during the way back leaves the journal open: `recover` finishes what is written there.
  if (!options.hardStop?.aborted) journal.write({ kind: "end", status, exit, rollback: rollback.verdict });
  journal.close();
  emit({ event: "run-finished", result });
  return result;
}

/** `before` and `steps`; on failure the way back that the file asks for. Answers the error, if any. */
async function main(
  workflow: Workflow,
  at: Omit<Standing, "path">,
  run: RunContext,
): Promise<BackstepError | undefined> {
  try {
    // What `before:` sets up is undone by `after:`; it is no part of what a failure takes back.
    await flow(workflow.before, "before.", { ...at, ledger: new Ledger() }, run);
  } catch (thrown) {
    return errorOf(thrown);
  }
  try {
    if (workflow.onFailure === "continue") return await allSteps(workflow, at, run);
    await flow(workflow.steps, "", at, run);
    return undefined;
  } catch (thrown) {
    const error = errorOf(thrown);
    const policy = thrown instanceof FlowStopped ? thrown.policy : undefined;
    if ((policy ?? workflow.onFailure) === "rollback" && at.ledger.entries.length > 0) {
      const barrier = at.ledger.entries.findLast((e) => e.barrier && e.outcome !== "failed");
      if (barrier) {
        run.emit({
          event: "note",
          level: "warning",
          message: `The way back ends after step ${barrier.path} (${barrier.name}): it is irreversible.`,
        });
      }
      await takeBack(at.ledger, "", error, { toBarrier: true }, run);
    }
    return error;
  }
}

/** `on_failure: continue`: every step is tried; the first error is the run's. */
async function allSteps(
  workflow: Workflow,
  at: Omit<Standing, "path">,
  run: RunContext,
): Promise<BackstepError | undefined> {
  let first: BackstepError | undefined;
  for (const [index, step] of workflow.steps.entries()) {
    try {
      await runStep(step, { ...at, path: String(index + 1) }, run);
    } catch (thrown) {
      const error = errorOf(thrown);
      first ??= error;
      if (error.code === "cancelled" || (thrown instanceof FlowStopped && thrown.policy)) throw thrown;
    }
  }
  return first;
}

async function after(
  workflow: Workflow,
  at: Omit<Standing, "path">,
  run: RunContext,
): Promise<BackstepError | undefined> {
  if (workflow.after.length === 0) return undefined;
  const deadline = Deadline.after(AFTER_BUDGET, run.hardStop);
  let first: BackstepError | undefined;
  for (const [index, step] of workflow.after.entries()) {
    try {
      await runStep(step, { ...at, ledger: new Ledger(), path: `after.${index + 1}` }, { ...run, deadline });
    } catch (thrown) {
      first ??= errorOf(thrown);
    }
  }
  return first;
}

function errorOf(thrown: unknown): BackstepError {
  return thrown instanceof FlowStopped ? thrown.error : toBackstepError(thrown);
}

const GRAVITY: readonly RollbackVerdict[] = ["none", "restored", "drift", "failed"];

/** All ways back of a run as one: the gravest verdict, everything named. */
function merged(rollbacks: readonly RollbackResult[]): RollbackResult {
  const verdict = rollbacks.reduce<RollbackVerdict>(
    (worst, r) => GRAVITY.indexOf(r.verdict) > GRAVITY.indexOf(worst) ? r.verdict : worst,
    "none",
  );
  return {
    verdict,
    steps: rollbacks.flatMap((r) => r.steps),
    drift: rollbacks.flatMap((r) => r.drift),
    enrolled: rollbacks.flatMap((r) => r.enrolled),
  };
}

/** 0 passed · 1 failed, nothing left · 3 drift · 4 in doubt or the way back failed · 130 interrupted and taken back. */
function exitCode(status: RunResult["status"], verdict: RollbackVerdict, inDoubt: boolean): number {
  if (status === "passed") return 0;
  if (verdict === "failed" || inDoubt) return 4;
  if (verdict === "drift") return 3;
  return status === "cancelled" ? 130 : 1;
}

function asExpected(expect: Expectation, status: RunResult["status"], verdict: RollbackVerdict): boolean {
  return (expect.status ?? "passed") === status &&
    (expect.rollback === undefined || expect.rollback === verdict);
}
