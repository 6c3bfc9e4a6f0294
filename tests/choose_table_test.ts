// Rows of a GTK 3 table with several columns, whose Selection refuses each cell. Judged by the application's own account.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Stand } from "./_dialogs.ts";

const TABLE = fileURLToPath(new URL("fixtures/choose/table.py", import.meta.url));
const Answer = z.looseObject({ method: z.string(), verified: z.boolean() });

Deno.test("rows of a GTK 3 table with several columns are selected, and as before after a rollback", async (t) => {
  await using stand = await Stand.open();
  await stand.do("launch", { app: TABLE, args: [stand.folder] });

  await t.step("in a transaction that fails", async () => {
    const { error, rollback, steps } = await stand.run(`name: table
app: table
steps:
  - transaction:
      name: rows
      steps:
        - select: 'cell "Bob"'
        - select: { target: 'treetable "Table"', items: [Ada, Places] }
        - select: 'cell "Cy@example.org"'
        - assert: { target: 'label "nothing says this"', exists: true, timeout: 0 }
`);
    assert.match(error?.message ?? "", /nothing says this/, JSON.stringify(steps.at(-1)));
    assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
    assert.deepEqual(stand.account().at(-1), "rows");
    const account = stand.account().join("\n");
    assert.match(account, /^rows Bob$[^]*^rows Ada Places$[^]*^rows Cy$[^]*^rows Ada Places$[^]*^rows Bob$/m);
    assert.doesNotMatch(account, /toggled|activated/);
  });

  await t.step("in the background, also by a cell that is toggled when it is clicked", async () => {
    await using beside = await stand.beside("background");
    const choose = async () =>
      Answer.parse(await beside.do("select", { target: 'treetable > cell:in-row("Ada"):nth(2)' }, "table"));
    const { method, verified } = await choose();
    assert.deepEqual([method, verified], ["Table.AddRowSelection", true]);
    assert.equal(stand.account().at(-1), "rows Ada");
    assert.equal((await choose()).method, "none");
  });
});
