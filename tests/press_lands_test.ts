// Keys go another way into a page than what is asked over accessibility: a field that is set right after Tab gets its text.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { missingFor, TOOLKITS } from "../scripts/action-names/stage.ts";
import { RecordStage } from "../scripts/recordings/stage.ts";
import { runText } from "./_workflow.ts";

const TIMES = 16;
const workflow = `name: Tab
steps:
${
  Array.from(
    { length: TIMES },
    (_, k) => `  - press: Tab\n  - set: { target: 'textfield[name="Title"]', value: 'text ${k}' }`,
  ).join("\n")
}
`;

for (const toolkit of TOOLKITS) {
  const missing = missingFor(toolkit);
  const name = `a field that is set right after Tab gets the text, and its neighbours get none: ${toolkit}`;
  Deno.test({ name, ignore: missing !== undefined }, async () => {
    const state = mkdtempSync(join(tmpdir(), "bs-tab-"));
    await using stage = await RecordStage.open(toolkit);
    try {
      const { status, error } = await runText(`app: ${stage.application.name}\n${workflow}`, {
        session: stage.session,
        state,
      });
      const written = stage.account().filter(({ what }) => what === "text");
      assert.deepEqual(written.filter(({ of }) => of !== "Title"), []);
      assert.equal(status, "passed", error?.message);
      assert.equal(written.at(-1)?.value, `text ${TIMES - 1}`);
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  });
}
