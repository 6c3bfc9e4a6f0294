import { listReport, type Output } from "../list.ts";
import type { Reporter, TestFileResult } from "../reporter.ts";
import { count, duration, oneLine, type Style } from "../style.ts";
import type { RunEvent } from "../../contract/events.ts";
import { endingLines, painted, reasonLines, SIGN, wordOf } from "./ending.ts";

/** Files as a tree: each when it is done, with every step of each try, so that workers do not talk across each other. */
export function listReporter(output: Output, style: Style): Reporter {
  const tries = new Map<string, RunEvent[]>();
  const line = (text: string) => output.write(`${text}\n`);
  const columns = () => output.terminal ? output.columns : Infinity;
  const file = (result: TestFileResult) => {
    const { id, status, name, tries: done } = result;
    const head = `${painted(status, SIGN[status], style)} ${style.bold(oneLine(id))}`;
    const last = done.at(-1);
    const more = [
      ...(name === id ? [] : [oneLine(name)]),
      ...(last ? [duration(result.duration_ms), `worker ${last.worker}`] : []),
      ...(status === "skipped" || wordOf(result) === "rejected" ? [wordOf(result)] : []),
    ];
    line(`${head}  ${style.dim(more.join("  "))}`);
    for (const one of done) {
      if (done.length > 1) line(style.dim(`  try ${one.attempt}`));
      const events = tries.get(one.run) ?? [];
      tries.delete(one.run);
      steps(events);
    }
    // Why one failed or was flaky is said at the end.
    if (status !== "skipped") return;
    for (const text of reasonLines(result, style, columns() - 4)) line(`    ${text}`);
  };
  const steps = (events: readonly RunEvent[]) => {
    const indented: Output = {
      write: (text) => output.write(text.replace(/^(?=.)/gm, "  ")),
      terminal: output.terminal,
      live: false,
      get columns() {
        return output.columns - 2;
      },
    };
    const report = listReport(indented, style);
    for (const event of events) if (event.event !== "run-started") report(event);
  };
  return {
    event(event) {
      switch (event.event) {
        case "tests-started": {
          const { files, workers, shard } = event;
          const part = shard ? `, shard ${shard.index} of ${shard.total}` : "";
          line(style.dim(`${count(files.length, "file")}, ${count(workers, "worker")}${part}`));
          break;
        }
        case "try-started":
          tries.set(event.run, []);
          break;
        case "run":
          tries.get(event.run)?.push(event.reported);
          break;
        case "file-finished":
          file(event.result);
          break;
        case "tests-note":
          line(`${style.warn("!")} ${oneLine(event.message)}`);
          break;
        case "try-finished":
          break;
      }
    },
    finish(summary) {
      for (const text of endingLines(summary, style, columns())) line(text);
      return Promise.resolve();
    },
  };
}
