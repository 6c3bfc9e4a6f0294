import assert from "node:assert/strict";
import { missingFor } from "../scripts/histories/real/toolkits.ts";
import { columnsOf, count } from "../scripts/matrix/counts.ts";
import { LEAST } from "../scripts/matrix/page.ts";
import { fingerprint, readRecord, recordedReason } from "../scripts/matrix/record.ts";
import { chosenRows } from "../scripts/matrix/chosen.ts";
import { MatrixRun } from "../scripts/matrix/run.ts";
import { partOf } from "../scripts/matrix/tools.ts";
import { type Toolkit, toolkit, TOOLKITS } from "../scripts/matrix/toolkits.ts";

const record = readRecord();

/** How often a row is tried again whose twin shows nothing. */
const TRIES = 2;

Deno.test("every row of the matrix was done on real applications, and its twins prove 300 cells and more", () => {
  for (const name of TOOLKITS) {
    assert.equal(
      record.toolkits[name]?.rows,
      fingerprint(name),
      `the rows have changed: BACKSTEP_WRITE=1 deno task matrix --on ${name} does them all`,
    );
  }
  assert.ok(count(() => true, record).proved >= LEAST);
});

// A part of them; all are done by `deno task matrix`.
Deno.test("no way to what destroys is open where it may not be, by the applications' own account", async (t) => {
  for (const name of TOOLKITS) {
    const kit = toolkit(name);
    const missing = missingFor(kit);
    await t.step({
      name: name + (missing.length > 0 ? `: not run, ${missing.join(", ")} is not installed` : ""),
      ignore: missing.length > 0,
      fn: () => MatrixRun.on(kit, (run) => partOn(kit, run)),
    });
  }
});

async function partOn(kit: Toolkit, run: MatrixRun): Promise<void> {
  for (const tool of run.tools) partOf(tool);
  assert.deepEqual(await run.look(), [], "looking destroys nothing");
  const faults: string[] = [];
  let proved = 0;
  for (const row of chosenRows(kit, ({ id }) => recordedReason(record, kit.name, id) === undefined)) {
    let ran = await run.row(row);
    // A busy machine may keep a twin from what it aims at; what is lost where it may not be is lost in any try.
    for (
      let more = TRIES;
      more > 0 && !ran.proved && ran.cells.every(({ lost }) => lost.length === 0);
      more--
    ) {
      ran = await run.row(row);
    }
    for (const { column, lost, answers } of ran.cells) {
      if (lost.length > 0) faults.push(`${row.id}, ${column}: lost ${lost.join()}: ${answers.join(" | ")}`);
    }
    if (ran.proved) proved += columnsOf(row).length;
    else {faults.push(
        `${row.id}: its twin shows ${ran.twin.lost.join() || "nothing"}: ${ran.twin.answers.join(" | ")}`,
      );}
  }
  assert.deepEqual(faults, []);
  // A quarter of the kinds of rows, on each of four toolkits: the whole matrix has many times as many.
  assert.ok(proved >= LEAST / TOOLKITS.length / 2, `${proved} cells are proved`);
}
