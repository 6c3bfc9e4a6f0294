/** An `undo:` that closes a window waits for nothing: whether the next one has anything left to close is seen once it is quiet. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { failing, Stand } from "./_dialogs.ts";
import { KITS } from "./_held.ts";
import { fixture } from "./_toolkits.ts";

Deno.test({
  name: "what an undo closes late is not taken for what stands: no second Escape is pressed, GTK 3",
  ignore: KITS["GTK 3"].ignore,
  async fn() {
    await using stand = await Stand.open();
    const log = join(stand.folder, "escapes"), app = "closes.py";
    await stand.do("launch", { app: "/usr/bin/python3", args: [fixture("late/closes.py"), log] });
    await stand.do("wait", { target: 'button "Open"' }, app);
    const open = `{ click: 'button "Open"', undo: [{ press: Escape }] }`;
    const { rollback } = await stand.run(failing(app, open, open));
    assert.equal(rollback.verdict, "restored");
    assert.deepEqual(readFileSync(log, "utf8").trim().split("\n"), ["escape question", "closed"]);
  },
});
