import type { RollbackStep, StepResult } from "../../../src/contract/events.ts";
import type { History } from "../live.ts";
import { keysOf } from "../naming.ts";

/** What two desktops must agree on, one line each, in order. */
export function verdictsOf({ result, thrown }: History): string[] {
  if (!result) return [`thrown ${thrown instanceof Error ? thrown.message : String(thrown)}`];
  const { status, exit, rollback, steps } = result;
  return [
    `run ${status}, exit ${exit}, way back ${rollback.verdict}`,
    ...(rollback.barrier ? [`barrier ${rollback.barrier.path}`] : []),
    ...steps.map(stepLine),
    ...rollback.steps.filter((one) => !one.incidental).map(backLine),
    ...[...new Set(rollback.drift.flatMap(({ participant }) => keysOf(participant)))].sort().map((key) =>
      `drift ${key}`
    ),
  ];
}

function stepLine({ path, status, effect, error, attempts = 1 }: StepResult): string {
  return `step ${path} ${effect} ${status}${error ? ` ${error.code}` : ""}${
    attempts > 1 ? ` in ${attempts}` : ""
  }`;
}

function backLine({ path, what, verdict }: RollbackStep): string {
  const [key] = keysOf(what);
  // What is protected is called by each toolkit's words, and a deed by what it was done to.
  return `back ${path} ${key ?? what.split(" ")[0]} ${verdict}`;
}

/** The lines in which they differ: "-" of the simulated desktop, "+" of the real one. */
export function differencesOf(simulated: History, real: History): string[] {
  const [left, right] = [verdictsOf(simulated), verdictsOf(real)];
  if (left.join("\n") === right.join("\n")) return [];
  const count = Math.max(left.length, right.length);
  const lines = Array.from({ length: count }, (_, n) => [left[n], right[n]] as const);
  return lines.flatMap(([a, b]) =>
    a === b ? [] : [...(a === undefined ? [] : [`- ${a}`]), ...(b === undefined ? [] : [`+ ${b}`])]
  );
}
