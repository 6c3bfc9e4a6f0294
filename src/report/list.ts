import type {
  RollbackResult,
  RollbackStep,
  RunEvent,
  RunListener,
  RunResult,
  StepResult,
  StepVerdict,
  WentBack,
} from "../contract/events.ts";
import type { Difference } from "../contract/participant.ts";
import { whatText } from "../contract/rollback-what.ts";
import { changedLines } from "./changed.ts";
import { errorLines } from "./error.ts";
import { cut, pad, width } from "./layout.ts";
import { CLEAR_LINE, count, duration, oneLine, type Style } from "./style.ts";

/** Where a report writes: to a terminal, where lines are kept to its columns, or into a log. */
export interface Output {
  write(text: string): void;
  readonly terminal: boolean;
  /** The running step is shown on a line that is cleared again. */
  readonly live: boolean;
  /** Characters a line has now. */
  readonly columns: number;
}

/** Columns that a step's path and its name are filled up to, so that what follows stands below each other. */
const PATH = 8;
const NAME = 50;

/** A report as lines, one a step, for people: live on a terminal, plain in a log. */
export function listReport(output: Output, style: Style): RunListener {
  let running = false;
  let depth = 0;
  /** Steps of an `undo:` stand among what is rolled back. */
  let rolling = false;
  const line = (text: string) => {
    if (running) output.write(CLEAR_LINE);
    running = false;
    output.write(`${text}\n`);
  };
  const live = (text: string) => {
    if (!output.live) return;
    // One column is left free: a full line would wrap, and could not be undone.
    const shown = cut(`${margin()}… ${text}`, output.columns - 1);
    output.write(`${running ? CLEAR_LINE : ""}${style.dim(shown)}`);
    running = true;
  };
  const margin = () => `  ${"│ ".repeat(depth)}`;
  const painted = () => `  ${style.accent("│ ".repeat(depth))}`;
  /** A log is cut nowhere; on a terminal a line stays one line. */
  const columns = () => output.terminal ? output.columns : Infinity;
  const item = (mark: string, path: string, what: string) => {
    const head = pad(path, PATH - depth * 2);
    line(`${painted()}${mark} ${head}  ${cut(what, columns() - margin().length - 4 - width(head))}`);
  };
  return (event: RunEvent) => {
    switch (event.event) {
      case "run-started": {
        const name = cut(oneLine(event.workflow), columns());
        const where = oneLine(`${event.file} on ${event.desktop.label}`);
        line(
          width(name) + width(where) + 2 <= columns()
            ? `${style.bold(name)}  ${style.dim(where)}`
            : style.bold(name),
        );
        if (width(name) + width(where) + 2 > columns()) line(style.dim(cut(where, columns())));
        break;
      }
      case "step-started":
        live(`${pad(event.path, PATH - depth * 2)}  ${oneLine(event.name)}`);
        break;
      case "step-progress":
        live(`${pad(event.path, PATH - depth * 2)}  ${oneLine(event.message)}`);
        break;
      case "step-retried":
        item(style.warn("↻"), event.path, `try ${event.attempt} failed: ${oneLine(event.error.message)}`);
        break;
      case "step-finished":
        for (const text of stepLines(event.step, style, depth, columns() - (rolling ? 2 : 0))) {
          line(`${painted()}${rolling ? "  " : ""}${text}`);
        }
        break;
      case "transaction-started":
        item(style.accent("┌"), event.path, `transaction ${oneLine(event.name)}`);
        depth++;
        break;
      case "transaction-finished":
        depth = Math.max(0, depth - 1);
        item(
          style.accent("└"),
          event.path,
          `transaction ${oneLine(event.name)} ${event.committed ? "committed" : "is not committed"}`,
        );
        break;
      case "rollback-started": {
        const where = event.path === "" ? "the workflow" : event.path;
        const what = event.savepoint === undefined ? where : `to savepoint ${oneLine(event.savepoint)}`;
        line(`${painted()}${style.accent("↩")} rolling back ${what}`);
        rolling = true;
        break;
      }
      case "rollback-step":
        line(`${painted()}  ${rollbackLine(event.step, style, columns() - margin().length - 2)}`);
        break;
      case "rollback-finished":
        rolling = false;
        for (const text of rollbackSummary(event.rollback, style)) line(`${painted()}  ${text}`);
        break;
      case "changed-afterwards": {
        const verdict = event.verdict === undefined ? "" : ` · the rollback is ${style.bad(event.verdict)}`;
        const [head = "", ...rest] = changedLines(event.changed);
        line(`${painted()}${style.warn(`! ${head}`)}${verdict}`);
        for (const text of rest) line(`${painted()}  ${text}`);
        break;
      }
      case "went-back":
        depth = 0;
        line(`${painted()}${wentBackLine(event, style)}`);
        for (const text of besideLines(event.beside ?? [], style)) line(`${painted()}  ${text}`);
        break;
      case "rebuilding":
        line(`${painted()}${style.accent("↩")} a new desktop, since ${oneLine(event.why)}`);
        break;
      case "paused":
        line(
          `${painted()}${style.warn("‖")} ${pad(event.path, PATH - depth * 2)}  ${PAUSED[event.why]} ${
            oneLine(event.name)
          }`,
        );
        break;
      case "note":
        line(`${painted()}${event.level === "warning" ? style.warn("!") : "·"} ${oneLine(event.message)}`);
        break;
      case "run-finished":
        for (const text of summary(event.result, style, columns())) line(text);
        break;
    }
  };
}

