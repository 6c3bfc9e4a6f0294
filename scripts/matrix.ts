/**
 * Every way to what destroys, under every rule, on real applications: `deno task matrix`. With BACKSTEP_WRITE=1 it writes
 * down what its twins prove (docs/reference/mcp-security-world.json), which the page of the matrix is made from.
 *
 * @module
 */
import process from "node:process";
import { missingFor } from "./histories/real/toolkits.ts";
import { columnsOf } from "./matrix/counts.ts";
import { readRecord, reasonOf, REASONS, recordedReason, writeRecord } from "./matrix/record.ts";
import { chosenRows } from "./matrix/chosen.ts";
import { type Row, rowsFor } from "./matrix/rows.ts";
import { MatrixRun, type Ran } from "./matrix/run.ts";
import { type Toolkit, toolkit, type ToolkitName, TOOLKITS } from "./matrix/toolkits.ts";
import { optionsOf } from "./options.ts";

const USAGE = `deno task matrix [--on TOOLKIT]… [--only REGEXP] [--part]

Tries every way to every control that destroys, on real applications on private desktops, in each mode; nothing may be lost
by the application's own account. Then it does each where it may happen: what is not lost there proves nothing, and is named.

  --on      gtk3, gtk4, qt or chromium; default: all four
  --only    rows whose name matches
  --part    only the part that every run of the tests does`;

const { values } = optionsOf(USAGE, {
  options: {
    on: { type: "string", multiple: true },
    only: { type: "string" },
    part: { type: "boolean", default: false },
  },
});

function wanted(kit: Toolkit): readonly Row[] {
  const only = values.only === undefined ? undefined : new RegExp(values.only);
  const record = values.part ? readRecord() : undefined;
  const rows = record
    ? chosenRows(kit, ({ id }) => recordedReason(record, kit.name, id) === undefined)
    : rowsFor(kit);
  return rows.filter(({ id }) => only?.test(id) ?? true);
}

/** Does the rows of a toolkit, and says at once what is wrong. */
async function runOn(kit: Toolkit): Promise<readonly Ran[]> {
  const began = performance.now();
  const ran: Ran[] = [];
  await MatrixRun.on(kit, async (run) => {
    for (const row of wanted(kit)) {
      const one = await run.row(row);
      ran.push(one);
      for (const { column, lost, answers } of one.cells) {
        if (lost.length === 0) continue;
        console.log(
          `${kit.name}, ${row.id}, ${column}: lost ${lost.join(", ")}; it was answered: ${
            answers.join(" | ")
          }`,
        );
      }
      if (one.yes !== undefined) {
        console.log(
          `${kit.name}, ${row.id}: a person says yes, and it is refused: ${one.yes.split("\n")[0]}`,
        );
      }
      const reason = reasonOf(one);
      if (reason === undefined) continue;
      const { lost, answers } = one.twin;
      const reported = lost.length > 0 ? `lost ${lost.join(", ")}` : answers.join(" | ").split("\n")[0];
      console.log(`${kit.name}, ${row.id}: proves nothing, ${REASONS[reason]}: ${reported}`);
    }
  });
  const cells = ran.flatMap(({ row, proved }) => proved ? columnsOf(row) : []).length;
  const each = ((performance.now() - began) / Math.max(1, ran.length)).toFixed(0);
  console.log(`${kit.name}: ${ran.length} rows, ${cells} cells proved, ${each} ms a row`);
  return ran;
}

const all = new Map<ToolkitName, readonly Ran[]>();
for (const name of TOOLKITS) {
  if (values.on && !values.on.includes(name)) continue;
  const missing = missingFor(toolkit(name));
  if (missing.length > 0) throw new Error(`the application of ${name} needs ${missing.join(", ")}`);
  all.set(name, await runOn(toolkit(name)));
}
const lost = [...all.values()].flat().some(({ cells }) => cells.some((cell) => cell.lost.length > 0));
if (process.env["BACKSTEP_WRITE"]) writeRecord(all);
process.exitCode = lost ? 1 : 0;
