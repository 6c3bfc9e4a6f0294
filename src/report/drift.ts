import type { Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { Drift, DriftReport } from "../record/replay/compare.ts";
import { cut, pad, width } from "./layout.ts";
import { count, duration, oneLine, type Style } from "./style.ts";

/** What a replay found otherwise than its recording, as lines for people. */
export function driftLines(report: DriftReport, style: Style, columns: number): string[] {
  const { against, edited, compared, drift } = report;
  const steps = new Set(drift.map(({ path }) => path)).size;
  const of = `${count(compared, "step")} compared with ${oneLine(against)}`;
  const head = drift.length === 0
    ? `${style.good("no drift")}: ${of}`
    : `${style.warn("drift")}: ${count(drift.length, "difference")} in ${count(steps, "step")}; ${of}`;
  const names = new Map(drift.map(({ path, name }) => [path, name]));
  const room = Math.max(0, ...[...names.keys()].map(width));
  const body = [...names].flatMap(([path, name]) => [
    cut(`  ${pad(path, room)}  ${oneLine(name)}`, columns),
    ...drift.filter((one) => one.path === path).map((one) =>
      cut(`  ${pad("", room)}    ${oneLine(sentenceOf(one))}`, columns)
    ),
  ]);
  const note = edited ? [style.dim("The workflow file was edited since it was recorded.")] : [];
  return [head, ...body, ...note];
}

function sentenceOf({ kind, property, recorded, found, bound }: Drift): string {
  switch (kind) {
    case "slower":
      return `slower: took ${time(found)}, recorded ${time(recorded)} (bound ${time(bound ?? null)})`;
    case "elsewhere":
      return property === "place"
        ? `elsewhere: at ${place(found)} of its window, recorded at ${
          place(recorded)
        } (bound ${bound} pixels)`
        : `elsewhere: ${shown(found)}, recorded as ${shown(recorded)}`;
    case "steps":
      return recorded === null
        ? `not recorded: ${shown(found)}`
        : found === null
        ? `not reached: ${shown(recorded)}`
        : `another step: ${shown(found)}, recorded was ${shown(recorded)}`;
    case "different":
      return `different: ${property} is ${value(found)}, recorded ${value(recorded)}`;
  }
}

function time(milliseconds: Json): string {
  return typeof milliseconds === "number" ? duration(milliseconds) : "unknown";
}

function place(at: Json): string {
  return isMap(at) ? `${at["x"]}, ${at["y"]}` : "no place";
}

function shown(text: Json): string {
  return typeof text === "string" ? text : JSON.stringify(text);
}

function value(value: Json): string {
  return value === null ? "nothing" : JSON.stringify(value);
}
