// What a flow box of GTK 3 holds is chosen, although nothing of it says that it can be. Judged by the application's own account.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { failing } from "./_dialogs.ts";
import { Holder, KITS } from "./_held.ts";

const kit = KITS["GTK 3"];

Deno.test({
  name: "an item of a flow box is chosen, and as before after a rollback",
  ignore: kit.ignore,
  async fn() {
    const item = (name: string) => `listitem:has(label "${name}")`;
    await using flow = await Holder.start<readonly string[]>("flow", kit, 'table "People"');
    const { stand, app } = flow;
    const holds = async (...names: string[]) => {
      assert.deepEqual(await flow.held((held) => isDeepStrictEqual(held, names)), names);
    };
    const { rollback } = await stand.run(failing(app, `select: '${item("Cy")}'`, `select: '${item("Bob")}'`));
    assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
    await holds();
    await stand.do("select", { target: item("Bob") }, app);
    await holds("Bob");
    const again = await stand.run(failing(app, `select: '${item("Ann")}'`));
    assert.equal(again.rollback.verdict, "restored", JSON.stringify(again.rollback));
    await holds("Bob");
  },
});
