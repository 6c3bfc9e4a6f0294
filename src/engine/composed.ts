import { pause } from "../base/call.ts";
import type { BackstepError, Json } from "../base/error.ts";
import { toBackstepError } from "../base/error.ts";
import type { RollbackResult, StepResult, StepVerdict } from "../contract/events.ts";
import { isMap } from "../base/json.ts";
import type { SendJudge } from "../contract/witness.ts";
import { endsRun } from "./interference.ts";
import type { Ledger } from "./ledger.ts";
import type { Flow } from "./loops.ts";
import type { Standing } from "./perform.ts";
import { isClean } from "./rollback.ts";
import { FlowStopped, type RunContext, stoppedAt, toJson } from "./run-context.ts";
import { Scope } from "./scope.ts";
import type { OperationStep, Step, TransactionStep, UndoStep } from "./step.ts";
import { takeBack } from "./take-back.ts";
import { transaction } from "./transaction.ts";
import { undoLast } from "./undo-last.ts";

/** What a step in the raw form says beside what it does. */
type Raw = Pick<OperationStep, "onFail" | "waitAfter">;

/**
 * The steps of `ax_workflow`, as a transaction: one that fails and says `rollback` has those before it taken back, `abort`
 * (which is what it says by default) leaves them and ends the run, `skip` goes on. It answers as the tool does.
 */
export async function composed(
  step: TransactionStep,
  raw: Raw,
  at: Standing,
  run: RunContext,
  flow: Flow,
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
      (inner) => flow(step.steps, prefix, { ...inner, scope, file: prefix }, run),
      flow,
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
    ...wayBack(
      step,
      at.path,
      !stopped || stopped.policy === "stop" ? undefined : run.rollbacks.slice(backs).at(-1),
    ),
    ...(stopped ? { error: stopped.error.message } : {}),
  };
  await told(step, "ax_workflow", raw, output, stopped, at, run);
}

function toolOf(step: Step): string {
  return step.kind === "operation"
    ? step.tool ?? step.operation
    : step.kind === "undo"
    ? "ax_undo"
    : step.kind;
}

/** Whether the steps were taken back: only where all of it was read back; else what was not, by tool and name. */
function wayBack(
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
    const what = one.what.startsWith(`deed ${operation} `) ? one.what.slice(operation.length + 6) : one.what;
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
]);
/** More than this are not named. */
const MOST_NAMED = 50;

/** `ax_undo`: takes back the last deeds, and answers as the tool does. */
export async function undoTold(step: UndoStep, at: Standing, run: RunContext, flow: Flow): Promise<void> {
  const known = run.memory?.step(at.path);
  let output: Json | undefined;
  let stopped: FlowStopped | undefined;
  try {
    output = known ? known.output : await undoLast(step, at, async (since) => {
      const savepoint = `the last ${step.count}`;
      const judges = await judgesOf(since, run);
      return await takeBack(since, at.path, { toBarrier: false, savepoint, judges }, run, flow);
    });
  } catch (thrown) {
    stopped = stoppedAt(at.path, thrown);
    stopped.remains = toBackstepError(stopped.error).code === "drift";
  }
  await told(step, "ax_undo", step, output, stopped, at, run);
}

/** Who judges what an undo does; throws where it may not be. */
async function judgesOf({ entries }: Ledger, run: RunContext): Promise<SendJudge[]> {
  const words = entries.filter(({ outcome }) => outcome !== "failed").flatMap(({ enrolments, inverse }) => [
    ...enrolments.filter(({ participant: { kind } }) => !WRITES.has(kind)).map(({ participant }) =>
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

/** Participants whose way back writes, scrolls or gives the focus, whatever they are called. */
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
    ...(output === undefined ? {} : { output }),
    ...(error ? { error: toJson(error) } : {}),
  };
}

/** Records what a step came to, and does what it says about that. */
async function told(
  step: TransactionStep | UndoStep,
  operation: string,
  raw: Raw,
  output: Json | undefined,
  stopped: FlowStopped | undefined,
  at: Standing,
  run: RunContext,
): Promise<void> {
  const ends = stopped !== undefined && endsRun(stopped.error);
  const lenient = (step.optional === true || raw.onFail === "skip") && !ends && stopped?.remains !== true;
  const result = run.mask.apply<StepResult>({
    path: at.path,
    name: step.name ?? step.id ?? operation,
    operation,
    effect: "read",
    status: !stopped ? "passed" : lenient ? "skipped" : "failed",
    duration_ms: 0,
    ...(output === undefined ? {} : { output }),
    ...(stopped ? { error: stopped.error.toJSON() } : {}),
  });
  run.steps.push(result);
  run.journal.write({
    kind: "step",
    path: at.path,
    status: result.status,
    ...(result.output === undefined ? {} : { sealed: run.seal.seal(result.output) }),
  });
  run.emit({ event: "step-finished", step: result });
  if (output !== undefined) remember(step.id, at, output);
  if (stopped && !lenient) throw again(stopped, policyOf(raw, stopped), stopped.error, at);
  await stopped?.finish();
  if (!stopped && raw.waitAfter) await waited(raw.waitAfter, at, run);
}

/** What its own `on_fail` says goes before what a step inside said; what that had taken back is not the file's concern. */
function policyOf({ onFail }: Raw, { policy }: FlowStopped): FlowStopped["policy"] {
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
