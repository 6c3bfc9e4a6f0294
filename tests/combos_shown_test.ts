// Combo boxes of Qt without an entry: called after what they show. Judged by what the application holds itself.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { failing } from "./_dialogs.ts";
import { Holder, KITS } from "./_held.ts";

type Held = Readonly<Record<string, readonly [index: number, text: string]>>;

const boxOf = (name: string) => `combobox:labelled-by("${name}")`;

for (const name of ["Qt 5", "Qt 6"] as const) {
  const kit = KITS[name];
  const { ignore } = kit;
  Deno.test({
    name: `a combo box has the value that it shows, whatever its list has marked, ${name}`,
    ignore,
    async fn() {
      await using boxes = await Holder.start<Held>("combos", kit, boxOf("Third"));
      const value = async (box: string, value: string) => {
        await boxes.stand.do("assert", { target: boxOf(box), value, timeout: 2_000 }, boxes.app);
      };
      const set = (box: string, value: string) =>
        boxes.stand.do("set", { target: boxOf(box), value }, boxes.app);
      await value("Plain", "One");
      await set("Plain", "Three");
      await value("Plain", "Three");
      // The program chooses: its list has marked what was chosen in it.
      await boxes.stand.click('button "First"', boxes.app);
      assert.deepEqual((await boxes.held(({ Plain }) => Plain?.[0] === 0))["Plain"], [0, "One"]);
      await value("Plain", "One");
      await value("Unnamed", "");
      await value("None", "");
      await set("Unnamed", "Two");
      await set("Unnamed", "");
      assert.deepEqual((await boxes.held(({ Unnamed }) => Unnamed?.[0] === 0))["Unnamed"], [0, ""]);
    },
  });

  Deno.test({
    name: `an item without a text is restored, and that nothing was chosen is not, ${name}`,
    ignore,
    async fn() {
      await using boxes = await Holder.start<Held>("combos", kit, boxOf("Third"));
      const was = await boxes.held();
      const set = (box: string, value: string) => `set: { target: '${boxOf(box)}', value: ${value} }`;
      const rolledBack = async (box: string) => {
        const { rollback } = await boxes.stand.run(failing(boxes.app, set(box, "Two")));
        return rollback.verdict;
      };
      assert.equal(await rolledBack("Unnamed"), "restored");
      assert.deepEqual(await boxes.held((held) => isDeepStrictEqual(held, was)), was);
      assert.equal(await rolledBack("None"), "drift");
      assert.deepEqual((await boxes.held())["None"], [1, "Two"]);
    },
  });
}
