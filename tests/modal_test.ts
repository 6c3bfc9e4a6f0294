// A dialog that keeps a person from the window beside it. Judged by what that window counts.
import assert from "node:assert/strict";
import { Holder, KITS } from "./_held.ts";

interface Held {
  readonly Counted: number;
  readonly Wrap: boolean;
}

for (const [name, kit] of Object.entries(KITS)) {
  Deno.test({
    name: `a modal dialog keeps clicks from what is beside it, and one that is not modal does not, ${name}`,
    ignore: kit.ignore,
    async fn() {
      const count = 'button "Count"', close = 'button "Close"', wrap = 'checkbox "Wrap"';
      await using counter = await Holder.start<Held>("modal", kit, count);
      const { stand, app } = counter;
      const isNamed = { code: "not_actionable", message: /(window "Question"|dialog "Counter") is modal/ };
      await stand.click('button "Ask"', app);
      await stand.do("wait", { target: close }, app);
      for (const target of [count, wrap]) await assert.rejects(stand.click(target, app), isNamed);
      {
        // There the button's own action would go past the dialog.
        await using beside = await stand.beside("background");
        await assert.rejects(beside.click(count, app), isNamed);
      }
      assert.deepEqual(await counter.held(), { Counted: 0, Wrap: false });
      await stand.click(close, app);
      await stand.do("wait", { target: close, for: "hidden" }, app);
      await stand.click(count, app);
      assert.equal((await counter.held(({ Counted }) => Counted === 1)).Counted, 1);
      await stand.click('button "Tell"', app);
      await stand.do("wait", { target: close }, app);
      await stand.click(count, app);
      assert.equal((await counter.held(({ Counted }) => Counted === 2)).Counted, 2);
    },
  });
}
