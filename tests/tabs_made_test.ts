// A row of tabs that is made anew when one of them is chosen. Judged by which one its program has chosen.
import assert from "node:assert/strict";
import { Answer, failing } from "./_dialogs.ts";
import { Holder, KITS } from "./_held.ts";

interface Held {
  readonly Chosen: string;
}

for (const name of ["Qt 5", "Qt 6"] as const) {
  const kit = KITS[name];
  Deno.test({
    name: `a tab that is made anew when it is chosen is chosen, read back and restored, ${name}`,
    ignore: kit.ignore,
    async fn() {
      await using panels = await Holder.start<Held>("tabs", kit, 'tab "Log"');
      const { stand, app } = panels;
      const { verified } = Answer.parse(await stand.do("select", { target: 'tab "Log"' }, app));
      assert.equal(verified, true);
      assert.deepEqual(await panels.held(({ Chosen }) => Chosen === "Log"), { Chosen: "Log" });
      const { rollback } = await stand.run(
        failing(app, `select: 'tab "Preview"'`, `set: { target: 'textfield "Name"', value: Ada }`),
      );
      assert.deepEqual([rollback.verdict, rollback.drift], ["restored", []], JSON.stringify(rollback));
      assert.deepEqual(await panels.held(({ Chosen }) => Chosen === "Log"), { Chosen: "Log" });
    },
  });
}
