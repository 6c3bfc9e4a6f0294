/** What closes, or takes the keyboard, only after its step was over: whether an undo has anything to do, and where its keys go. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { failing, Stand } from "./_dialogs.ts";
import { KITS } from "./_held.ts";
import { fixture } from "./_toolkits.ts";

const OPEN = `{ click: 'button "Open"', undo: [{ press: Escape }] }`;

/** Plays the steps on a program of fixtures/late, which are rolled back to the start; answers what it wrote. */
async function rolledBack(app: string, ...steps: readonly string[]): Promise<string[]> {
  await using stand = await Stand.open();
  const log = join(stand.folder, "escapes");
  await stand.do("launch", { app: "/usr/bin/python3", args: [fixture(`late/${app}`), log] });
  await stand.do("wait", { target: 'button "Open"' }, app);
  const { rollback } = await stand.run(failing(app, ...steps));
  assert.equal(rollback.verdict, "restored");
  return readFileSync(log, "utf8").trim().split("\n");
}

Deno.test({
  name: "what an undo closes late is not taken for what stands: no second Escape is pressed, GTK 3",
  ignore: KITS["GTK 3"].ignore,
  async fn() {
    assert.deepEqual(await rolledBack("closes.py", OPEN, OPEN), ["escape question", "closed"]);
  },
});

Deno.test({
  name: "an undo closes a dialog that took the keyboard after its step was over, GTK 3",
  ignore: KITS["GTK 3"].ignore,
  async fn() {
    const focused = `{ wait: 'label "Focused"' }`;
    assert.deepEqual(await rolledBack("focused.py", OPEN, focused), ["escape question"]);
  },
});
