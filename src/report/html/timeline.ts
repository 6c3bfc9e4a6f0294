import { defined } from "../../base/defined.ts";
import type { RollbackStep, RunEvent, StepEvidence, StepResult } from "../../contract/events.ts";
import { changedLines } from "../changed.ts";
import { auditOf } from "./audit-view.ts";
import type { Material } from "./material.ts";
import type { BackItem, BackStep, LogLine, ReportItem, StepItem, TransactionItem } from "./model.ts";
import { visualOf } from "./visual-view.ts";

/** Characters of an answer. */
const ANSWER = 20_000;
/** Characters of one string in it: base64 of a picture is of no use here. */
const STRING = 2_000;

/** What a run told, with when in milliseconds since 1970. */
export interface Reported {
  readonly at: number;
  readonly reported: RunEvent;
}

type Growing<T> = { -readonly [K in keyof T]: T[K] };

/** The events of a run as the lines of its timeline. */
export function timelineOf(reported: readonly Reported[], began: number, material: Material): ReportItem[] {
  const items: ReportItem[] = [];
  const open: Growing<TransactionItem>[] = [];
  const log: LogLine[] = [];
  const steps: Growing<StepItem>[] = [];
  let started = began;
  let inStep = false;
  let back: (Growing<BackItem> & { steps: BackStep[] }) | undefined;
  /** What was kept of each step, which is more than was known when it was over. */
  const kept = new Map<string, StepEvidence[]>();
  for (const { path, evidence } of material.opened.evidence?.steps ?? []) {
    kept.set(path, [...kept.get(path) ?? [], evidence]);
  }
  const placed = (at: number) => ({ at: at - began, depth: open.length });
  for (const { at, reported: event } of reported) {
    switch (event.event) {
      case "step-started":
        started = at;
        inStep = true;
        break;
      case "step-progress":
        log.push({ at: at - began, level: "info", text: event.message });
        break;
      case "step-retried":
        log.push({
          at: at - began,
          level: "warning",
          text: `try ${event.attempt} failed: ${event.error.message}`,
        });
        if (!inStep) items.push(noteOf(log.splice(0), placed(at)));
        break;
      case "note":
        if (inStep) log.push({ at: at - began, level: event.level, text: event.message });
        else items.push({ kind: "note", ...placed(at), level: event.level, text: event.message });
        break;
      case "step-finished": {
        const { step } = event;
        const around = items.findLast((one) => one.kind === "transaction" && one.path === step.path);
        const placeholder = items.findLast((one) => one.kind === "savepoint" && one.path === step.path);
        if (step.operation === "transaction" && around?.kind === "transaction") {
          items[items.indexOf(around)] = { ...around, ...defined({ error: step.error }) };
        } else if (!(placeholder && step.operation === "savepoint" && !step.error)) {
          const stored = event.evidence && kept.get(step.path)?.shift();
          const item = stepOf(step, stored ?? event.evidence, {
            at: (inStep ? started : at) - began,
            depth: open.length,
          }, material);
          const grown = { ...item, log: log.splice(0) };
          items.push(grown);
          steps.push(grown);
        }
        inStep = false;
        break;
      }
      case "transaction-started": {
        const item = { kind: "transaction" as const, ...placed(at), path: event.path, name: event.name };
        items.push(item);
        open.push(item);
        break;
      }
      case "transaction-finished": {
        const item = open.pop();
        if (item) item.committed = event.committed;
        break;
      }
      case "savepoint":
        items.push({ kind: "savepoint", ...placed(at), path: event.path, name: event.name });
        break;
      case "rollback-started":
        back = {
          kind: "back",
          ...placed(at),
          path: event.path,
          takes: 0,
          ...(event.reason ? { reason: event.reason } : {}),
          ...defined({ savepoint: event.savepoint }),
          steps: [],
          drift: [],
          enrolled: [],
          beside: [],
        };
        items.push(back);
        break;
      case "rollback-step": {
        const one = backStepOf(event.step);
        back?.steps.push(one);
        const taken = steps.findLast(({ path }) => path === one.path);
        if (taken) taken.back = [...taken.back ?? [], one];
        break;
      }
      case "changed-afterwards": {
        const { path, verdict, changed } = event;
        const amended = items.findLast((one) => one.kind === "back" && one.path === path);
        if (verdict !== undefined && amended?.kind === "back") {
          items[items.indexOf(amended)] = { ...amended, verdict, drift: [...amended.drift, ...changed] };
        }
        items.push({ kind: "note", ...placed(at), level: "warning", text: changedLines(changed).join("\n") });
        break;
      }
      case "rollback-finished": {
        if (!back) break;
        const { verdict, drift, enrolled, beside, barrier } = event.rollback;
        const after = material.look(event.after);
        Object.assign(back, {
          takes: at - began - back.at,
          verdict,
          drift,
          enrolled,
          beside: beside ?? [],
          ...defined({ barrier, after }),
        });
        back = undefined;
        break;
      }
    }
  }
  return items;
}

function noteOf(
  lines: readonly LogLine[],
  placed: { readonly at: number; readonly depth: number },
): ReportItem {
  return { kind: "note", ...placed, level: "warning", text: lines.map(({ text }) => text).join("\n") };
}

function stepOf(
  step: StepResult,
  evidence: StepEvidence | undefined,
  placed: { readonly at: number; readonly depth: number },
  material: Material,
): StepItem {
  const [before, action, after] = [evidence?.before, evidence?.action, evidence?.after].map((one) =>
    material.look(one)
  );
  const changes = material.changes(evidence?.before, evidence?.after);
  const visual = visualOf(step, evidence?.after, material);
  const audit = auditOf(step, evidence?.after);
  return {
    kind: "step",
    ...placed,
    path: step.path,
    name: step.name,
    operation: step.operation,
    effect: step.effect,
    status: step.status,
    takes: step.duration_ms,
    ...defined({ tries: step.attempts, error: step.error }),
    ...(step.output === undefined ? {} : { output: answer(step.output) }),
    log: [],
    ...defined({ before, action, after, marks: evidence?.marks, line: evidence?.line }),
    ...defined({ changes, visual, audit }),
  };
}

function answer(output: unknown): string {
  const text = JSON.stringify(
    output,
    (_key, value: unknown) =>
      typeof value === "string" && value.length > STRING
        ? `${value.slice(0, STRING)}… (${value.length} characters)`
        : value,
    2,
  );
  return text.length > ANSWER ? `${text.slice(0, ANSWER)}\n… (${text.length} characters)` : text;
}

function backStepOf({ path, verdict, what, method, reason, incidental, conflict }: RollbackStep): BackStep {
  return {
    path,
    verdict,
    what,
    ...defined({ method, reason, incidental, conflict }),
  };
}
