// The keys of an undo are meant for the window that its step left in front. Judged by the application's own account.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { failing } from "./_dialogs.ts";
import { Holder, KITS, recoverKilled } from "./_held.ts";

interface Held {
  readonly Standing: number;
  readonly Wrap: boolean;
  readonly Name: string;
}

const BEFORE: Held = { Standing: 0, Wrap: false, Name: "" };
/** Opens a dialog that is not modal, and goes on in the window beside it. */
const STEPS = [
  `{ click: 'button "Find"', undo: [ { press: Escape } ] }`,
  `type: { into: 'textfield "Name"', text: Ada }`,
  `click: 'checkbox "Wrap"'`,
];

for (const [name, kit] of Object.entries(KITS)) {
  const { ignore } = kit;
  // One is enough to show that a window manager of Wayland is asked as well.
  const displays = name === "GTK 4" ? ["x11", "wayland"] as const : ["x11"] as const;
  for (const display of displays) {
    Deno.test({
      name:
        `an Escape closes the dialog that it is meant for, whichever window is in front, ${name} on ${display}`,
      ignore,
      async fn() {
        await using form = await Holder.start<Held>("front", kit, 'button "Find"', display);
        const { error, rollback } = await form.stand.run(failing(form.app, ...STEPS));
        assert.match(error?.message ?? "", /nothing says this/);
        const now = await form.held((held) => isDeepStrictEqual(held, BEFORE));
        assert.deepEqual(now, BEFORE, JSON.stringify(rollback));
        assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
      },
    });
  }
}

Deno.test({
  name: "and after a crash, GTK 3",
  ignore: KITS["GTK 3"].ignore,
  fn: () =>
    recoverKilled<Held>("front", KITS["GTK 3"], STEPS, (held) => {
      assert.deepEqual(held, { Standing: 1, Wrap: true, Name: "Ada" });
    }),
});
