// A field that a check box makes, and removes again when it is restored. Judged by what the form says it holds.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { RollbackResult } from "../src/contract/events.ts";
import { failing, Stand } from "./_dialogs.ts";
import { Holder, KITS, recoverKilled } from "./_held.ts";
import { isInstalled } from "./_installed.ts";
import { PageServer } from "./_page.ts";

type Held = Readonly<Record<string, boolean | string>>;

const set = (target: string, value: string | boolean) => `set: { target: '${target}', value: ${value} }`;
const name = 'textfield "Name"',
  street = 'textfield "Street"',
  note = 'textfield "Note"',
  box = 'checkbox "By post"';

/** How the text of an element stands after a rollback. */
function standing({ enrolled }: RollbackResult, of: string): string | undefined {
  return enrolled.find(({ label }) => label === `text of ${of}`)?.verdict;
}

for (const [on, kit] of Object.entries(KITS)) {
  const { ignore } = kit;
  const start = (...faults: string[]) => Holder.start<Held>("made", kit, name, "x11", faults);

  Deno.test({
    name: `a field that came with a check box is restored, and goes with it, ${on}`,
    ignore,
    async fn() {
      await using form = await start();
      const was = await form.held();
      const { rollback } = await form.stand.run(
        failing(form.app, set(name, "Ada"), set(box, true), set(street, "Hill")),
      );
      assert.deepEqual([rollback.verdict, rollback.drift], ["restored", []], JSON.stringify(rollback));
      assert.equal(standing(rollback, street), "restored");
      assert.deepEqual(await form.held((held) => isDeepStrictEqual(held, was)), was);
    },
  });

  // What the engine makes of these, no toolkit has a part in.
  if (on !== "GTK 3" && on !== "Qt 5") continue;
  Deno.test({
    name: `a field that stood at the savepoint and goes all the same is no rollback, ${on}`,
    ignore,
    async fn() {
      await using form = await start("both");
      const { rollback } = await form.stand.run(failing(form.app, set(box, true), set(name, "Ada")));
      assert.deepEqual([rollback.verdict, standing(rollback, name)], ["failed", "unknown"]);
      assert.deepEqual(await form.held((held) => !("Name" in held)), { "By post": false });
    },
  });

  Deno.test({
    name: `nor is one that stood at the savepoint and was only made anew in between, ${on}`,
    ignore,
    async fn() {
      await using form = await start("once");
      const { rollback } = await form.stand.run(
        failing(form.app, set(box, false), set(box, true), set(street, "Hill")),
      );
      assert.deepEqual([rollback.verdict, standing(rollback, street)], ["failed", "unknown"]);
      assert.deepEqual(await form.held((held) => !("Street" in held)), { "Name": "", "By post": true });
    },
  });
}

Deno.test({
  name: "recover restores a field that came with a check box, and it goes with it",
  ignore: KITS["GTK 3"].ignore,
  fn: () =>
    recoverKilled<Held>("made", KITS["GTK 3"], [set(box, true), set(street, "Hill")], (held) => {
      assert.deepEqual([held["By post"], held["Street"]], [true, "Hill"]);
    }),
});

Deno.test({
  name: "fields of a page that came with a check box and with a tab are restored, and go with them, Chromium",
  ignore: !isInstalled("/usr/bin/chromium"),
  async fn() {
    const page = await PageServer.open(fileURLToPath(new URL("fixtures/made", import.meta.url)));
    await using stand = await Stand.open();
    try {
      await stand.do("launch", { app: "chromium", args: [page.url("page.html")] });
      await stand.do("wait", { target: box, timeout: 20_000 }, "chromium", 25_000);
      const was = page.state;
      const steps = [
        set(name, "Ada"),
        set(box, true),
        set(street, "Hill"),
        `{ select: 'tab "Second"', undo: { steps: [{ select: 'tab "First"' }] } }`,
        set(note, "Knock"),
      ];
      const { rollback } = await stand.run(failing("chromium", ...steps));
      assert.deepEqual([rollback.verdict, rollback.drift], ["restored", []], JSON.stringify(rollback));
      assert.deepEqual([standing(rollback, street), standing(rollback, note)], ["restored", "restored"]);
      assert.ok(await page.until(({ state }) => isDeepStrictEqual(state, was)), JSON.stringify(page.state));
      assert.ok(page.lines.some(({ state }) => state["Street"] === "Hill" && state["Note"] === "Knock"));
    } finally {
      await page.close();
    }
  },
});
