// What lies beyond the edge of the screen no pointer reaches. Judged by the application's own account.
import assert from "node:assert/strict";
import { Holder, KITS } from "./_held.ts";

interface Held {
  readonly Counted: number;
  readonly Wrap: boolean;
}

for (const [name, kit] of Object.entries(KITS)) {
  Deno.test({
    name: `what lies below the screen is used by its action, and by no pointer, ${name}`,
    ignore: kit.ignore,
    async fn() {
      await using large = await Holder.start<Held>("large", kit, 'button "Count"');
      const { stand, app } = large;
      const { method } = await stand.click('button "Count"', app);
      assert.match(method, /^Action\.DoAction/);
      assert.equal((await large.held(({ Counted }) => Counted === 1)).Counted, 1);
      const beyond = {
        code: "not_actionable",
        message: /the point \d+,\d+ is outside of the screen of 1280x800/,
        hint: /window: \{ do: place \}.*larger screen/,
      };
      await assert.rejects(stand.do("hover", { target: 'button "Count"' }, app), beyond);
      const wrap = stand.click('checkbox "Wrap"', app);
      // Check boxes of GTK 4 have no action.
      if (kit.version === "4") await assert.rejects(wrap, beyond);
      else await wrap;
      const on = kit.version !== "4";
      assert.deepEqual(await large.held(({ Wrap }) => Wrap === on), { Counted: 1, Wrap: on });
      if (on) return;
      await stand.do("window", { do: "place", y: -500 }, app);
      await stand.click('checkbox "Wrap"', app);
      assert.equal((await large.held(({ Wrap }) => Wrap)).Wrap, true);
    },
  });
}
