// Combo boxes with an entry hold two things: a text, and which item is chosen. Judged by what applications hold themselves.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { Answer, failing } from "./_dialogs.ts";
import { Holder, KITS, recoverKilled } from "./_held.ts";

type Held = Readonly<Record<string, readonly [index: number, text: string]>>;

for (const [name, kit] of Object.entries(KITS)) {
  const { ignore } = kit;
  // Qt names a box after what it shows.
  const boxOf = (name: string) =>
    kit.file === "qt.py" ? `combobox:labelled-by("${name}")` : `combobox "${name}"`;
  // Qt's alone are opened, which is another thing on Wayland.
  const displays = name === "Qt 6" ? ["x11", "wayland"] as const : ["x11"] as const;
  for (const display of displays) {
    Deno.test({
      name: `what a combo box with an entry holds is set and restored, ${name} on ${display}`,
      ignore,
      async fn() {
        await using boxes = await Holder.start<Held>("combos", kit, boxOf("Third"), display);
        const set = async (box: string, value: string) => {
          await boxes.stand.do("set", { target: boxOf(box), value }, boxes.app);
          const held = await boxes.held((now) => now[box]?.[1] === value && now[box][0] === index(value));
          return held[box];
        };
        // GTK 4 keeps its items to itself: their names are written.
        const index = (item: string) => kit.version === "4" ? -1 : ["One", "Two", "Three"].indexOf(item);
        assert.deepEqual(await set("Third", "Two"), [index("Two"), "Two"]);
        assert.deepEqual(await set("Third", "One"), [index("One"), "One"]);
        assert.deepEqual(await set("Third", "Three"), [index("Three"), "Three"]);
        assert.deepEqual(await set("Empty", "Two"), [index("Two"), "Two"]);
        const { Sent: sent = [0, ""] } = await boxes.held();
        assert.deepEqual(sent, [0, ""]);
        // What takes a text may keep its item, or have none: that it is as it was is no change.
        const entry = `'textfield "Empty entry"'`;
        const written = ["something", "another thing"].map((text) =>
          `  - set: { target: ${entry}, value: ${text} }`
        );
        const { status, changed_afterwards: changed } = await boxes.stand.run(
          ["name: written", `app: ${boxes.app}`, "steps:", ...written, ""].join("\n"),
        );
        assert.deepEqual([status, changed], ["passed", undefined]);
      },
    });

    Deno.test({
      name: `a rollback of a combo box with an entry tells the truth, ${name} on ${display}`,
      ignore,
      async fn() {
        await using boxes = await Holder.start<Held>("combos", kit, boxOf("Third"), display);
        const rolledBack = async (...steps: string[]) => {
          const was = await boxes.held();
          const { error, rollback } = await boxes.stand.run(failing(boxes.app, ...steps));
          assert.match(error?.message ?? "", /nothing says this/);
          const now = await boxes.held((held) => isDeepStrictEqual(held, was));
          if (rollback.verdict === "restored") assert.deepEqual(now, was, JSON.stringify(rollback));
          return { verdict: rollback.verdict, same: isDeepStrictEqual(now, was) };
        };
        const set = (box: string, value: string) => `set: { target: '${boxOf(box)}', value: ${value} }`;
        const entry = (box: string) => `'textfield "${box} entry"'`;
        const write = (box: string, text: string) => `set: { target: ${entry(box)}, value: ${text} }`;
        const type = (box: string, text: string) => `type: { into: ${entry(box)}, text: ${text} }`;
        const chosen = await rolledBack(
          set("Third", "Two"),
          write("Written", "Three"),
          set("Third", "One"),
          set("Third", "something"),
          set("Written", "One"),
          type("Written", "more"),
        );
        const free = await rolledBack(set("Free", "Two"), set("Empty", "Two"));
        const restored = { verdict: "restored", same: true };
        switch (kit.version) {
          case "3":
            assert.deepEqual([chosen, free], [restored, restored]);
            assert.deepEqual(await rolledBack(set("Fixed", "Two")), restored);
            // What such a box shows goes back with its item alone.
            assert.deepEqual(await rolledBack(set("Blank", "Two")), { verdict: "failed", same: false });
            break;
          case "4":
            // Which item is chosen is not reported: a text that is written lets go of it.
            assert.deepEqual([chosen.verdict, free.verdict], ["drift", "drift"]);
            assert.equal(chosen.same, false);
            assert.deepEqual(await rolledBack(set("Empty", "Two")), restored);
            break;
          default:
            // Nor is it where another text stands.
            assert.deepEqual([chosen, free], [restored, { verdict: "drift", same: false }]);
        }
      },
    });
  }

  if (kit.file === "qt.py") {
    Deno.test({
      name: `a combo box with an entry is written in the background, and says what that means, ${name}`,
      ignore,
      async fn() {
        await using boxes = await Holder.start<Held>("combos", kit, boxOf("Third"), "x11");
        await using beside = await boxes.stand.beside("background");
        const before = await boxes.held();
        const input = { target: boxOf("Written"), value: "Three" };
        const { method, warning } = Answer.parse(await beside.do("set", input, boxes.app));
        assert.equal(method, "EditableText.SetTextContents");
        assert.match(warning ?? "", /counts? it as chosen only once the field is left/);
        assert.deepEqual((await boxes.held(({ Written }) => Written?.[1] === "Three"))["Written"], [
          1,
          "Three",
        ]);
        await beside.do("set", { target: boxOf("Written"), value: "Two" }, boxes.app);
        const set = `set: { target: '${boxOf("Third")}', value: Two }`;
        const { rollback } = await beside.run(failing(boxes.app, set));
        // Whether it was taken for chosen meanwhile, nobody tells.
        assert.equal(rollback.verdict, "drift");
        assert.deepEqual(await boxes.held((held) => isDeepStrictEqual(held, before)), before);
      },
    });
  }
}

for (const name of ["GTK 3", "Qt 6"] as const) {
  const kit = KITS[name];
  Deno.test({
    name: `recover restores what the combo boxes of a run that was killed held, ${name}`,
    ignore: kit.ignore,
    fn: () =>
      recoverKilled<Held>(
        "combos",
        kit,
        [`set: { target: 'textfield "Written entry"', value: One }`],
        ({ Written }) => {
          assert.equal(Written?.[1], "One");
        },
      ),
  });
}

for (const name of ["Qt 5", "Qt 6"] as const) {
  const kit = KITS[name];
  Deno.test({
    name: `an item of a box that does something and shows another one again is chosen once, ${name}`,
    ignore: kit.ignore,
    async fn() {
      const box = 'combobox:labelled-by("Commands")';
      await using boxes = await Holder.start<Held>("combos", kit, box);
      await assert.rejects(
        boxes.stand.do("set", { target: box, value: "Two" }, boxes.app),
        { code: "no_effect", hint: /what it does may be done/ },
      );
      // For one Return Qt says `activated` twice: it takes the key for chosen when it asks who wants it, and when it comes.
      assert.deepEqual((await boxes.held())["Done"], [2, ""]);
    },
  });
}
