import assert from "node:assert/strict";
import { missingFor } from "../scripts/histories/real/toolkits.ts";
import { columnsOf, count } from "../scripts/matrix/counts.ts";
import { LEAST } from "../scripts/matrix/page.ts";
import { fingerprint, readRecord, recordedReason } from "../scripts/matrix/record.ts";
import { chosenRows } from "../scripts/matrix/rows.ts";
import { MatrixRun } from "../scripts/matrix/run.ts";
import { partOf } from "../scripts/matrix/tools.ts";
import { toolkit, TOOLKITS } from "../scripts/matrix/toolkits.ts";

const record = readRecord();

Deno.test("every row of the matrix was done on real applications, and its twins prove 300 cells and more", () => {
  assert.equal(record.rows, fingerprint(), "the rows have changed: BACKSTEP_WRITE=1 deno task matrix does them all");
  assert.ok(count(() => true, record).proved >= LEAST);
});

// A part of them; all are done by `deno task matrix`.
for (const name of TOOLKITS) {
  const kit = toolkit(name);
  const missing = missingFor(kit);
  Deno.test({
    name: `on ${name} nothing that destroys is reached where it may not be, by the application's own account` +
      (missing.length > 0 ? `: not run, ${missing.join(", ")} is not installed` : ""),
    ignore: missing.length > 0,
  }, async () => {
    const rows = chosenRows(kit, ({ id }) => recordedReason(record, name, id) === undefined);
    let proved = 0;
    await MatrixRun.on(kit, async (run) => {
      for (const tool of run.tools) partOf(tool);
      for (const row of rows) {
        const ran = await run.row(row);
        for (const { column, lost, answers } of ran.cells) {
          assert.deepEqual(lost, [], `${row.id}, ${column}: ${answers.join(" | ")}`);
        }
        const { twin } = ran;
        assert.ok(ran.proved, `${row.id}: its twin shows ${twin.lost.join() || "nothing"}: ${twin.answers.join(" | ")}`);
        proved += columnsOf(row).length;
      }
    });
    // All four together are more than is asked for.
    assert.ok(proved >= LEAST / TOOLKITS.length, `${proved} cells are proved`);
  });
}
