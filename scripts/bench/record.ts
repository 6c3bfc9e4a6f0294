import { type ClickRow, clicks } from "./record/clicks.ts";
import { type EventRow, events } from "./record/events.ts";
import { type KeyRow, keys } from "./record/keys.ts";
import type { Sample } from "./record/sample.ts";
import { round } from "./row.ts";

/** The core's record of an event takes at most so many times as long as a bare client's stamp of it, at the median. */
const PROMISED_RATIO = 2;
/** Milliseconds that a click may cost beside the look. */
const PROMISED_CLICK = 20;
/** Microseconds by which a key may be later in the application. */
const PROMISED_DELAY = 500;

/** What recording a person costs. */
export type RecordRow =
  | {
    readonly row: "event";
    readonly ratio: number;
    readonly ratio_p95: number;
    readonly ratio_recorded: number;
  } & EventRow
  | { readonly row: "click" } & ClickRow
  | { readonly row: "key" } & KeyRow;

/** From input to its record, what a click costs, and by how much keys are delayed: each on a private desktop. */
export async function recording(): Promise<{ rows: RecordRow[]; failed: string[] }> {
  const rows: RecordRow[] = [];
  for (const one of await events()) {
    const { bare, core, recorded } = one;
    rows.push({
      row: "event",
      ratio: round(core.p50 / bare.p50),
      ratio_p95: round(core.p95 / bare.p95),
      ratio_recorded: round(recorded.p50 / bare.p50),
      ...one,
    });
  }
  rows.push({ row: "click", ...await clicks() }, { row: "key", ...await keys() });
  return { rows, failed: rows.flatMap(broken) };
}

function broken(one: RecordRow): string[] {
  switch (one.row) {
    case "event":
      return one.ratio <= PROMISED_RATIO
        ? []
        : [`the record of a ${one.what} within ${PROMISED_RATIO}x of a bare client: ${one.ratio}x`];
    case "click":
      return Math.max(one.beside_ms, one.asked_ms) < PROMISED_CLICK ? [] : [
        `a click within ${PROMISED_CLICK} ms beside the look: ${round(one.beside_ms)} of work, ${
          round(one.asked_ms)
        } of questions`,
      ];
    case "key":
      return one.delay_us < PROMISED_DELAY
        ? []
        : [`a key within ${PROMISED_DELAY} us of its time without the recorder: ${Math.round(one.delay_us)}`];
  }
}

/** The rows for people. */
export function recordTable(rows: readonly RecordRow[]): string {
  const us = ({ p50, p95 }: Sample) => `${Math.round(p50)} us (p95 ${Math.round(p95)})`;
  return rows.map((one) => {
    switch (one.row) {
      case "event":
        return `${one.what.padEnd(7)}bare ${us(one.bare)}  core ${
          us(one.core)
        } ${one.ratio}x (p95 ${one.ratio_p95}x)  ` +
          `typescript ${us(one.recorded)} ${one.ratio_recorded}x  ${one.core.samples} events each`;
      case "click":
        return `click  ${one.cpu_ms.toFixed(1)} ms of processor time, ${
          one.looks_ms.toFixed(1)
        } of it looks, ` +
          `${one.beside_ms.toFixed(1)} beside; ${
            one.asked_ms.toFixed(1)
          } ms of questions; ${one.clicks} clicks`;
      case "key":
        return `key to text  off ${us(one.off)}  on ${us(one.on)}  later by ${
          Math.round(one.delay_us)
        } us  ` +
          `${one.on.samples} keys each`;
    }
  }).join("\n");
}
