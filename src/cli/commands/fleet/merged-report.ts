import process from "node:process";
import { resolve } from "node:path";
import { findFleetKey } from "../../../fleet/evidence/fleet-key.ts";
import type { OpenFleet } from "../../../fleet/open-fleet.ts";
import { reportRun } from "../../../fleet/report/report-run.ts";
import { makeReporters, together } from "../../../report/tests/reporters.ts";
import type { TestSummary } from "../../../report/reporter.ts";
import { stateFolder } from "../../../session/lease.ts";
import { makeSuiteState } from "../../../testing/suite-state.ts";
import type { Arguments } from "../../command.ts";
import type { Io } from "../../io.ts";
import { terminalOf } from "../../reports.ts";

/** Reports a run of a fleet as if one machine had done it: its journals and evidence lie in this machine's state folder then. */
export async function mergedReport(
  fleet: OpenFleet,
  run: string,
  words: readonly string[],
  args: Arguments,
  io: Io,
): Promise<TestSummary> {
  const reporter = together(
    await makeReporters(words, {
      terminal: terminalOf(io),
      style: io.style,
      output: resolve(args.string("output") ?? "test-results"),
    }),
  );
  return await reportRun(fleet.database, {
    run,
    reporter,
    state: makeSuiteState(stateFolder()),
    key: findFleetKey(process.env),
  });
}
