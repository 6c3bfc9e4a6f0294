import type { Divergence, FieldDifference, RunDiff } from "../engine/journal/run-diff.ts";
import { cut } from "./layout.ts";
import { count, oneLine, type Style } from "./style.ts";

/** Two runs beside each other, as lines for people. */
export function diffLines(diff: RunDiff, style: Style, columns: number): string[] {
  const { context, divergence, common, after, unopened } = diff;
  const lines = [
    ...context.map((one) => style.warn(`before anything: ${fieldLine(one)}`)),
    ...(unopened.length === 0 ? [] : [
      style.warn(
        `not compared: inputs, images and answers, since the key of ${unopened.join(" and of ")} is not here`,
      ),
    ]),
  ];
  const same = `${count(common, "event")} the same${after === undefined ? "" : `, the last step ${after}`}`;
  if (!divergence) return [...lines, `${style.good("the same")}: ${count(common, "event")}`];
  return [...lines, style.dim(same), ...partLines(diff, divergence, style)].map((text) => cut(text, columns));
}

function partLines({ first, second }: RunDiff, divergence: Divergence, style: Style): string[] {
  const { kinds, paths, lines, fields } = divergence;
  if (fields.length > 0) {
    const where = paths.first === null ? "" : ` of step ${paths.first}`;
    return [
      style.bold(`they differ at the ${kinds.first}${where}`) +
      style.dim(`  line ${lines.first} of both journals`),
      ...fields.flatMap((one) => [
        `  ${one.field}`,
        `    ${style.bad("-")} ${shown(one.first)}`,
        `    ${style.good("+")} ${shown(one.second)}`,
      ]),
    ];
  }
  const side = (run: string, which: "first" | "second") => {
    const path = paths[which];
    return kinds[which] === null
      ? `${run} has ended`
      : `${kinds[which]}${path === null ? "" : ` of step ${path}`}  ${
        style.dim(`line ${lines[which]} of ${run}`)
      }`;
  };
  return [
    style.bold("they differ from here on"),
    `  ${style.bad("-")} ${side(first, "first")}`,
    `  ${style.good("+")} ${side(second, "second")}`,
  ];
}

function fieldLine({ field, first, second }: FieldDifference): string {
  return `${field} is ${shown(first)} and ${shown(second)}`;
}

function shown(value: unknown): string {
  return oneLine(JSON.stringify(value));
}
