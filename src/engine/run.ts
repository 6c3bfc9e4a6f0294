import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { ErrorJson } from "../base/error.ts";
import type { RunResult } from "../contract/events.ts";
import { stateFolder } from "../session/lease.ts";
import { Artefacts } from "./artefacts.ts";
import { declaredFiles, digestOf } from "./declared.ts";
import { afterwards } from "./flow.ts";
import { InputGuard } from "./interference.ts";
import { Journal } from "./journal.ts";
import { Ledger } from "./ledger.ts";
import { lockRun } from "./lock.ts";
import { main } from "./main.ts";
import { listening, makeContext } from "./make-context.ts";
import { Mask } from "./mask.ts";
import { asExpected, exitCode, merged } from "./outcome.ts";
import type { Standing } from "./perform.ts";
import type { Program } from "./program.ts";
import { pruneRuns } from "./prune.ts";
import { releaseInput } from "./release.ts";
import type { Inside, RunOptions } from "./run-options.ts";
import { Scope } from "./scope.ts";
import { Seal } from "./seal.ts";
import { secretFiles, secretsOf } from "./secrets.ts";
import type { Workflow } from "./step.ts";

export type { Inside, Resumed, RunOptions } from "./run-options.ts";

/** A new run's id: when it began, and six hexadecimal digits: "20261120-233000-c3f9a1". */
export function newRunId(now = new Date()): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}

/**
 * Runs a workflow on a session's desktop and answers what came of it. It rejects only when it could not begin; what
 * fails on the way is in the result.
 */
export function runWorkflow(workflow: Workflow, options: RunOptions): Promise<RunResult> {
  return runProgram(workflow, options, undefined);
}

/** `runWorkflow` for `recover` and for experiments. */
export function runWith(workflow: Workflow, options: RunOptions & Inside): Promise<RunResult> {
  return runProgram(workflow, options, undefined);
}

/** The same, of a workflow whose steps a program makes. */
export async function runProgram(
  workflow: Workflow,
  options: RunOptions & Inside,
  program: Program | undefined,
): Promise<RunResult> {
  const started = performance.now();
  const { session } = options;
  const state = options.state ?? stateFolder();
  const run = options.run ?? newRunId();
  const mask = new Mask([...secretsOf(workflow)].flatMap((name) => options.surroundings.secret(name) ?? []));
  const told = listening(options.listener, mask);
  const desktop = { kind: session.kind, label: session.label };
  const { resumed, sink } = options;
  if (!resumed) pruneRuns(state);
  const journal = resumed?.journal ?? Journal.create(state, run, sink);
  let unlock: (() => void) | undefined;
  let guard: InputGuard | undefined;
  try {
    if (!resumed) unlock = lockRun(state, run);
    const policy = options.onConflict ?? workflow.onConflict ?? "stop";
    const seal = resumed?.seal ?? Seal.create(state, run);
    const durability = options.durability ?? workflow.durability ?? "barriers";
    if (!resumed) {
      journal.durability = durability;
      journal.rests((sink) => Seal.sync(state, run, sink));
    }
    const store = new Artefacts(journal.folder, seal, sink);
    const declare = () => declaredFiles(workflow, options, store);
    const wanted = options.onInterference ?? workflow.onInterference;
    guard = await InputGuard.begin(wanted, { session, journal, emit: told.emit });
    const context = await makeContext({
      run,
      session,
      operations: options.operations,
      folder: options.folder,
      journal,
      seal,
      mask,
      surroundings: options.surroundings,
      guard,
      emit: told.emit,
      policy,
      askConflict: options.askConflict,
      budgets: options.budgets,
      declare,
      way: workflow.rollback ?? "restore",
      timeout: workflow.timeout,
      signal: options.signal,
      hardStop: options.hardStop,
      memory: resumed?.memory,
    });
    if (!resumed) {
      journal.write({
        kind: "run",
        run,
        workflow: workflow.name,
        file: resolve(workflow.file),
        digest: digestOf(workflow),
        desktop: { ...desktop, id: session.id ?? null, mode: session.desktop.mode },
        secrets: [...secretsOf(workflow)],
        ...(durability === "full" ? { durability } : {}),
        sealed: seal.seal(mask.json({
          vars: options.vars,
          app: workflow.app ?? null,
          folder: options.folder,
          policy,
          secretFiles: secretFiles(workflow),
        })),
      });
    }
    told.emit({ event: "run-started", run, workflow: workflow.name, file: workflow.file, desktop });

    const at: Omit<Standing, "path"> = {
      scope: new Scope(options.vars, options.surroundings),
      app: workflow.app,
      ledger: new Ledger(),
      inTransaction: false,
      file: "",
    };
    const failure = await main(workflow, at, context, options, program);
    if (failure?.code === "cancelled") await releaseInput(context);
    const afterFailure = await afterwards(workflow.after, "after.", at, context, program);
    const error = failure ?? afterFailure;

    const rollback = merged(context.rollbacks);
    const status = !error ? "passed" : error.code === "cancelled" ? "cancelled" : "failed";
    const exit = exitCode(status, rollback.verdict, context.doubts.size > 0);
    const result: RunResult = {
      run,
      workflow: workflow.name,
      desktop,
      status,
      exit,
      duration_ms: Math.round(performance.now() - started),
      steps: context.steps,
      rollback,
      unstable: context.unstable.labels.map((label) => mask.text(label)),
      ...(guard?.result ? { interference: guard.result } : {}),
      ...(error ? { error: mask.apply<ErrorJson>(error.toJSON()) } : {}),
      ...(workflow.expect ? { expected: asExpected(workflow.expect, status, rollback.verdict) } : {}),
    };
    // An interrupt during the way back leaves the journal open: `recover` finishes what is written there.
    if (!options.hardStop?.aborted) journal.write({ kind: "end", status, exit, rollback: rollback.verdict });
    told.emit({ event: "run-finished", result });
    told.throwIfBroken();
    return result;
  } finally {
    await guard?.close();
    journal.close();
    unlock?.();
  }
}
