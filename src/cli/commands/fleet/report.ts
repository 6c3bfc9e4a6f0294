import type { CountedRun, SeenWorker } from "../../../fleet/watch/status.ts";
import { countedRuns, liveWorkers, SILENT, stuckLabels } from "../../../fleet/watch/status.ts";
import { findRun, summaryOf } from "../../../fleet/watch/summary.ts";
import { errorLines } from "../../../report/error.ts";
import { table } from "../../../report/layout.ts";
import { oneLine } from "../../../report/style.ts";
import type { Arguments } from "../../command.ts";
import type { Io } from "../../io.ts";
import { reporterWords } from "../../reports.ts";
import { withFleet } from "./with-fleet.ts";

/** Runs that `--all` shows, the newest. */
const MOST = 50;

/** `backstep fleet report [run]`: what is known now. */
export async function report(run: string | undefined, args: Arguments, io: Io): Promise<number> {
  return await withFleet(args, io, async (fleet) => {
    if (args.given("reporter")) {
      const { mergedReport } = await import("./merged-report.ts");
      const summary = await mergedReport(
        fleet,
        (await findRun(fleet, run)).id,
        reporterWords(args),
        args,
        io,
      );
      io.json(summary);
      return summary.exit;
    }
    const workers = await liveWorkers(fleet);
    if (args.boolean("all")) {
      const runs = await countedRuns(fleet, { limit: MOST });
      io.json({ runs: runs.map(runJson), workers: workers.map(workerJson) });
      for (const line of [...runLines(runs), ...workerLines(workers)]) io.text(`${line}\n`);
      return 0;
    }
    const found = await findRun(fleet, run);
    const [counted] = await countedRuns(fleet, { run: found.id, limit: 1 });
    const summary = await summaryOf(fleet, found);
    const stuck = await stuckLabels(fleet, found.id);
    io.json({ run: counted && runJson(counted), workers: workers.map(workerJson), stuck, summary });
    for (const line of [...(counted ? runLines([counted]) : []), ...workerLines(workers)]) {
      io.text(`${line}\n`);
    }
    for (const { labels, n } of stuck) {
      const which = labels.length === 0
        ? "No worker takes jobs"
        : `No worker has the labels ${labels.join(", ")}`;
      io.text(`${which}; ${n} ${n === 1 ? "file waits" : "files wait"} for one: backstep fleet worker\n`);
    }
    for (const { id, status, error } of summary.files) {
      if (status !== "failed") continue;
      io.text(`${io.style.bad("failed")} ${oneLine(id)}\n`);
      if (error) io.text(`${errorLines(error, io.style).map((line) => `  ${line}`).join("\n")}\n`);
    }
    return found.state === "open" ? 0 : summary.exit;
  });
}

function runJson(run: CountedRun) {
  const { created_at, finished_at, options: _, ...rest } = run;
  return { ...rest, created_at: created_at.toISOString(), finished_at: finished_at?.toISOString() ?? null };
}

function workerJson({ id, name, host, pid, labels, desktops, state, busy, silent, started_at }: SeenWorker) {
  return {
    id,
    name,
    host,
    pid,
    labels,
    desktops,
    state,
    busy,
    silent_s: silent,
    started_at: started_at.toISOString(),
  };
}

function runLines(runs: readonly CountedRun[]): string[] {
  const states = ["waiting", "running", "passed", "failed", "flaky", "skipped", "cancelled"] as const;
  return table(runs.map((run) => [
    run.id,
    oneLine(run.name),
    run.state,
    [
      ...states.flatMap((state) => run[state] === 0 ? [] : [`${run[state]} ${state}`]),
      ...(run.doubts === 0 ? [] : [`${run.doubts} in doubt`]),
    ].join(", "),
  ]));
}

function workerLines(workers: readonly SeenWorker[]): string[] {
  return table(workers.map(({ name, host, state, busy, desktops, silent, labels }) => [
    `${name}@${host}`,
    silent > SILENT ? `silent for ${silent} s` : state,
    `${busy}/${desktops} busy`,
    labels.join(","),
  ]));
}
