import { pause } from "../../base/call.ts";
import { type BackstepError, type Json, toBackstepError } from "../../base/error.ts";
import type { RollbackResult, StepResult, StepVerdict } from "../../contract/events.ts";
import { isMap, toJson } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import type { SendJudge } from "../../contract/recording-desktop.ts";
import { isActionWhat, whatText } from "../../contract/rollback-what.ts";
import type { UndoLog } from "../rollback/undo-log.ts";
import { isClean } from "../rollback/rollback.ts";
import { FlowStopped, stoppedAt } from "../model/flow-stopped.ts";
import { Scope } from "../model/scope.ts";
import type { Composed, Step, TransactionStep, UndoStep } from "../model/step.ts";
import { endsRun } from "./interference.ts";
import type { Standing } from "./standing.ts";
import type { RunContext } from "./run-context.ts";
import { rollBackSteps } from "./roll-back-steps.ts";
import { transaction } from "./transaction.ts";
import { undoLast } from "./undo-last.ts";

/**
 * The steps of `ax_workflow`, as a transaction: one that fails and says `rollback` has those before it rolled back, `abort`
 * (which is what it says by default) leaves them and ends the run, `skip` goes on. It answers as the tool does.
 */
export async function composed(
  step: TransactionStep,
  raw: Composed,
  at: Standing,
  run: RunContext,
): Promise<void> {
  const [steps, backs] = [run.steps.length, run.rollbacks.length];
  let stopped: FlowStopped | undefined;
  try {
    const prefix = `${at.path}.`;
    // `{{step_N}}` counts its own steps; what else can be named is as around it.
    const scope = new Scope(at.scope.vars, at.scope, { steps: at.scope.steps, numbered: {} });
    await transaction(
      step,
      at,
      run,
      (inner) => run.flow(step.steps, prefix, { ...inner, scope, file: prefix }, run),
    );
  } catch (thrown) {
    stopped = stoppedAt(at.path, thrown);
  }
  const results = step.steps.map((one, index) =>
    resultOf(one, run.steps.slice(steps).findLast(({ path }) => path === `${at.path}.${index + 1}`))
  );
  const output: Json = {
    success: stopped === undefined,
    steps_completed: results.filter(({ ok }) => ok === true).length,
    steps_total: step.steps.length,
    results: results.map((one) => ({ ...one })),
    ...rollback(
      step,
      at.path,
      !stopped || stopped.policy === "stop" ? undefined : run.rollbacks.slice(backs).at(-1),
    ),
    ...(stopped ? { error: stopped.error.message } : {}),
  };
  await reported(step, raw, output, stopped, at, run);
}

function toolOf(step: Step): string {
  return step.kind === "operation"
    ? step.tool ?? step.operation
    : step.kind === "undo"
    ? step.tool
    : step.kind;
}

/** Whether the steps were rolled back: only where all of it was read back; else what was not, by tool and name. */
function rollback(
  step: TransactionStep,
  path: string,
  back: RollbackResult | undefined,
): Record<string, Json> {
  if (!back || back.verdict === "none") return { rolled_back: false };
  const { verdict, steps, drift } = back;
  if (isClean(verdict)) return { rolled_back: true, verdict };
  const left = steps.filter((one) => one.incidental !== true && !BACK.has(one.verdict)).map((one) => {
    const own = step.steps[Number(one.path.slice(path.length + 1).split(".")[0]) - 1];
    const operation = own?.kind === "operation" ? own.operation : "";
    const name = whatText(one.what);
    const what = isActionWhat(one.what) && name.startsWith(`${operation} `)
      ? name.slice(operation.length + 1)
      : name;
    return `${own ? `${toolOf(own)} ` : ""}${what}`;
  });
  const differing = drift.map(({ participant, property }) => `${property} of ${participant}`);
  return {
    rolled_back: false,
    verdict,
    not_rolled_back: [...new Set(left.length > 0 ? left : differing)].slice(0, MOST_NAMED),
  };
}

/** Verdicts of what is as it was before. */
const BACK: ReadonlySet<StepVerdict> = new Set<StepVerdict>([
  "restored",
  "already",
  "rebuilt",
  "compensated",
  "gone",
]);
/** More than this are not named. */
const MOST_NAMED = 50;

/** `ax_undo`: undoes the last actions, and answers as the tool does. */
export async function undoReported(step: UndoStep, at: Standing, run: RunContext): Promise<void> {
  const existing = run.memory?.step(at.path);
  let output: Json | undefined;
  let stopped: FlowStopped | undefined;
  try {
    output = existing ? existing.output : await undoLast(step, at, async (since) => {
      const savepoint = `the last ${step.count}`;
      const judges = await judgesOf(since, run);
      return await rollBackSteps(since, at.path, { toBarrier: false, savepoint, judges }, run);
    });
  } catch (thrown) {
    stopped = stoppedAt(at.path, thrown);
    stopped.remains = toBackstepError(stopped.error).code === "drift";
  }
  await reported(step, step, output, stopped, at, run);
}

