import { join } from "node:path";
import type { Reporter, ReporterOptions } from "../reporter.ts";
import { jsonText } from "../style.ts";
import { writeReport } from "./write.ts";

/** The whole summary, each file with its tries, each try with the result of its run, in `results.json`. */
export function jsonReporter({ output, path = join(output, "results.json") }: ReporterOptions): Reporter {
  return {
    event() {},
    finish(summary) {
      writeReport(path, `${jsonText({ version: 1, ...summary }, 1)}\n`);
      return Promise.resolve();
    },
  };
}
