/** In GTK 3, what lies in a window of its own in a view that was scrolled says that it does not show, and where it lies no more. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Deadline, pause } from "../src/base/call.ts";
import { BackstepError, toBackstepError } from "../src/base/error.ts";
import { Stand } from "./_dialogs.ts";
import { KITS } from "./_held.ts";
import { fixture } from "./_toolkits.ts";

Deno.test({
  name: "GTK 3: what tells no place once its view was scrolled is refused, and the hint says what to use",
  ignore: KITS["GTK 3"].ignore,
  async fn() {
    await using stand = await Stand.open();
    const log = join(stand.folder, "pressed");
    await stand.do("launch", {
      app: "/usr/bin/python3",
      args: [fixture("scrolling/event_boxes.py"), log],
    });
    const app = "event_boxes.py";
    await stand.do("wait", { target: 'label "Row 1"' }, app);
    for (const row of [20, 12]) {
      const refused = await stand.do("click", { target: `label "Row ${row}"` }, app).catch(toBackstepError);
      assert.ok(refused instanceof BackstepError, `row ${row}`);
      assert.deepEqual([refused.code, refused.hint], [
        "not_actionable",
        `Use what it is in: listitem:has(label "Row ${row}").`,
      ]);
      assert.match(refused.message, /GTK 3 does not tell where it lies since its view was scrolled$/);
      await stand.do("click", { target: `listitem:has(label "Row ${row}")` }, app);
      const pressed = () => existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
      const deadline = Deadline.after(5_000);
      while (pressed().at(-1) !== `row ${row}` && !deadline.passed) await pause(10);
      assert.equal(pressed().at(-1), `row ${row}`);
    }
  },
});