/** Why an interactive run stands before a step. */
const PAUSED = {
  until: "stands before",
  pause: "pauses before",
  stopped: "stops before",
  failed: "stands as it failed:",
} as const;

function wentBackLine({ path, verdict, why, actions, duration_ms }: WentBack, style: Style): string {
  const where = path === "end" ? "after the last step" : `before step ${path}`;
  const what = verdict === "none"
    ? "nothing was to be undone"
    : `${count(actions, "action")} ${verdict === "rebuilt" ? "undone by a new desktop" : "rolled back"}`;
  const cause = why === undefined ? "" : `, since ${oneLine(why)}`;
  return `${style.accent("↩")} ${where}: ${style.good(verdict)}, ${what}, ${
    duration(duration_ms).trim()
  }${cause}`;
}

function stepLines(step: StepResult, style: Style, depth: number, columns: number): string[] {
  const mark = step.status === "passed"
    ? style.good("✓")
    : step.status === "skipped"
    ? style.dim("–")
    : style.bad("✗");
  const tries = step.attempts === undefined ? "" : ` (${step.attempts} tries)`;
  const path = pad(step.path, PATH - depth * 2);
  const time = duration(step.duration_ms).padStart(7);
  const room = columns - 2 - depth * 2 - 2 - width(path) - 2;
  // The time stands right of the name, or goes where there is no room for both.
  const name = cut(`${oneLine(step.name)}${tries}`, Math.max(10, room - time.length - 2));
  const filled = pad(name, Math.min(NAME, room - time.length - 2));
  const head = `${mark} ${path}  ${filled}  ${style.dim(time)}`;
  const indent = " ".repeat(4);
  return step.error
    ? [head, ...errorLines(step.error, style, columns - 6 - depth * 2).map((l) => `${indent}${l}`)]
    : [head];
}

const GOOD: ReadonlySet<StepVerdict> = new Set(["restored", "already", "compensated", "gone", "rebuilt"]);

