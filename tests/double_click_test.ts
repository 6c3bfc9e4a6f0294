import assert from "node:assert/strict";
import { missingFor, TOOLKITS } from "../scripts/action-names/stage.ts";
import { RecordStage, rowOf } from "../scripts/recordings/stage.ts";
import { Deadline, pause } from "../src/base/call.ts";

/** Each is one gesture; before its presses had times of their own, Chromium saw 3 of 30. */
const TIMES = 6;
/** Milliseconds after which GTK takes no press for one more of the same click. */
const APART = 600;

for (const toolkit of TOOLKITS) {
  const missing = missingFor(toolkit);
  const name = `a double click is one to the application, each time: ${toolkit}`;
  Deno.test({ name, ignore: missing !== undefined }, async () => {
    await using stage = await RecordStage.open(toolkit);
    const { desktop } = stage.session;
    const tree = await stage.snapshot();
    const rows = ["Alpha", "Beta", "Gamma"];
    const opened = () => stage.account().filter(({ what }) => what === "opened").map(({ of }) => of);
    for (let n = 0; n < TIMES; n++) {
      const rect = tree.rect(rowOf(tree, rows[n % rows.length] ?? ""));
      assert.ok(rect);
      const at = { x: Math.round(rect.x + rect.width / 2), y: Math.round(rect.y + rect.height / 2) };
      await desktop.pointer({ do: "click", ...at, button: "left", count: 2 });
      const deadline = Deadline.after(5_000), watch = desktop.watch(stage.application);
      try {
        while (opened().length <= n && !deadline.passed) await watch.next({ timeout: 50 });
      } finally {
        watch.close();
      }
      await pause(APART);
      assert.deepEqual(opened(), Array.from({ length: n + 1 }, (_, k) => rows[k % rows.length]));
    }
  });
}