/** Who judges what an undo does; throws where it may not be. */
async function judgesOf({ entries }: UndoLog, run: RunContext): Promise<SendJudge[]> {
  const words = entries.filter(({ outcome }) => outcome !== "failed").flatMap((
    { beforeImages: images, inverse },
  ) => [
    ...images.filter(({ participant: { kind } }) => !WRITES.has(kind)).map(({ participant }) =>
      participant.label
    ),
    ...(inverse ? [[inverse.operation, ...textsIn(toJson(inverse.input))].join(" ")] : []),
  ]);
  const { desktop } = run.session;
  const judges: SendJudge[] = [];
  for (const port of run.admission) {
    if (port.undo) {
      judges.push(await port.undo({ words: [...new Set(words)], desktop, deadline: run.deadline }));
    }
  }
  return judges;
}

function textsIn(input: Json): string[] {
  return isMap(input) ? Object.values(input).filter((value) => typeof value === "string") : [];
}

/** Participants whose rollback writes, scrolls or gives the focus, whatever they are called. */
const WRITES: ReadonlySet<string> = new Set([
  "text",
  "number",
  "focus",
  "scroll",
  "clipboard",
  "text-selection",
  "window",
]);

function resultOf(
  step: TransactionStep["steps"][number],
  result: StepResult | undefined,
): Record<string, Json> {
  const tool = toolOf(step);
  if (!result) return { tool, ok: false, status: "not_reached" };
  const { status, output, error } = result;
  return {
    tool,
    ok: status === "passed",
    status,
    ...defined({ output }),
    ...(error ? { error: toJson(error) } : {}),
  };
}

/** Records what a step came to, and does what it says about that. */
async function reported(
  step: TransactionStep | UndoStep,
  raw: Composed,
  output: Json | undefined,
  stopped: FlowStopped | undefined,
  at: Standing,
  run: RunContext,
): Promise<void> {
  const ends = stopped !== undefined && endsRun(stopped.error);
  const lenient = (step.optional === true || raw.onFail === "skip") && !ends && stopped?.remains !== true;
  const result = run.mask.apply<StepResult>({
    path: at.path,
    name: step.name ?? step.id ?? raw.tool,
    operation: raw.tool,
    effect: "read",
    status: !stopped ? "passed" : lenient ? "skipped" : "failed",
    duration_ms: 0,
    ...defined({ output }),
    ...(stopped ? { error: stopped.error.toJSON() } : {}),
  });
  run.steps.push(result);
  run.journal.write({
    kind: "step",
    path: at.path,
    status: result.status,
    ...(result.output === undefined ? {} : { encrypted: run.encryption.encrypt(result.output) }),
  });
  run.emit({ event: "step-finished", step: result });
  if (output !== undefined) remember(step.id, at, output);
  if (stopped && !lenient) throw again(stopped, policyOf(raw, stopped), stopped.error, at);
  await stopped?.finish();
  if (!stopped && raw.waitAfter) await waited(raw.waitAfter, at, run);
}

/** What its own `on_fail` says goes before what a step inside said; what that had rolled back is not the file's concern. */
function policyOf({ onFail }: Composed, { policy }: FlowStopped): FlowStopped["policy"] {
  if (onFail !== undefined) {
    return onFail === "rollback" ? "rollback" : onFail === "abort" ? "stop" : undefined;
  }
  return policy === "stop" ? "stop" : undefined;
}

function again(
  { afterwards, remains }: FlowStopped,
  policy: FlowStopped["policy"],
  error: BackstepError,
  at: Standing,
): FlowStopped {
  const stopped = new FlowStopped(at.path, error, policy);
  stopped.afterwards.push(...afterwards);
  stopped.remains = remains;
  return stopped;
}

async function waited(milliseconds: number, at: Standing, run: RunContext): Promise<void> {
  try {
    await pause(Math.min(milliseconds, run.deadline.remaining()), run.deadline.signal);
  } catch (thrown) {
    throw stoppedAt(at.path, thrown);
  }
}

function remember(id: string | undefined, { scope, file, path }: Standing, output: Json): void {
  if (id !== undefined) scope.steps[id] = output;
  const number = file !== undefined && path.startsWith(file) ? path.slice(file.length) : "";
  if (/^\d+$/.test(number)) scope.numbered[Number(number)] = output;
}
