import assert from "node:assert/strict";
import { missingFor } from "../scripts/action-names/stage.ts";
import { RecordStage } from "../scripts/recordings/stage.ts";
import { Deadline, pause } from "../src/base/call.ts";
import { runText } from "./_workflow.ts";

for (const [toolkit, row] of [["qt5", "cell"], ["qt6", "cell"], ["chromium", "treeitem"]] as const) {
  const name = `a row of a tree is opened and closed, and not chosen: ${toolkit}`;
  Deno.test({ name, ignore: missingFor(toolkit) !== undefined }, async () => {
    await using stage = await RecordStage.open(toolkit);
    const steps = [true, false].map((value) =>
      `\n  - set: { target: '${row}[name="Fruit"]', value: ${value} }`
    );
    const text = `name: Open\napp: ${stage.application.name}\nsteps:${steps.join("")}\n`;
    const result = await runText(text, { session: stage.session, state: stage.folder });
    assert.equal(result.status, "passed", JSON.stringify(result.error));
    const did = () => stage.account().slice(1).map(({ what, of, value }) => [what, of, value].join(" "));
    for (const deadline = Deadline.after(5_000); did().length < 2 && !deadline.passed;) await pause(20);
    assert.deepEqual(did(), ["expanded Fruit true", "expanded Fruit false"]);
  });
}
