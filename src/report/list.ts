import type { ErrorJson } from "../base/error.ts";
import type {
  RollbackResult,
  RollbackStep,
  RunEvent,
  RunListener,
  RunResult,
  StepResult,
  StepVerdict,
} from "../contract/events.ts";
import { count, duration, harmless, type Style } from "./style.ts";

/** Where a report writes. On a terminal the line of the running step is shown and replaced. */
export interface Output {
  write(text: string): void;
  readonly terminal: boolean;
  /** Characters a line has. */
  readonly columns: number;
}

/** A report as lines, one a step, for people: live on a terminal, plain in a log. */
export function listReport(output: Output, style: Style): RunListener {
  let running = false;
  const line = (text: string) => {
    if (running) output.write("\r\x1b[K");
    running = false;
    output.write(`${text}\n`);
  };
  const live = (text: string) => {
    if (!output.terminal) return;
    output.write(`${running ? "\r\x1b[K" : ""}${style.dim(cut(text, output.columns - 1))}`);
    running = true;
  };
  return (event: RunEvent) => {
    switch (event.event) {
      case "run-started":
        line(
          `${style.bold(harmless(event.workflow))}  ${style.dim(`${event.file} on ${event.desktop.label}`)}`,
        );
        break;
      case "step-started":
        live(`  … ${event.path}  ${harmless(event.name)}`);
        break;
      case "step-progress":
        live(`  … ${event.path}  ${harmless(event.message)}`);
        break;
      case "step-retried":
        line(
          `  ${style.warn("↻")} ${event.path}  try ${event.attempt} failed: ${harmless(event.error.message)}`,
        );
        break;
      case "step-finished":
        for (const text of stepLines(event.step, style)) line(text);
        break;
      case "transaction-started":
        line(`  ${style.accent("┌")} ${event.path}  transaction ${harmless(event.name)}`);
        break;
      case "transaction-finished":
        line(`  ${style.accent("└")} ${event.path}  ${event.committed ? "committed" : "not committed"}`);
        break;
      case "rollback-started":
        line(`  ${style.accent("↩")} taking back${event.path === "" ? "" : ` ${event.path}`}`);
        break;
      case "rollback-step":
        line(`    ${rollbackLine(event.step, style)}`);
        break;
      case "rollback-finished":
        for (const text of rollbackSummary(event.rollback, style)) line(text);
        break;
      case "note":
        line(`  ${event.level === "warning" ? style.warn("!") : "·"} ${harmless(event.message)}`);
        break;
      case "run-finished":
        line(summary(event.result, style));
        break;
    }
  };
}

function stepLines(step: StepResult, style: Style): string[] {
  const mark = step.status === "passed"
    ? style.good("✓")
    : step.status === "skipped"
    ? style.dim("–")
    : style.bad("✗");
  const tries = step.attempts === undefined ? "" : ` (${step.attempts} tries)`;
  const time = step.duration_ms >= 1 ? `  ${style.dim(duration(step.duration_ms))}` : "";
  const head = `  ${mark} ${step.path}  ${harmless(step.name)}${tries}${time}`;
  return step.error ? [head, ...errorLines(step.error, style).map((l) => `      ${l}`)] : [head];
}

/** An error as lines: what happened, where, what to try. */
export function errorLines(error: ErrorJson, style: Style): string[] {
  const lines = harmless(error.message).split("\n").map((l) => style.bad(l));
  if (error.place) lines.push(style.dim(`at ${error.place.file}:${error.place.line}:${error.place.column}`));
  if (error.hint !== undefined) lines.push(harmless(error.hint));
  return lines;
}

const GOOD: ReadonlySet<StepVerdict> = new Set(["restored", "already", "compensated"]);

function rollbackLine(step: RollbackStep, style: Style): string {
  const good = GOOD.has(step.verdict);
  const mark = good ? style.good("✓") : style.bad("✗");
  const how = step.method === undefined || step.method === "none" ? "" : style.dim(`  by ${step.method}`);
  const why = step.reason === undefined ? "" : style.dim(`  ${harmless(step.reason)}`);
  return `${mark} ${step.path}  ${harmless(step.what)}  ${
    good ? step.verdict : style.bad(step.verdict)
  }${how}${why}`;
}

function rollbackSummary(rollback: RollbackResult, style: Style): string[] {
  const { verdict, enrolled, drift } = rollback;
  if (verdict === "restored") {
    return [`    ${style.good("restored")}: ${count(enrolled.length, "participant")} read back as before`];
  }
  if (verdict === "none") return [`    ${style.dim("nothing to take back")}`];
  return [
    `    ${style.bad(verdict)}: ${count(drift.length, "difference")}`,
    ...drift.slice(0, 20).map((d) =>
      `      ${harmless(d.participant)}: ${d.property} should be ${
        harmless(JSON.stringify(d.expected))
      }, is ${harmless(JSON.stringify(d.actual))}`
    ),
  ];
}

function summary(result: RunResult, style: Style): string {
  const word = result.status === "passed"
    ? style.good("passed")
    : result.status === "cancelled"
    ? style.warn("interrupted")
    : style.bad("failed");
  const parts = [
    `${word} in ${duration(result.duration_ms)}`,
    count(result.steps.length, "step"),
    ...(result.rollback.verdict === "none" ? [] : [`way back: ${result.rollback.verdict}`]),
    ...(result.expected === undefined
      ? []
      : [result.expected ? "as expected" : style.bad("not as expected")]),
    ...(result.status === "passed" ? [] : [`exit ${result.exit}`]),
    `run ${result.run}`,
  ];
  const head = parts.join(style.dim(" · "));
  // A failure outside of a step (a missing application, a bad file) has no line of its own yet.
  const told = result.steps.some((s) => s.error?.message === result.error?.message);
  return result.error && !told ? [...errorLines(result.error, style), head].join("\n") : head;
}

function cut(text: string, columns: number): string {
  const letters = [...text];
  return letters.length <= columns ? text : `${letters.slice(0, Math.max(1, columns - 1)).join("")}…`;
}
