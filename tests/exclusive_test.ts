// Toggle buttons of which one is always on. Judged by which of them the application has on.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { failing, Stand } from "./_dialogs.ts";
import { Holder, KITS, recoverKilled } from "./_held.ts";
import { isInstalled } from "./_installed.ts";
import { PageServer } from "./_page.ts";

type Held = Readonly<Record<"List" | "Icons" | "Tree" | "Wrap", boolean>>;

// GTK 4 does not tell a toggle button that is off from a push button, whose press cannot be undone.
for (const name of ["GTK 3", "Qt 5", "Qt 6"] as const) {
  const kit = KITS[name];
  const { ignore } = kit;
  // Qt calls a button that can be checked a check box.
  const role = name === "GTK 3" ? "togglebutton" : "checkbox";
  const button = (label: string) => `${role} "${label}"`;
  const set = (label: string, value: boolean) => `set: { target: '${button(label)}', value: ${value} }`;

  Deno.test({
    name: `of toggle buttons of which one is always on, the one that was on is on again, ${name}`,
    ignore,
    async fn() {
      await using views = await Holder.start<Held>("exclusive", kit, button("List"));
      const was = await views.held();
      assert.deepEqual(was, { List: true, Icons: false, Tree: false, Wrap: false });
      const { rollback } = await views.stand.run(
        failing(views.app, set("Icons", true), set("Wrap", true), set("Tree", true)),
      );
      assert.deepEqual([rollback.verdict, rollback.drift], ["restored", []], JSON.stringify(rollback));
      assert.deepEqual(await views.held((held) => isDeepStrictEqual(held, was)), was);

      // The second is off when its step comes, by the first; undoing that brings it on again.
      const { rollback: turns } = await views.stand.run(
        failing(views.app, set("Icons", true), set("List", true)),
      );
      assert.deepEqual([turns.verdict, turns.drift], ["restored", []], JSON.stringify(turns));
      assert.deepEqual(await views.held((held) => isDeepStrictEqual(held, was)), was);
    },
  });

  // As the journal has it is the same for both.
  if (name === "Qt 6") continue;
  Deno.test({
    name: `recover restores which of the toggle buttons was on, ${name}`,
    ignore,
    fn: () =>
      recoverKilled<Held>("exclusive", kit, [set("Tree", true), set("List", true)], (held) => {
        assert.deepEqual([held.List, held.Tree], [true, false]);
      }),
  });
}

Deno.test({
  name: "of toggle buttons of a page of which one is always on, the one that was on is on again, Chromium",
  ignore: !isInstalled("/usr/bin/chromium"),
  async fn() {
    const page = await PageServer.open(fileURLToPath(new URL("fixtures/exclusive", import.meta.url)));
    await using stand = await Stand.open();
    try {
      await stand.do("launch", { app: "chromium", args: [page.url("page.html")] });
      await stand.do("wait", { target: 'togglebutton "Tree"', timeout: 20_000 }, "chromium", 25_000);
      const was = page.state;
      const set = `set: { target: 'togglebutton "Tree"', value: true }`;
      const { rollback } = await stand.run(failing("chromium", set));
      assert.deepEqual([rollback.verdict, rollback.drift], ["restored", []], JSON.stringify(rollback));
      assert.ok(await page.until(({ state }) => isDeepStrictEqual(state, was)), JSON.stringify(page.state));
      assert.ok(page.lines.some(({ state }) => state["Tree"] === true));
    } finally {
      await page.close();
    }
  },
});
