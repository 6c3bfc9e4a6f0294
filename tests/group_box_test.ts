// A check box that holds other elements. Judged by what the application says became of all.
import assert from "node:assert/strict";
import { failing } from "./_dialogs.ts";
import { Holder, KITS } from "./_held.ts";

interface Held {
  readonly Options: boolean;
  readonly Deleted: number;
}

for (const on of ["Qt 5", "Qt 6"] as const) {
  const kit = KITS[on];
  Deno.test({
    name: `a click on a group box with a check box presses nothing that it holds, ${on}`,
    ignore: kit.ignore,
    async fn() {
      const box = 'checkbox "Options"';
      await using program = await Holder.start<Held>("groups", kit, box);
      const { stand, app } = program;
      await stand.do("click", { target: box }, app);
      assert.deepEqual(await program.held(({ Options }) => !Options), { Options: false, Deleted: 0 });
      await stand.do("set", { target: box, value: true }, app);
      assert.deepEqual(await program.held(({ Options }) => Options), { Options: true, Deleted: 0 });
      const { rollback } = await stand.run(failing(app, `click: '${box}'`));
      assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
      assert.deepEqual(await program.held(({ Options }) => Options), { Options: true, Deleted: 0 });
    },
  });
}
