/** The crash matrix: see USAGE. */
import process from "node:process";
import { type Cell, Matrix } from "./crash/matrix.ts";
import { optionsOf } from "./options.ts";

const USAGE =
  `deno task crash-matrix [--every N] [--from N] [--to N] [--way rollback|resume] [--format json|text]

A run of twenty steps on a private desktop is killed with SIGKILL at each journal write, platform call and artefact, then
recovered. Prints a table of what came of it and, last, a summary. Ends with 1 on a bad cell.

  --every    takes every n-th point; default 1
  --format   text (the default), or json: every cell
  --from     begins at this point; default 0
  --to       ends there
  --way      recovers each so; without it, every other one is resumed`;

const { values } = optionsOf(USAGE, {
  options: {
    format: { type: "string", default: "text" },
    every: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    to: { type: "string" },
    way: { type: "string" },
  },
});
/** Cells between two lines that say how far it is: on standard error, since it takes the better part of an hour. */
const PROGRESS = 20;
const json = values.format === "json";
if (values.way !== undefined && values.way !== "rollback" && values.way !== "resume") {
  throw new Error(`--way is rollback or resume, not "${values.way}"`);
}
const only = values.way;
const every = Math.max(1, Number(values.every));
const began = performance.now();
const matrix = await Matrix.open();
const cells: Cell[] = [];
try {
  const points = await matrix.points();
  const last = Math.min(points.length - 1, Number(values.to ?? points.length));
  for (let at = Number(values.from), turn = 0; at <= last; at += every, turn++) {
    const found = await matrix.cell(at, only ?? (turn % 2 === 0 ? "rollback" : "resume"));
    const cell = { ...found, point: points[at] ?? "" };
    cells.push(cell);
    if (cells.length % PROGRESS === 0) {
      const minutes = (performance.now() - began) / 60_000;
      console.error(`${at + 1} of ${points.length} points, ${minutes.toFixed(1)} min`);
    }
    if (!json && !cell.good) {
      console.log(`BAD  ${at} ${cell.point} ${cell.way}: ${cell.verdict}: ${cell.why}`);
    }
    // What a bad cell leaves would make the next ones bad.
    if (!cell.good) break;
  }
  if (json) console.log(JSON.stringify({ points: points.length, cells }));
  else table(cells);
  const bad = cells.filter((cell) => !cell.good).length;
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(
    `crash matrix: ${cells.length} of ${points.length} points, ${count("restored")} restored, ${
      count("resumed")
    } resumed, ${count("in doubt")} in doubt, ${count("not begun")} not begun, ${
      count("ended")
    } ended, ${bad} bad, ${seconds} s`,
  );
  process.exitCode = bad === 0 ? 0 : 1;
} finally {
  await matrix.close();
}

function count(verdict: string): number {
  return cells.filter((cell) => cell.verdict === verdict).length;
}

function table(all: readonly Cell[]): void {
  const kinds = new Map<string, Map<string, number>>();
  for (const { point, verdict, good } of all) {
    const row = kinds.get(point) ?? new Map<string, number>();
    const column = good ? verdict : `BAD ${verdict}`;
    row.set(column, (row.get(column) ?? 0) + 1);
    kinds.set(point, row);
  }
  for (const [point, row] of [...kinds].sort()) {
    console.log(`${point.padEnd(44)} ${[...row].map(([verdict, n]) => `${n} ${verdict}`).join(", ")}`);
  }
}
