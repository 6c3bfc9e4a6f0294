import { resolve } from "node:path";
import type { Command } from "../command.ts";
import { ON_REPORTS, reporterWords, terminalOf } from "../reports.ts";

/** `backstep merge-reports <folder>`. */
export const mergeReports: Command = {
  name: "merge-reports",
  summary: "Make one report from the shards of a test run",
  details: [
    "Reads what `backstep test --shard i/n --reporter blob` wrote on each machine, and passes it to other reporters.",
    "The exit code is the most serious one of the shards.",
  ],
  positionals: [{
    name: "folder",
    description: "The folder with the *.jsonl files of the shards",
    required: true,
  }],
  options: ON_REPORTS,
  examples: ["backstep merge-reports blobs --reporter list,junit --output out"],
  async run(args, io) {
    const { readBlobs } = await import("../../report/tests/blob.ts");
    const { makeReporters, together } = await import("../../report/tests/reporters.ts");
    const { mergeReports: merge } = await import("../../testing/merge.ts");
    const reporters = await makeReporters(reporterWords(args), {
      terminal: terminalOf(io),
      style: io.style,
      output: resolve(args.string("output") ?? "test-results"),
    });
    const summary = await merge(readBlobs(resolve(args.positionals[0] ?? "")), together(reporters));
    io.json(summary);
    return summary.exit;
  },
};
