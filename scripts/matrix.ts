/**
 * Every way to what destroys, under every rule, on real applications: `deno task matrix`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import process from "node:process";
import { chosenRows, rowsFor } from "./matrix/rows.ts";
import { MatrixRun } from "./matrix/run.ts";
import { toolkit, TOOLKITS } from "./matrix/toolkits.ts";

const { values } = parseArgs({
  options: {
    on: { type: "string", multiple: true },
    only: { type: "string" },
    part: { type: "boolean", default: false },
  },
});

let faults = 0;
for (const name of TOOLKITS) {
  if (values.on && !values.on.includes(name)) continue;
  const kit = toolkit(name);
  const only = values.only === undefined ? undefined : new RegExp(values.only);
  await MatrixRun.on(kit, async (run) => {
    const began = performance.now();
    let n = 0, proved = 0;
    console.log(`${name}: ${rowsFor(kit).length} rows, ${chosenRows(kit).length} chosen`);
    for (const row of values.part ? chosenRows(kit) : rowsFor(kit)) {
      if (only && !only.test(row.id)) continue;
      const ran = await run.row(row);
      n++;
      if (ran.proved) proved++;
      else {console.log(
          `${name} UNPROVED ${row.id}: ${ran.twin.answers.join(" | ").slice(0, 160)} ${ran.twin.lost}`,
        );}
      for (const cell of ran.cells) {
        if (cell.lost.length === 0) continue;
        faults++;
        console.log(
          `${name} FAULT ${row.id} [${cell.column}] lost ${cell.lost}: ${
            cell.answers.join(" | ").slice(0, 100)
          }`,
        );
      }
    }
    console.log(
      `${name}: ${n} rows, ${proved} proved, ${((performance.now() - began) / n).toFixed(0)} ms a row`,
    );
  });
}
process.exitCode = faults > 0 ? 1 : 0;
