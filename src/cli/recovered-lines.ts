import type { Difference } from "../contract/participant.ts";
import { whatText } from "../contract/rollback-what.ts";
import type { Recovered } from "../engine/recovery/recovery.ts";
import { oneLine, type Style } from "../report/style.ts";

/** What is told of a run that was rolled back after all. */
export type Reported =
  & Pick<Recovered, "run" | "steps" | "drift" | "reason" | "barrier">
  & { readonly verdict: string; readonly probed?: Recovered["probed"] };

/** A run that was rolled back, or went on, as lines for people: the verdict first, then each step, then what differs. */
export function recoveredLines(reported: Reported, style: Style): string[] {
  const { run, verdict, steps, drift, reason, barrier } = reported;
  const good = ["restored", "resumed", "already", "open"].includes(verdict);
  return [
    `${style.bold(run)}  ${good ? style.good(verdict) : style.bad(verdict)}${
      reason === undefined ? "" : `: ${oneLine(reason)}`
    }`,
    ...(reported.probed ?? []).map(({ path, name, state }) =>
      `  ${path} ${oneLine(name)} was cut off: ${state}`
    ),
    ...steps.map((step) =>
      `  ${step.path} ${"verdict" in step ? `${step.verdict}: ` : ""}${oneLine(whatText(step.what))}${
        "reason" in step && step.reason !== undefined ? style.dim(` (${oneLine(step.reason)})`) : ""
      }`
    ),
    ...drift.map((one) => `  ${style.bad("differs")} ${differenceText(one)}`),
    ...(barrier
      ? [`  It ends after step ${barrier.path} (${oneLine(barrier.name)}), which is irreversible.`]
      : []),
  ];
}

function differenceText({ participant, property, expected, actual, afterwards }: Difference): string {
  const show = (value: unknown) => {
    const text = oneLine(JSON.stringify(value));
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  };
  return `${oneLine(participant)}: ${property} is ${show(actual)}, not ${show(expected)}${
    afterwards ? " (changed afterwards)" : ""
  }`;
}
