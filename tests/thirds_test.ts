// Check boxes with a third state: how many clicks they take, and what of them goes back. Judged by what they hold themselves.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { failing } from "./_dialogs.ts";
import { Holder, KITS } from "./_held.ts";

type State = "off" | "on" | "mixed";
type Held = Readonly<Record<"Before" | "After" | "Partly" | "All", State>>;

for (const [name, kit] of Object.entries(KITS)) {
  Deno.test({
    name: `a check box with a third state is set to what it is to be, and rolled back, ${name}`,
    ignore: kit.ignore,
    async fn() {
      await using boxes = await Holder.start<Held>("thirds", kit, `checkbox "After"`);
      const { stand, app } = boxes;
      const first = await boxes.held();
      assert.deepEqual(first, { Before: "off", After: "off", Partly: "mixed", All: "on" });
      const set = async (box: keyof Held, value: boolean) => {
        await stand.do("set", { target: `checkbox "${box}"`, value }, app);
        return (await boxes.held((held) => held[box] === (value ? "on" : "off")))[box];
      };
      assert.equal(await set("Before", true), "on");
      assert.equal(await set("Before", false), "off");
      assert.equal(await set("After", true), "on");
      assert.equal(await set("After", false), "off");

      const rolledBack = async (...steps: string[]) => {
        const { rollback } = await stand.run(failing(app, ...steps));
        return rollback.verdict;
      };
      const click = (box: keyof Held) => `click: 'checkbox "${box}"'`;
      const verdict = await rolledBack(click("Before"), click("After"), click("All"));
      assert.deepEqual([verdict, await boxes.held((held) => isDeepStrictEqual(held, first))], [
        "restored",
        first,
      ]);
      assert.equal(
        await rolledBack(click("Before"), click("Before"), click("After"), click("After")),
        "restored",
      );
      assert.deepEqual(await boxes.held((held) => isDeepStrictEqual(held, first)), first);
      assert.equal(await rolledBack(click("Partly")), "drift");
    },
  });
}
