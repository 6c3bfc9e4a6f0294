import { cut } from "../layout.ts";
import type { Output } from "../list.ts";
import type { Reporter } from "../reporter.ts";
import { CLEAR_LINE, oneLine, type Style } from "../style.ts";
import { endingLines, painted, reasonLines, SIGN, wordOf } from "./ending.ts";

/** One line that changes, on a terminal; above it only what is not as it should be. In a log just the latter. */
export function lineReporter(output: Output, style: Style): Reporter {
  const running = new Map<string, string>();
  let [done, all, shown] = [0, 0, false];
  const columns = () => output.terminal ? output.columns : Infinity;
  const clear = () => {
    if (shown) output.write(CLEAR_LINE);
    shown = false;
  };
  const line = (text: string) => {
    clear();
    output.write(`${text}\n`);
  };
  const live = () => {
    if (!output.live) return;
    clear();
    const now = [...running].map(([id, step]) => step === "" ? id : `${id}: ${step}`).join("   ");
    // One column is left free: a full line would wrap, and could not be undone.
    output.write(style.dim(cut(oneLine(`[${done}/${all}] ${now}`), output.columns - 1)));
    shown = true;
  };
  return {
    event(event) {
      switch (event.event) {
        case "tests-started":
          all = event.files.length;
          break;
        case "try-started":
          running.set(event.test, "");
          break;
        case "run":
          if (event.reported.event !== "step-started") return;
          running.set(event.test, `${event.reported.path} ${event.reported.name}`);
          break;
        case "file-finished": {
          const { id, status } = event.result;
          running.delete(id);
          done++;
          if (status === "failed" || status === "flaky") {
            line(
              `${painted(status, `${SIGN[status]} ${wordOf(event.result)}`, style)}  ${
                style.bold(oneLine(id))
              }`,
            );
            for (const text of reasonLines(event.result, style, columns() - 4)) line(`    ${text}`);
          }
          break;
        }
        case "tests-note":
          line(`${style.warn("!")} ${oneLine(event.message)}`);
          break;
        case "try-finished":
          return;
      }
      live();
    },
    finish(summary) {
      clear();
      // What went wrong has been told already.
      line(endingLines(summary, style, columns()).at(-1) ?? "");
      return Promise.resolve();
    },
  };
}
