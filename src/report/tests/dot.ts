import type { Output } from "../list.ts";
import type { Reporter, TestStatus } from "../reporter.ts";
import { oneLine, type Style } from "../style.ts";
import { endingLines, painted } from "./ending.ts";

const LETTER: Readonly<Record<TestStatus, string>> = { passed: "·", failed: "F", flaky: "±", skipped: "–" };
/** Letters a line, in a log. */
const WIDE = 80;

/** A letter a file; what went wrong at the end. */
export function dotReporter(output: Output, style: Style): Reporter {
  let letters = 0;
  const columns = () => output.terminal ? output.columns : Infinity;
  const fresh = () => {
    if (letters > 0) output.write("\n");
    letters = 0;
  };
  return {
    event(event) {
      if (event.event === "tests-note") {
        fresh();
        output.write(`${style.warn("!")} ${oneLine(event.message)}\n`);
      }
      if (event.event !== "file-finished") return;
      const { status } = event.result;
      output.write(painted(status, LETTER[status], style));
      if (++letters >= Math.min(WIDE, columns())) fresh();
    },
    finish(summary) {
      fresh();
      for (const text of endingLines(summary, style, columns())) output.write(`${text}\n`);
      return Promise.resolve();
    },
  };
}