function rollbackLine(step: RollbackStep, style: Style, columns: number): string {
  const good = GOOD.has(step.verdict);
  const mark = good ? style.good("✓") : step.incidental ? style.warn("–") : style.bad("✗");
  const path = pad(step.path, PATH - 2);
  const verdict = good ? step.verdict : style.bad(step.verdict);
  const how = [
    step.method === undefined || step.method === "none" ? "" : `by ${step.method}`,
    step.incidental ? "best effort" : "",
    oneLine(step.reason ?? ""),
  ].filter((part) => part !== "").join(", ");
  const head = `${mark} ${path}  ${pad(oneLine(whatText(step.what)), NAME - 6)}  ${
    how === "" ? verdict : pad(verdict, 12)
  }`;
  if (how === "") return head;
  // How it came back is left out where there is no room; why it did not never is.
  return good && width(head) + 2 + width(how) > columns ? head.trimEnd() : `${head}  ${style.dim(how)}`;
}

function rollbackSummary(rollback: RollbackResult, style: Style): string[] {
  return [...verdictLines(rollback, style), ...besideLines(rollback.beside ?? [], style)];
}

/** What nobody had enrolled is no part of the verdict, and is not passed over. */
function besideLines(beside: readonly Difference[], style: Style): string[] {
  if (beside.length === 0) return [];
  return [
    style.warn(
      `beside the verdict, ${
        count(beside.length, "difference")
      } in elements that were not protected when they changed`,
    ),
    ...beside.slice(0, 5).map((one) => `  ${differenceText(one)}`),
    ...(beside.length > 5 ? [style.dim(`  … and ${beside.length - 5} more`)] : []),
  ];
}

function differenceText({ participant, property, expected, actual, afterwards }: Difference): string {
  return `${oneLine(participant)}: ${oneLine(property)} should be ${oneLine(JSON.stringify(expected))}, is ${
    oneLine(JSON.stringify(actual))
  }${afterwards ? " (changed afterwards)" : ""}`;
}

function verdictLines({ verdict, enrolled, drift, steps }: RollbackResult, style: Style): string[] {
  if (verdict === "restored") {
    return [`${style.good("restored")}: ${count(enrolled.length, "participant")} read back as before`];
  }
  if (verdict === "rebuilt") {
    return [`${style.good("rebuilt")}: a new desktop was replayed to the savepoint, and reads as there`];
  }
  if (verdict === "none") return [style.dim("nothing to undo")];
  // What cannot be read differs in nothing that could be shown.
  const unread = steps.filter((step) => step.verdict === "unrestorable" && !step.incidental).length;
  const what = drift.length === 0 && unread > 0
    ? `${count(unread, "participant")} unrestorable`
    : count(drift.length, "difference");
  return [
    `${style.bad(verdict)}: ${what}`,
    ...drift.slice(0, 20).map((one) => `  ${differenceText(one)}`),
    ...(drift.length > 20 ? [style.dim(`  … and ${drift.length - 20} more`)] : []),
  ];
}

function summary(result: RunResult, style: Style, columns: number): string[] {
  const word = result.status === "passed"
    ? style.good("passed")
    : result.status === "cancelled"
    ? style.warn("interrupted")
    : style.bad(result.rejected === undefined ? "failed" : "rejected");
  const parts = [
    `${word} in ${duration(result.duration_ms)}`,
    count(result.steps.length, "step"),
    ...(result.rollback.verdict === "none" ? [] : [`rollback: ${result.rollback.verdict}`]),
    ...(result.changed_afterwards === undefined
      ? []
      : [style.warn(`${result.changed_afterwards.length} changed afterwards`)]),
    ...(result.expected === undefined
      ? []
      : [result.expected ? "as expected" : style.bad("not as expected")]),
    ...(result.status === "passed" ? [] : [`exit ${result.exit}`]),
  ];
  const joined = parts.join(style.dim(" · "));
  const run = `run ${result.run}`;
  const fits = width(joined) + 3 + width(run) <= columns;
  const head = fits ? [`${joined}${style.dim(` · ${run}`)}`] : [joined, style.dim(run)];
  // A failure outside of a step (a missing application, a bad file) has no line of its own yet.
  const reported = result.steps.some((s) => s.error?.message === result.error?.message);
  return result.error && !reported ? [...errorLines(result.error, style, columns), ...head] : head;
}
