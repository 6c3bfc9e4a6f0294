// Items of menus with a mark: a check, or one of several. Judged by what the application holds itself.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { failing } from "./_dialogs.ts";
import { Holder, KITS } from "./_held.ts";

type Held = Readonly<Record<string, boolean | string>>;

const Answer = z.looseObject({ verified: z.boolean() });

for (const on of ["GTK 3", "Qt 5", "Qt 6"] as const) {
  const kit = KITS[on];
  for (const display of ["x11", "wayland"] as const) {
    Deno.test({
      name: `items of a menu with a mark are clicked, and as before after a rollback: ${on} on ${display}`,
      ignore: kit.ignore,
      async fn() {
        const menu = kit.file === "gtk.py" ? "menu" : "menuitem";
        const view = `${menu} "View"`, item = (name: string) => `[name="${name}"]`;
        await using marks = await Holder.start<Held>("marks", kit, view, display);
        const { stand, app } = marks;
        const first = await marks.held();
        const click = (target: string) => `click: '${target}'`;
        // Qt tells of a mark only where it is set: the others may be any items.
        const steps = kit.file === "gtk.py"
          ? [view, item("Wrap"), view, item("Grid"), view, `${view} ${item("Size")}`, item("Large")]
          : [view, item("Grid")];
        const { error, rollback } = await stand.run(failing(app, ...steps.map(click)));
        assert.match(error?.message ?? "", /nothing says this/);
        assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
        assert.deepEqual(await marks.held((held) => isDeepStrictEqual(held, first)), first);

        await stand.do("click", { target: view }, app);
        assert.equal(Answer.parse(await stand.do("click", { target: item("Grid") }, app)).verified, true);
        assert.equal((await marks.held(({ Grid }) => Grid === false))["Grid"], false);
        if (kit.file !== "gtk.py") return;
        // One that the application refuses is not verified.
        await stand.do("click", { target: view }, app);
        assert.equal(Answer.parse(await stand.do("click", { target: item("Locked") }, app)).verified, false);
      },
    });
  }
}
