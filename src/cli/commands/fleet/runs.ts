import { timeOf } from "../../../fleet/items/times.ts";
import { type FoundRun, searchRuns, wordsOf } from "../../../fleet/report/search.ts";
import { VERDICTS } from "../../../fleet/report/verdicts.ts";
import { JOB_STATES } from "../../../fleet/schema/tables.ts";
import { table } from "../../../report/layout.ts";
import { oneLine } from "../../../report/style.ts";
import { usage } from "../../arguments.ts";
import type { Arguments, Command } from "../../command.ts";
import type { Io } from "../../io.ts";
import { whole } from "../test/values.ts";
import { withFleet } from "./with-fleet.ts";

/** Runs that are shown where nobody says how many. */
const MOST = 50;

/** `backstep fleet runs [--verdict …] [--status …] [--file …] [--since …]`. */
export async function runs(command: Command, args: Arguments, io: Io): Promise<number> {
  const since = sinceOf(command, args.string("since"));
  const search = {
    verdicts: wordsOf("verdict", args.string("verdict"), VERDICTS),
    states: wordsOf("status", args.string("status"), JOB_STATES),
    file: args.string("file"),
    since,
    most: whole(command, args, "limit", 1) ?? MOST,
  };
  return await withFleet(args, io, async ({ database }) => {
    const found = await searchRuns(database, search);
    io.json({ runs: found });
    if (found.length === 0) io.text("There is no such run.\n");
    for (const one of found) for (const line of lines(one)) io.text(`${line}\n`);
    return found.length === 0 ? 1 : 0;
  });
}

function lines({ run, name, state, created, files, verdicts, matches = [] }: FoundRun): string[] {
  const words = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).sort(([a], [b]) => a < b ? -1 : 1).map(([word, n]) => `${n} ${word}`).join(", ");
  const more = Object.keys(verdicts).some((word) => word !== "none") ? `  rollback: ${words(verdicts)}` : "";
  return [
    `${run}  ${created.slice(0, 16).replace("T", " ")}  ${state}  ${words(files)}${more}  ${oneLine(name)}`,
    ...table(matches.map((one) => [
      "   ",
      oneLine(one.file),
      one.state,
      one.verdict === null ? "" : `rollback: ${one.verdict}`,
      one.exit === null || one.exit === 0 ? "" : `exit ${one.exit}`,
    ])),
  ];
}

/** A time, or so long ago. */
function sinceOf(command: Command, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const now = new Date();
  const at = timeOf(text, now);
  if (!at) throw usage(command, `--since takes a time such as 2026-12-01 or 2d, not "${text}"`);
  // "2d" is read as from now on, and meant is as long ago.
  return at > now ? new Date(2 * now.getTime() - at.getTime()) : at;
}
