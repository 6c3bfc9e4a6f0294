// Pages of GTK 4 that lie on each other. Judged by which page's button its program says was pressed.
import assert from "node:assert/strict";
import { Holder, KITS } from "./_held.ts";

interface Held {
  readonly Pressed: string;
  readonly Shown: string;
}

Deno.test({
  name: "who has not seen a program of GTK 4 before clicks the button of the page that shows",
  ignore: KITS["GTK 4"].ignore,
  async fn() {
    await using pages = await Holder.start<Held>("stacked", KITS["GTK 4"], 'button "Turn"');
    const { stand, app } = pages;
    for (const shown of ["Two", "One", "Two"]) {
      await stand.click('button "Turn"', app);
      assert.equal((await pages.held(({ Shown }) => Shown === shown)).Shown, shown);
      // As a single command is: what it looks at first is all that it knows.
      await using fresh = await stand.beside("focus");
      await fresh.click('button "Go"', app);
      assert.deepEqual(await pages.held(({ Pressed }) => Pressed !== ""), { Pressed: shown, Shown: shown });
    }
  },
});
