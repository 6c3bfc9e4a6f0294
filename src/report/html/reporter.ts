import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { RunListener, RunResult } from "../../contract/events.ts";
import type { Reporter, ReporterOptions, TestFileResult, TestSummary, TestTryResult } from "../reporter.ts";
import { documentOf } from "./document.ts";
import { journalText } from "./journal-text.ts";
import { Material, TreeList } from "./material.ts";
import type { ReportData, ReportFile, ReportTry } from "./model.ts";
import { MOST_BYTES, Shelf } from "./shelf.ts";
import { type Reported, timelineOf } from "./timeline.ts";

/** What the report is made of beside its events. */
export interface HtmlOptions extends ReporterOptions {
  /** What its heading says; default "Backstep report". */
  readonly title?: string;
  /** Bytes of PNG that it may hold; default 48 MiB. What is left out is named. */
  readonly pictures?: number;
}

/** One offline file, `report.html`, with everything that is known of a test run. */
export function htmlReporter(options: HtmlOptions): Reporter {
  const reported = new Map<string, Reported[]>();
  const notes: string[] = [];
  return {
    event(event) {
      if (event.event === "tests-note") notes.push(event.message);
      if (event.event !== "run") return;
      const list = reported.get(event.run) ?? [];
      reported.set(event.run, list);
      list.push({ at: event.at, reported: event.reported });
    },
    async finish(summary) {
      const { data, pictures } = reportOf(summary, reported, notes, options);
      const text = documentOf(data, pictures);
      const file = options.path ?? join(options.output, "report.html");
      try {
        await mkdir(dirname(file), { recursive: true });
        // A report that is looked at while it is written anew is the old one or the new one.
        await writeFile(`${file}.new`, text);
        await rename(`${file}.new`, file);
      } catch (cause) {
        throw new BackstepError("io", `Cannot write ${file}: ${toBackstepError(cause).message}`, { cause });
      }
    },
  };
}

/** The report of one run, of which it is told everything and at the end the result. */
export function runReport(
  options: HtmlOptions & { readonly state: string },
): { readonly listener: RunListener; finish(result: RunResult): Promise<void> } {
  const reported: Reported[] = [];
  const began = Date.now();
  return {
    listener(event) {
      reported.push({ at: Date.now(), reported: event });
    },
    async finish(result) {
      const started = reported.find((one) => one.reported.event === "run-started")?.reported;
      const file = started?.event === "run-started" ? started.file : result.workflow;
      const good = result.expected ?? result.status === "passed";
      const status = good ? "passed" as const : "failed" as const;
      const { run, exit, duration_ms, error } = result;
      const one = {
        test: file,
        file,
        attempt: 1,
        worker: 1,
        run,
        folder: "",
        state: options.state,
        status: result.status,
        exit,
        began,
        duration_ms,
        result,
        ...defined({ error }),
      };
      const counts = { passed: good ? 1 : 0, failed: good ? 0 : 1, flaky: 0, skipped: 0 };
      const whole = {
        id: file,
        file,
        name: result.workflow,
        tags: [],
        status,
        exit,
        duration_ms,
        tries: [one],
      };
      const reporter = htmlReporter({ title: result.workflow, ...options });
      for (const { at, reported: event } of reported) {
        reporter.event({ event: "run", ...one, at, reported: event });
      }
      await reporter.finish({
        files: [{ ...whole, ...(error && !good ? { error } : {}) }],
        counts,
        duration_ms,
        began,
        workers: 1,
        exit,
        interrupted: result.status === "cancelled",
      });
    },
  };
}

/** What a report shows: its data, and the pictures that these name, as Base64 of PNG. */
export interface ReportContent {
  readonly data: ReportData;
  readonly pictures: ReadonlyMap<string, string>;
}

/** The content of a report, of what was told of a test run. */
export function reportOf(
  summary: TestSummary,
  reported: ReadonlyMap<string, readonly Reported[]>,
  noted: readonly string[],
  options: Pick<HtmlOptions, "title" | "pictures">,
): ReportContent {
  const shelf = new Shelf(options.pictures ?? MOST_BYTES);
  const trees = new TreeList();
  const files = summary.files.map((file) => fileOf(file, reported, shelf, trees));
  const { pictures, left, leftBytes } = shelf.taken();
  const notes = [...noted];
  if (left > 0) {
    const size = (leftBytes / 1_048_576).toFixed(1);
    notes.push(
      `${left} pictures (${size} MiB) are left out, those of what passed first: the report would be too large.`,
    );
  }
  const shard = summary.shard ? ` (shard ${summary.shard.index} of ${summary.shard.total})` : "";
  const data: ReportData = {
    title: `${options.title ?? "Backstep report"}${shard}`,
    began: summary.began,
    duration: summary.duration_ms,
    workers: summary.workers,
    interrupted: summary.interrupted,
    counts: summary.counts,
    notes,
    files,
    trees: trees.texts,
  };
  return { data, pictures };
}

function fileOf(
  { id, file, name, tags, status, duration_ms, reason, error, tries, divergence }: TestFileResult,
  reported: ReadonlyMap<string, readonly Reported[]>,
  shelf: Shelf,
  trees: TreeList,
): ReportFile {
  return {
    id,
    file,
    name,
    tags,
    status,
    duration: duration_ms,
    ...defined({ reason }),
    ...defined({ error }),
    tries: tries.map((one) => tryOf(one, reported.get(one.run) ?? [], status, shelf, trees)),
    ...defined({ divergence }),
  };
}

function tryOf(
  one: TestTryResult,
  reported: readonly Reported[],
  status: TestFileResult["status"],
  shelf: Shelf,
  trees: TreeList,
): ReportTry {
  const { attempt, worker, run, exit, began, duration_ms, error, printed, result, state } = one;
  const worth = status === "failed" ? 2 : status === "flaky" ? 1 : 0;
  const material = new Material({ state, run, began }, { shelf, trees, worth });
  const { records, missing, evidence } = material.opened;
  const items = timelineOf(reported, began, material);
  const looked = reported.some((event) =>
    event.reported.event === "step-finished" && event.reported.evidence !== undefined
  );
  const why = missing ??
    (evidence
      ? undefined
      : looked
      ? "Pictures and trees were not kept: the run ended as it should. Keep them with --evidence on."
      : "No pictures and trees: the run was made without --evidence.");
  return {
    attempt,
    worker,
    run,
    status: one.status,
    exit,
    began,
    duration: duration_ms,
    ...defined({ desktop: result?.desktop.label }),
    ...defined({ error }),
    ...defined({ printed, missing: why }),
    unstable: result?.unstable ?? [],
    items,
    journal: journalText(records, began),
  };
}
