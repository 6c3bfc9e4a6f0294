import { ACTION, isActionWhat } from "../../../src/contract/rollback-what.ts";
import type { RollbackStep, StepResult } from "../../../src/contract/events.ts";
import type { History } from "../live.ts";
import { COLOURS } from "../form.ts";
import { keyIn, keysOf } from "../naming.ts";

/** What two desktops must agree on, one line each, in order. */
export function verdictsOf({ result, thrown }: History): string[] {
  if (!result) return [`thrown ${thrown instanceof Error ? thrown.message : String(thrown)}`];
  const { status, exit, rollback, steps } = result;
  // Whether there was a focus to be restored is each toolkit's own affair.
  const nothing = rollback.verdict === "restored" && rollback.steps.every((one) => one.incidental);
  return [
    `run ${status}, exit ${exit}, rollback ${nothing ? "none" : rollback.verdict}`,
    ...(rollback.barrier ? [`barrier ${rollback.barrier.path}`] : []),
    ...steps.map(stepLine),
    ...rollback.steps.filter((one) => !one.incidental).map(backLine),
    ...[...new Set(rollback.drift.flatMap(({ participant }) => keyOf(participant) ?? []))].sort().map((key) =>
      `drift ${key}`
    ),
  ];
}

/** What a label protects, by one word: radio buttons are protected together in one toolkit, and each alone in another. */
function keyOf(label: string): string | undefined {
  const key = keyIn(label) ?? keysOf(label)[0];
  return COLOURS.some((one) => one === key) ? "colours" : key;
}

function stepLine({ path, status, effect, error, attempts = 1 }: StepResult): string {
  return `step ${path} ${effect} ${status}${error ? ` ${error.code}` : ""}${
    attempts > 1 ? ` in ${attempts}` : ""
  }`;
}

function backLine({ path, what, verdict }: RollbackStep): string {
  // An action is called after what it was done to, and what is protected by each toolkit's words.
  const [word] = what.split(" ");
  // A list that hangs from a combo box goes when another window comes (Qt), or stays until it is closed (GTK 3).
  if (what.startsWith(`${ACTION}click combobox`) && (verdict === "already" || verdict === "compensated")) {
    return `back ${path} ${word} closed`;
  }
  const of = isActionWhat(what) || word === "what" ? word : keyOf(what) ?? word;
  return `back ${path} ${of} ${verdict}`;
}

/** The lines in which they differ, in order: "-" of the simulated desktop, "+" of the real one. */
export function differencesOf(simulated: History, real: History): string[] {
  const [left, right] = [verdictsOf(simulated), verdictsOf(real)];
  // The longest that both have in common, from each place on.
  const common = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const row = common[i];
      if (row) row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  for (let i = 0, j = 0; i < left.length || j < right.length;) {
    const [a, b] = [left[i], right[j]];
    if (a === b) i++, j++;
    else if (b === undefined || (a !== undefined && at(i + 1, j) >= at(i, j + 1))) lines.push(`- ${a}`), i++;
    else lines.push(`+ ${b}`), j++;
  }
  return lines;
}
