/** A modal dialog that gets the keyboard after its step is over is what the keys of the rollback go to. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { failing, Stand } from "./_dialogs.ts";
import { KITS } from "./_held.ts";
import { fixture } from "./_toolkits.ts";

Deno.test({
  name: "an undo closes a dialog that took the keyboard after its step was over, GTK 3",
  ignore: KITS["GTK 3"].ignore,
  async fn() {
    await using stand = await Stand.open();
    const log = join(stand.folder, "escapes"), app = "focused.py";
    await stand.do("launch", { app: "/usr/bin/python3", args: [fixture("late/focused.py"), log] });
    await stand.do("wait", { target: 'button "Open"' }, app);
    const open = `{ click: 'button "Open"', undo: [{ press: Escape }] }`;
    const { rollback } = await stand.run(failing(app, open, `{ wait: 'label "Focused"' }`));
    assert.equal(rollback.verdict, "restored");
    assert.equal(readFileSync(log, "utf8"), "escape question\n");
  },
});
