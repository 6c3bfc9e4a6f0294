import { resolve } from "node:path";
import type { OpenFleet } from "../../../fleet/open-fleet.ts";
import type { RunRow } from "../../../fleet/schema/tables.ts";
import { Board, busyDesktops } from "../../../fleet/watch/board.ts";
import { follow } from "../../../fleet/watch/follow.ts";
import { stuckLabels } from "../../../fleet/watch/status.ts";
import { findRun, summaryOf } from "../../../fleet/watch/summary.ts";
import { makeReporters, SPOKEN, together } from "../../../report/tests/reporters.ts";
import type { TestSummary } from "../../../report/reporter.ts";
import { count } from "../../../report/style.ts";
import type { Arguments } from "../../command.ts";
import type { Io } from "../../io.ts";
import { reporterWords, terminalOf } from "../../reports.ts";
import { interrupts } from "../../signals.ts";
import { mergedReport } from "./merged-report.ts";
import { failedTo, withFleet } from "./with-fleet.ts";

/** Milliseconds between two looks at what the workers do. */
const SHOWN = 1_000;

/** `backstep fleet watch [run]`. */
export async function watch(run: string | undefined, args: Arguments, io: Io): Promise<number> {
  return await withFleet(args, io, async (fleet) => {
    const asked = interrupts(() =>
      io.note("Interrupted: the run goes on. Stop it with: backstep fleet cancel")
    );
    try {
      const found = await findRun(fleet, run);
      const summary = await watchRun(fleet, found, args, io, asked.stop);
      return summary?.exit ?? 130;
    } finally {
      asked.release();
    }
  });
}

/** Reports a run until it is over, as `backstep test` reports; undefined: it was told to stop before. */
export async function watchRun(
  fleet: OpenFleet,
  run: RunRow,
  args: Arguments,
  io: Io,
  signal: AbortSignal,
): Promise<TestSummary | undefined> {
  // Files are written when it is over: only then all journals and evidence are there.
  const words = reporterWords(args);
  const files = words.filter((word) => !SPOKEN.has(word));
  const terminal = terminalOf(io);
  const spoken = words.filter((word) => SPOKEN.has(word));
  // On a terminal it is every worker's desktop that one wants to see, unless one says otherwise.
  const board = terminal.live && (spoken.length === 0 || !args.given("reporter"))
    ? new Board(terminal, io.style)
    : undefined;
  const reporter = together([
    ...(board ? [board] : await makeReporters(spoken, {
      terminal,
      style: io.style,
      output: resolve(args.string("output") ?? "test-results"),
    })),
  ]);
  for (const { labels, n } of await stuckLabels(fleet, run.id)) {
    io.note(
      labels.length === 0
        ? `${count(n, "job")} wait: there is no worker. Start one: backstep fleet worker`
        : `${count(n, "job")} wait for a worker with the labels ${
          labels.join(", ")
        }: none that is there has them`,
    );
  }
  const failed = failedTo(io);
  let looking = false;
  const showing = board && setInterval(() => {
    // A slow database is not asked again before it answered.
    if (looking) return;
    looking = true;
    busyDesktops(fleet, run.id).then((busy) => board.show(busy), failed).finally(() => looking = false);
  }, SHOWN);
  let over: boolean;
  try {
    over = await follow(fleet, run.id, { listener: (event) => reporter.event(event), signal, failed });
  } finally {
    clearInterval(showing);
  }
  if (!over) return undefined;
  const summary = await summaryOf(fleet, await findRun(fleet, run.id));
  await reporter.finish(summary);
  if (files.length > 0) await mergedReport(fleet, run.id, files, args, io);
  io.json(summary);
  return summary;
}
