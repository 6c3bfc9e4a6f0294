import process from "node:process";
import { buildSnapshot, type NodeDescription } from "../../src/desktop/build.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import { readTree } from "../../src/intelligence/_trees.ts";
import { detect, read, stateOf, suggestionsFor } from "../../src/intelligence/mod.ts";
import { round } from "./row.ts";

/** Milliseconds that 1,000 elements may take: what they show, and what state that is. */
export const PROMISED = 2;
/** Of each row, each of a snapshot that nothing was decoded of; the fastest counts, since others use the machine. */
const SAMPLES = 25;

/** What it takes to understand one tree. */
export interface InsightRow {
  readonly tree: string;
  readonly nodes: number;
  readonly pattern: string;
  /** Reading, the twelve detectors, and the state. */
  readonly detect_ms: number;
  /** The same, as time of the processor. */
  readonly cpu_ms: number;
  /** Suggestions, with queries that were tried on the whole tree. */
  readonly suggest_ms: number;
  readonly samples: number;
}

/** A form of a thousand elements in memory, and trees of real applications as they were recorded. */
export function insights(): InsightRow[] {
  return [
    row("form-1000", () => forms(1_000)),
    row("form-10000", () => forms(10_000)),
    ...["gtk4-widget-factory", "gedit-save", "chromium-login_form"].map((name) =>
      row(name, () => readTree(name))
    ),
  ];
}

function row(tree: string, make: () => Snapshot): InsightRow {
  const times: number[] = [], busy: number[] = [], suggesting: number[] = [];
  let pattern = "none", nodes = 0;
  for (let k = 0; k < SAMPLES; k++) {
    const snapshot = make();
    const began = performance.now(), used = process.cpuUsage();
    const scene = read(snapshot);
    const detection = detect(scene);
    stateOf(scene);
    times.push(performance.now() - began);
    const { user, system } = process.cpuUsage(used);
    busy.push((user + system) / 1_000);
    const then = performance.now();
    suggestionsFor(scene);
    suggesting.push(performance.now() - then);
    pattern = detection.pattern?.name ?? "none";
    nodes = snapshot.size;
  }
  return {
    tree,
    nodes,
    pattern,
    detect_ms: round(Math.min(...times)),
    cpu_ms: round(Math.min(...busy)),
    suggest_ms: round(Math.min(...suggesting)),
    samples: SAMPLES,
  };
}

/** Labels, fields, buttons and check boxes side by side: everything that a detector looks at twice. */
function forms(nodes: number): Snapshot {
  const children: NodeDescription[] = [];
  for (let k = 0; k < (nodes - 2) / 5; k++) {
    const rect = { x: 10, y: 10 + 20 * k, width: 90, height: 18 };
    children.push({
      role: "panel",
      rect,
      children: [
        { role: "label", name: `Field ${k}`, rect },
        { role: "entry", text: "", also: ["editable"], rect: { ...rect, x: 110 } },
        { role: "checkBox", name: `Choice ${k}`, rect: { ...rect, x: 210 } },
        { role: "pushButton", name: `Button ${k}`, rect: { ...rect, x: 310 } },
      ],
    });
  }
  return buildSnapshot(
    {
      role: "application",
      states: [],
      children: [{ role: "frame", name: "Forms", also: ["active"], children }],
    },
    { bus: ":1.5", name: "forms", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" },
  );
}

/** The rows as a table. */
export function insightTable(rows: readonly InsightRow[]): string {
  const cells = (row: InsightRow) =>
    [
      row.tree.padEnd(22),
      String(row.nodes).padStart(7),
      String(row.detect_ms).padStart(10),
      String(row.cpu_ms).padStart(8),
      String(row.suggest_ms).padStart(11),
      `  ${row.pattern}`,
    ].join("");
  const head = `${"tree".padEnd(22)}  nodes detect_ms   cpu_ms suggest_ms  pattern`;
  return [head, ...rows.map(cells)].join("\n");
}
