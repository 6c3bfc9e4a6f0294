import type { ErrorJson, Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import type { ChangedAfterwards, RollbackVerdict, StepResult, StepVerdict } from "../../contract/events.ts";
import type { Effect } from "../../contract/effect.ts";
import type { SeenStep } from "../../engine/evidence/pack.ts";
import { type OpenedEvidence, readEvidence } from "../../engine/evidence/read.ts";
import type { JournalLine } from "../../engine/journal.ts";
import { findRun } from "../../engine/runs.ts";
import type { TestFileResult, TestTryResult } from "../reporter.ts";
import { type HtmlOptions, htmlReporter } from "./reporter.ts";
import type { Told } from "./timeline.ts";

const EFFECTS = ["read", "restorable", "observed", "compensable", "irreversible"] as const satisfies Effect[];
const VERDICTS = [
  "restored",
  "already",
  "rebuilt",
  "compensated",
  "conflict",
  "unrestorable",
  "unknown",
  "failed",
] as const satisfies StepVerdict[];
const WAYS = ["none", "restored", "rebuilt", "drift", "failed"] as const satisfies RollbackVerdict[];

/**
 * The report of a run that is over, from its journal and what is kept beside it. A journal knows less than the run told: no
 * notes, no tries, and of the way back no methods. Throws `not_found`, `io`.
 */
export async function reportStoredRun(state: string, run: string, options: HtmlOptions): Promise<void> {
  const record = findRun(state, run);
  const opened = readEvidence(state, run);
  const [first] = opened.lines;
  const began = first?.at ?? 0;
  const duration_ms = Math.max(0, (opened.lines.at(-1)?.at ?? began) - began);
  const file = text(first?.["file"]);
  const status = record.status === "passed" || record.status === "cancelled"
    ? record.status
    : "failed" as const;
  const good = status === "passed";
  const exit = record.exit ?? 4;
  const one: TestTryResult = {
    test: file,
    file,
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
    id: file,
    file,
    name: record.workflow,
    tags: [],
    status: good ? "passed" : "failed",
    exit,
    duration_ms,
    tries: [one],
  };
  const reporter = htmlReporter({ title: record.workflow, ...options });
  for (const { at, told } of toldBy(opened)) reporter.event({ event: "run", ...one, at, told });
  await reporter.finish({
    files: [whole],
    counts: { passed: good ? 1 : 0, failed: good ? 0 : 1, flaky: 0, skipped: 0 },
    duration_ms,
    began,
    workers: 1,
    exit,
    interrupted: status === "cancelled",
  });
}

/** What the lines of a journal tell, as the run's events told it. */
function* toldBy(opened: OpenedEvidence): Generator<Told> {
  /** Of each step, what its last intent and outcome said. */
  const deeds = new Map<
    string,
    { name: string; operation: string; effect: Effect; began: number; error?: ErrorJson }
  >();
  const open: string[] = [];
  const names = new Map<string, string>();
  const looks = new Map<string, SeenStep[]>();
  for (const one of opened.evidence?.steps ?? []) looks.set(one.path, [...looks.get(one.path) ?? [], one]);
  const after = [...opened.evidence?.waysBack ?? []];
  let ended = opened.lines[0]?.at ?? 0;
  for (const line of opened.lines) {
    const { at, kind } = line;
    const path = text(line["path"]);
    switch (kind) {
      case "intent": {
        const sealed = opened.unsealed(line);
        const operation = text(line["operation"]);
        const name = isMap(sealed) ? text(sealed["name"]) : operation;
        deeds.set(path, { name, operation, effect: among(EFFECTS, line["effect"]) ?? "read", began: at });
        break;
      }
      case "outcome": {
        const deed = deeds.get(path);
        const error = line["error"];
        if (deed && isMap(error) && typeof error["message"] === "string") {
          deed.error = { code: "internal", ...error, message: error["message"] };
        }
        break;
      }
      case "step": {
        const seen = looks.get(path)?.shift();
        const { began, result } = stepOf(line, path, deeds.get(path), seen, opened.unsealed(line), ended);
        deeds.delete(path);
        yield {
          at: began,
          told: { event: "step-started", path, name: result.name, operation: result.operation },
        };
        yield {
          at,
          told: { event: "step-finished", step: result, ...(seen ? { evidence: seen.evidence } : {}) },
        };
        ended = at;
        break;
      }
      case "begin":
        names.set(path, text(line["name"]));
        open.push(path);
        yield { at, told: { event: "transaction-started", path, name: text(line["name"]) } };
        break;
      case "commit":
        if (open.at(-1) !== path) break;
        open.pop();
        yield {
          at,
          told: { event: "transaction-finished", path, name: names.get(path) ?? "", committed: true },
        };
        break;
      case "savepoint":
        yield { at, told: { event: "savepoint", path, name: text(line["name"]) } };
        break;
      case "rollback": {
        while (open.length > 0 && (path === "" || open.includes(path))) {
          const inner = open.pop() ?? "";
          yield {
            at,
            told: {
              event: "transaction-finished",
              path: inner,
              name: names.get(inner) ?? "",
              committed: false,
            },
          };
        }
        const savepoint = line["savepoint"];
        yield {
          at,
          told: { event: "rollback-started", path, ...(typeof savepoint === "string" ? { savepoint } : {}) },
        };
        break;
      }
      case "undone":
        yield {
          at,
          told: {
            event: "rollback-step",
            step: { path, what: text(line["what"]), verdict: among(VERDICTS, line["verdict"]) ?? "unknown" },
          },
        };
        break;
      case "changed-afterwards": {
        const verdict = among(WAYS, line["verdict"]);
        const changed = changedOf(opened.unsealed(line));
        yield {
          at,
          told: { event: "changed-afterwards", path, changed, ...(verdict ? { verdict } : {}) },
        };
        break;
      }
      case "rolled-back": {
        const seen = after.shift();
        const verdict = among(WAYS, line["verdict"]) ?? "failed";
        const rollback = { verdict, steps: [], drift: [], enrolled: [] };
        yield {
          at,
          told: { event: "rollback-finished", path, rollback, ...(seen ? { after: seen.after } : {}) },
        };
        break;
      }
    }
  }
}

function stepOf(
  line: JournalLine,
  path: string,
  deed: { name: string; operation: string; effect: Effect; began: number; error?: ErrorJson } | undefined,
  seen: SeenStep | undefined,
  output: Json | undefined,
  before: number,
): { readonly began: number; readonly result: StepResult } {
  const began = deed?.began ?? (seen ? line.at - seen.duration_ms : before);
  const error = seen?.error ?? deed?.error;
  const status = among(["passed", "failed", "skipped"] as const, line["status"]) ?? "failed";
  return {
    began,
    result: {
      path,
      name: seen?.name ?? deed?.name ?? `step ${path}`,
      operation: seen?.operation ?? deed?.operation ?? "step",
      effect: deed?.effect ?? "read",
      status,
      duration_ms: seen?.duration_ms ?? line.at - began,
      ...(output === undefined ? {} : { output }),
      ...(error ? { error } : {}),
    },
  };
}

function changedOf(sealed: Json | undefined): ChangedAfterwards[] {
  if (!isList(sealed)) return [];
  return sealed.filter(isMap).map((one) => ({
    path: text(one["path"]),
    participant: text(one["participant"]),
    property: text(one["property"]),
    expected: one["expected"] ?? null,
    actual: one["actual"] ?? null,
    afterwards: true,
  }));
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function among<T extends string>(words: readonly T[], value: Json | undefined): T | undefined {
  return words.find((word) => word === value);
}
