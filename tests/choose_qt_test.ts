// What is chosen in a view of Qt is not its current row, which the pages of many programs follow: that is warned of. Judged by the
// application's own account.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { isInstalled } from "./_installed.ts";
import { Stand } from "./_dialogs.ts";

const SETTINGS = fileURLToPath(new URL("fixtures/choose/settings.py", import.meta.url));
const Answer = z.looseObject({ method: z.string(), verified: z.boolean(), warning: z.string().optional() });

const INSTALLED = { 5: "/usr/lib/python3/dist-packages/PyQt5", 6: "/usr/lib/python3/dist-packages/PyQt6" };

for (const [version, needs] of Object.entries(INSTALLED)) {
  Deno.test({
    name: `a row that is chosen in Qt ${version} and not the current one is warned of`,
    ignore: !isInstalled(needs),
    async fn(t) {
      await using stand = await Stand.open();
      await stand.do("launch", { app: SETTINGS, args: [version, stand.folder] });
      const select = async (input: unknown) => Answer.parse(await stand.do("select", input, "settings"));

      await t.step("it is chosen, and its page does not come", async () => {
        for (
          const input of [{ target: 'listitem "Sounds"' }, { target: 'list "Pages"', items: ["Network"] }]
        ) {
          const { method, verified, warning = "" } = await select(input);
          assert.equal(method, "Action.DoAction(Toggle)");
          assert.equal(verified, true);
          assert.match(warning, /not the current row.*`click` it/);
        }
        assert.deepEqual(stand.account(), []);
      });

      await t.step("the current one again: nothing is warned of", async () => {
        const { warning } = await select({ target: 'listitem "General"' });
        assert.equal(warning, undefined);
        assert.deepEqual(stand.account(), []);
      });

      await t.step("one row of a tree by the name of one of its cells", async () => {
        assert.equal((await select({ target: 'tree "Folders"', items: ["Bin"] })).verified, true);
        assert.equal((await select({ target: 'tree "Folders"', items: ["Bin"] })).method, "none");
      });

      await t.step("clicked, its page comes, and goes again by its undo", async () => {
        const { error, rollback } = await stand.run(`name: settings
app: settings
steps:
  - transaction:
      name: pages
      steps:
        - click: 'listitem "Sounds"'
          undo: [{ click: 'listitem "General"' }]
        - assert: { target: 'label "Page of Sounds"', exists: true }
        - assert: { target: 'label "nothing says this"', exists: true, timeout: 0 }
`);
        assert.match(error?.message ?? "", /nothing says this/);
        assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
        assert.deepEqual(stand.account(), ["page Sounds", "page General"]);
      });
    },
  });
}
