import { BackstepError, type ErrorJson, type Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { ChangedAfterwards, StepResult } from "../../contract/events.ts";
import type { Effect } from "../../contract/effect.ts";
import type { SeenStep } from "../../engine/evidence/pack.ts";
import { type OpenedEvidence, readEvidence } from "../../engine/evidence/read.ts";
import { journalFile, readJournal } from "../../engine/journal/read-journal.ts";
import { runFolder } from "../../engine/journal/journal.ts";
import { ActionBeginContent } from "../../engine/journal/records/action.ts";
import type { JournalRecord, RecordOf } from "../../engine/journal/records/mod.ts";
import { parseContent } from "../../engine/journal/records/parse.ts";
import { ChangedContent } from "../../engine/journal/records/rollback.ts";
import { findRun } from "../../engine/journal/runs.ts";
import type { TestFileResult, TestSummary, TestTryResult } from "../reporter.ts";
import { type HtmlOptions, htmlReporter, type ReportContent, reportOf } from "./reporter.ts";
import type { Reported } from "./timeline.ts";

/**
 * The report of a run that is over, from its journal and what is kept beside it. A journal knows less than the run told: no
 * notes, no tries, and of the rollback no methods. Throws `not_found`, `io`.
 */
export async function reportStoredRun(state: string, run: string, options: HtmlOptions): Promise<void> {
  const { title, one, reported, summary } = storedRun(state, run);
  const reporter = htmlReporter({ title, ...options });
  for (const { at, reported: event } of reported) {
    reporter.event({ event: "run", ...one, at, reported: event });
  }
  await reporter.finish(summary);
}

/** The same as what a page shows. Throws as `reportStoredRun`. */
export function storedReport(state: string, run: string): ReportContent {
  const { title, reported, summary } = storedRun(state, run);
  return reportOf(summary, new Map([[run, reported]]), [], { title });
}

/** What is known of a run that is over. */
interface StoredRun {
  readonly title: string;
  readonly one: TestTryResult;
  readonly reported: readonly Reported[];
  readonly summary: TestSummary;
}

function storedRun(state: string, run: string): StoredRun {
  const record = findRun(state, run);
  const file = journalFile(runFolder(state, run));
  const records = readJournal(runFolder(state, run));
  const opened = readEvidence(state, run);
  const [first] = records;
  if (first?.kind !== "run") {
    throw new BackstepError("io", `Cannot report run ${run}: ${file} does not say what ran`);
  }
  const began = first.at;
  const duration_ms = Math.max(0, (records.at(-1)?.at ?? began) - began);
  const status = record.status === "passed" || record.status === "cancelled"
    ? record.status
    : "failed" as const;
  const good = status === "passed";
  const exit = record.exit ?? 4;
  const one: TestTryResult = {
    test: first.file,
    file: first.file,
    attempt: 1,
    worker: 1,
    run,
    folder: "",
    state,
    status,
    exit,
    began,
    duration_ms,
  };
  const whole: TestFileResult = {
    id: first.file,
    file: first.file,
    name: record.workflow,
    tags: [],
    status: good ? "passed" : "failed",
    exit,
    duration_ms,
    tries: [one],
  };
  const summary: TestSummary = {
    files: [whole],
    counts: { passed: good ? 1 : 0, failed: good ? 0 : 1, flaky: 0, skipped: 0 },
    duration_ms,
    began,
    workers: 1,
    exit,
    interrupted: status === "cancelled",
  };
  return { title: record.workflow, one, reported: [...reportedBy(opened, records, file)], summary };
}

/** What is known of an action until its step is over. */
interface Begun {
  name: string;
  readonly operation: string;
  effect: Effect;
  readonly began: number;
  error?: ErrorJson;
}

/** What the records of a journal say, as the run's events said it. */
function* reportedBy(
  opened: OpenedEvidence,
  records: readonly JournalRecord[],
  file: string,
): Generator<Reported> {
  /** Of each step, what its last action said. */
  const actions = new Map<string, Begun>();
  const open: string[] = [];
  const names = new Map<string, string>();
  const looks = new Map<string, SeenStep[]>();
  for (const one of opened.evidence?.steps ?? []) looks.set(one.path, [...looks.get(one.path) ?? [], one]);
  const after = [...opened.evidence?.rollbacks ?? []];
  let finished = records[0]?.at ?? 0;
  for (const record of records) {
    const { at } = record;
    switch (record.kind) {
      case "action-begin": {
        const { path, operation, effect } = record;
        actions.set(path, { name: nameOf(record, operation, opened, file), operation, effect, began: at });
        break;
      }
      case "action-renewed": {
        const action = actions.get(record.path);
        if (!action) break;
        action.name = nameOf(record, action.operation, opened, file);
        action.effect = record.effect;
        break;
      }
      case "action-end": {
        const action = actions.get(record.path);
        if (action && record.error) action.error = record.error;
        break;
      }
      case "step": {
        const { path } = record;
        const seen = looks.get(path)?.shift();
        const { began, result } = stepOf(record, actions.get(path), seen, opened.decrypted(record), finished);
        actions.delete(path);
        yield {
          at: began,
          reported: { event: "step-started", path, name: result.name, operation: result.operation },
        };
        yield {
          at,
          reported: { event: "step-finished", step: result, ...defined({ evidence: seen?.evidence }) },
        };
        finished = at;
        break;
      }
      case "begin": {
        const { path, name } = record;
        names.set(path, name);
        open.push(path);
        yield { at, reported: { event: "transaction-started", path, name } };
        break;
      }
      case "commit": {
        const { path } = record;
        if (open.at(-1) !== path) break;
        open.pop();
        yield {
          at,
          reported: { event: "transaction-finished", path, name: names.get(path) ?? "", committed: true },
        };
        break;
      }
      case "savepoint":
        yield { at, reported: { event: "savepoint", path: record.path, name: record.name } };
        break;
      case "rollback": {
        const { path, savepoint } = record;
        while (open.length > 0 && (path === "" || open.includes(path))) {
          const inner = open.pop() ?? "";
          yield {
            at,
            reported: {
              event: "transaction-finished",
              path: inner,
              name: names.get(inner) ?? "",
              committed: false,
            },
          };
        }
        yield { at, reported: { event: "rollback-started", path, ...defined({ savepoint }) } };
        break;
      }
      case "undone": {
        const { path, what, verdict } = record;
        yield { at, reported: { event: "rollback-step", step: { path, what, verdict } } };
        break;
      }
      case "changed-afterwards": {
        const { path, verdict } = record;
        const changed = changedOf(record, opened, file);
        yield { at, reported: { event: "changed-afterwards", path, changed, ...defined({ verdict }) } };
        break;
      }
      case "rolled-back": {
        const { path, verdict } = record;
        const seen = after.shift();
        const rollback = { verdict, steps: [], drift: [], enrolled: [] };
        yield {
          at,
          reported: { event: "rollback-finished", path, rollback, ...defined({ after: seen?.after }) },
        };
        break;
      }
    }
  }
}

function stepOf(
  { at, path, status }: RecordOf<"step">,
  action: Begun | undefined,
  seen: SeenStep | undefined,
  output: Json | undefined,
  before: number,
): { readonly began: number; readonly result: StepResult } {
  const began = action?.began ?? (seen ? at - seen.duration_ms : before);
  const error = seen?.error ?? action?.error;
  return {
    began,
    result: {
      path,
      name: seen?.name ?? action?.name ?? `step ${path}`,
      operation: seen?.operation ?? action?.operation ?? "step",
      effect: action?.effect ?? "read",
      status,
      duration_ms: seen?.duration_ms ?? at - began,
      ...defined({ output }),
      ...defined({ error }),
    },
  };
}

/** With what it acted on, where that can be opened. */
function nameOf(
  record: RecordOf<"action-begin" | "action-renewed">,
  operation: string,
  opened: OpenedEvidence,
  file: string,
): string {
  const content = opened.decrypted(record);
  if (content === undefined) return operation;
  return parseContent(ActionBeginContent, content, { file, line: record.n }).name;
}

function changedOf(
  record: RecordOf<"changed-afterwards">,
  opened: OpenedEvidence,
  file: string,
): readonly ChangedAfterwards[] {
  const content = opened.decrypted(record);
  return content === undefined ? [] : parseContent(ChangedContent, content, { file, line: record.n });
}
